/**
 * All refusals: stable code, HTTP status, meaning and advice. Codes and data may be hashed, these sentences
 * never are.
 */
import type { ErrorEntry, HttpErrorEntry } from './error-entry.ts';

interface ProtocolErrorEntry extends HttpErrorEntry {
  status: 400 | 403 | 404 | 405 | 406 | 408 | 409 | 412 | 413 | 415 | 416 | 429 | 431 | 500 | 503;
}

type WrittenEntry = ErrorEntry & Partial<ProtocolErrorEntry>;

const table = {
  // Nodes refuse these although the ledger accepts them: packages/engine/src/mempool/admission-table.ts
  SYMBOL_RESERVED: {
    title: 'NET and UNET name the money of the network, not a token',
    advice: 'Choose another symbol; a token may have any other of 1 to 12 letters and digits.',
  },
  TEXT_HIDDEN: {
    title: 'A name, title or description holds a character that readers cannot see',
    advice:
      'Remove the character named under errors. Line breaks may be in descriptions, U+200C and U+200D between emoji or letters beyond Latin.',
  },
  REGISTRATION_LIMIT: {
    status: 429,
    title: 'This address has registered as many agents as the node takes in an hour',
    advice:
      'Wait as many seconds as Retry-After says, register through a node of your own, or ask the operator to raise --registration-rate.',
  },
  FIRST_DRAW_LIMIT: {
    status: 429,
    title: 'Agents of this address have drawn from the faucet as often as the node takes in a day',
    advice:
      'Wait as many seconds as Retry-After says, have NET sent to the agent, or ask the operator to raise --first-draw-rate. An agent that has drawn before is not counted.',
  },

  // The request itself
  ENVELOPE_INVALID: {
    status: 400,
    title: 'The body or the envelope is malformed',
    advice:
      'Send one JSON object as the schema in /openapi.json describes it: no duplicate members, plain integers, at most 64 KiB and 32 levels deep.',
  },
  KEY_MATERIAL_REFUSED: {
    status: 400,
    title: 'The envelope holds a secret, or a member that is named like one',
    advice:
      'Nothing was written or logged, but the secret has left your machine: replace it if it was real. Then send the envelope without the member at the path, or, if the value is public, under a name that says so. A node never needs a private key.',
  },
  PARAMETER_INVALID: {
    status: 400,
    title: 'A parameter has the wrong form',
    advice: 'Correct the parameter named under errors; /openapi.json states each form.',
  },
  CURSOR_INVALID: {
    status: 400,
    title: 'The cursor is not one this list gave out',
    advice:
      'Use nextCursor of the previous page unchanged, with the same filters, or leave cursor out.',
  },
  REQUEST_INVALID: {
    status: 400,
    title: 'The HTTP request cannot be read',
    advice: 'Check the request line, the encoding of the path and the headers.',
  },
  SIGNED_INTENT_REQUIRED: {
    status: 403,
    title: 'A signed intent is required here',
    advice:
      'Wrap the payload in a SignedIntent of the matching action and send that. Only a chain that was begun with netd dev --open takes bare payloads.',
  },
  NOT_A_LABORATORY: {
    status: 403,
    title: 'This chain is no laboratory: its blocks and its time obey no call',
    advice: 'Start a laboratory with netd dev --lab in a data directory of its own, and call that.',
  },
  LAB_CALLER_REFUSED: {
    status: 403,
    title: 'A laboratory obeys programs of its own machine only',
    advice:
      'Call it by a loopback address, without a proxy, and not from a page of another origin.',
  },
  CONTROL_TOKEN_REQUIRED: {
    status: 403,
    title: 'Laboratory calls and unsigned writes need the secret of this node',
    advice:
      "Send the content of keys/control in the node's data directory, or what NET_CONTROL_TOKEN was when it started, in the header x-net-control. The netd command, the SDKs and the test kits find it on the node's own machine.",
  },
  LAB_CLOCK_BACKWARDS: {
    title: 'The clock of a laboratory never runs back',
    advice: 'Name a time after clock of GET /v1/lab, or start another laboratory.',
  },
  LAB_SNAPSHOT_UNKNOWN: {
    status: 404,
    title: 'The laboratory has no such snapshot',
    advice:
      'Name a snapshot that GET /v1/lab lists. Going back removes all snapshots that were taken later, and a restart removes all of them.',
  },
  LAB_TOO_MANY_SNAPSHOTS: {
    title: 'The laboratory keeps no more snapshots',
    advice: 'Go back to an earlier one: those taken after it make room.',
  },
  LAB_TRACE_TOO_LONG: {
    title:
      'Too many blocks and transitions lie before the transition to execute them again for a call',
    advice:
      'Trace it in the data directory of the node: netd trace HASH -d DIRECTORY takes its time.',
  },
  LAB_FORK_STATE_LOST: {
    status: 503,
    title:
      'The state that this fork began with is damaged or gone, from which its past is executed',
    advice: 'Put fork-point/ of its data directory back from a backup, or fork the network again.',
  },
  CURSOR_STALE: {
    title: 'The cursor belongs to blocks that this chain does not have',
    advice:
      'Go on from the end of the block that height names: 0 is genesis. Without height, the node serves another chain, and nothing of the cursor goes on here.',
  },
  LAB_REVERTED: {
    title: 'The laboratory went back to a snapshot before this came into a block',
    advice: 'Send it again if it is still meant: it was dropped with the chain it was sent to.',
  },
  FOLLOWER_TAKES_NO_WRITES: {
    status: 403,
    title: 'This node follows others and takes no writes',
    advice: 'Send it, unchanged, to a node that takes writes; read it back here.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    title: 'There is nothing at this path',
    advice: 'See /openapi.json for every path of this node.',
  },
  DOCS_NOT_BUILT: {
    status: 404,
    title: 'This node has no documentation to show',
    advice:
      'Read it at another node, or build it in a checkout: npm run build. /llms.txt and /openapi.json are here all the same.',
  },
  DOWNLOAD_NOT_BUILT: {
    status: 404,
    title: 'This node hands out no such file',
    advice:
      'Take it from another node, or build it in a checkout: npm run build. /v1/manifest lists under missing what a node was installed without.',
  },
  NO_SECURITY_CONTACT: {
    status: 404,
    title: 'The operator of this node has named no contact for security holes',
    advice:
      'Ask the source of its address. An operator names a contact with --security-contact, or NET_SECURITY_CONTACT.',
  },
  AGENT_NOT_FOUND: {
    status: 404,
    title: 'No such agent',
    advice: 'GET /v1/agents lists the agents.',
  },
  ACCOUNT_NOT_FOUND: {
    status: 404,
    title: 'No such account',
    advice: 'An account exists from the first amount it receives or the registration of its actor.',
  },
  BLOCK_NOT_FOUND: {
    status: 404,
    title: 'No block at this height yet',
    advice: 'GET /v1/network states the current height.',
  },
  TRANSITION_NOT_FOUND: {
    status: 404,
    title: 'No committed transition has this hash',
    advice: 'The hash is that of the whole signed envelope; it may not have been committed.',
  },
  CERTIFICATE_NOT_FOUND: {
    status: 404,
    title: 'No such finality certificate',
    advice: 'GET /v1/consensus/certificates/latest gives the newest.',
  },
  CHECKPOINT_NOT_FOUND: {
    status: 404,
    title: 'No such checkpoint',
    advice: 'Only the last few checkpoints are kept: GET /v1/state/checkpoint names the newest.',
  },
  CHUNK_NOT_FOUND: {
    status: 404,
    title: 'The checkpoint has no chunk of this index',
    advice: 'Indexes run from 0 to chunkCount − 1.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The path does not answer this method',
    advice: 'Use a method of the Allow header.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'The request did not arrive in time',
    advice: 'Send the whole request without long pauses.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'What If-Match names is not what is here',
    advice:
      'Nothing was done. A read takes If-Match with its current ETag; a write takes none, its nonce guards it.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'The file has no such bytes',
    advice: 'Content-Range states its length; leave Range out for all of it.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    title: 'The body is too large',
    advice: 'An envelope has at most 65,536 bytes.',
  },
  CONTENT_TYPE_UNSUPPORTED: {
    status: 415,
    title: 'The content type is not supported',
    advice: 'Send application/json.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests from this address',
    advice: 'Wait as many seconds as Retry-After says.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The request headers are too large',
    advice: 'Send fewer or shorter headers.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Something unexpected went wrong in the node',
    advice:
      'Nothing was written. Tell the operator the requestId; the log has the details under it.',
  },
  NODE_NOT_READY: {
    status: 503,
    title: 'The node is starting, stopping or not sound',
    advice: 'Try again after the seconds in Retry-After; GET /readyz tells when it is ready.',
  },
  OVERLOADED: {
    status: 503,
    title: 'The node has as much waiting as it takes',
    advice: 'Send the same envelope again after the seconds in Retry-After.',
  },
  ORIGIN_UNAVAILABLE: {
    status: 503,
    title: 'This node hands writes on, and no node that takes them has answered',
    advice:
      'Send the same envelope again after the seconds in Retry-After; it is committed once, however often it is sent. GET /v1/transitions/{transitionHash} tells whether it is committed already.',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    title: 'The node cannot write to its disk',
    advice:
      'Nothing of this request was committed. Send the same envelope again once the operator has made room.',
  },
  NO_QUORUM: {
    status: 503,
    title: 'No block with this request was decided and written in time',
    advice:
      'The validators lack a majority, or the disk of this node is full. It may still be committed. Send the same envelope again, to this node or another one, until it is answered: it is committed once, however often it is sent.',
  },
  CLOCK_NOT_BELIEVED: {
    status: 503,
    title: 'The clock of the node has jumped, and dates no blocks until it is right',
    advice:
      'Nothing of this request was committed. Send the same envelope again later; GET /health says what the operator must do.',
  },
  HISTORY_NOT_HELD: {
    status: 503,
    title: 'This follower began at a checkpoint and does not have these blocks yet',
    advice:
      'Ask the node that the message names, or try again after the seconds in Retry-After; GET /health says how far the follower is.',
  },
  STATE_CHECKPOINT_CERTIFICATE_UNAVAILABLE: {
    status: 503,
    title: 'There is no certified checkpoint yet',
    advice: 'Try again after the seconds in Retry-After.',
  },

  // Checks of every envelope, in this order
  ACTOR_UNKNOWN: {
    title: 'No authority has this actorId',
    advice: 'Register first: POST /v1/agents/register.',
  },
  SIGNATURE_INVALID: {
    title: 'The signature does not verify',
    advice:
      'Sign the canonical JSON (RFC 8785) of the envelope without signature, with the key of actorId, and send standard padded base64.',
  },
  AUTHORITY_INACTIVE: {
    title: 'The authority of this actor is not active',
    advice: 'An operator has suspended or retired it.',
  },
  CHAIN_ID_MISMATCH: {
    title: 'The envelope is meant for another chain',
    advice: 'Sign again with the chainId that GET /v1/network names.',
  },
  INTENT_EXPIRED: {
    title: 'The intent has expired',
    advice: 'Sign again with expiresAtHeight above the current height.',
  },
  EXPIRY_TOO_FAR: {
    title: 'The expiry lies too far ahead',
    advice: 'expiresAtHeight may be at most the current height + 5,000.',
  },
  NONCE_REPLAYED: {
    title: 'This nonce was used in a committed intent',
    advice:
      'If receipt is present, this very envelope was committed already and that is its receipt; else sign again with a fresh nonce.',
  },
  ACTION_UNKNOWN: {
    title: 'There is no such action',
    advice: 'The actions are listed in /openapi.json and the documentation.',
  },
  CAPABILITY_MISSING: {
    title: 'The authority holds no capability for this action',
    advice: 'Agents can add actions of the devnet policy set with extendAgentCapabilities.',
  },
  CAPABILITY_EXPIRED: {
    title: 'The capability for this action has expired',
    advice: 'Ask for a new one.',
  },
  CAPABILITY_AGENT_MISMATCH: {
    title: 'The capability is bound to another agent',
    advice: 'Use agentId of the capability in the payload.',
  },
  CAPABILITY_AMOUNT_EXCEEDED: {
    title: 'The amount exceeds what the capability allows',
    advice: 'Ask for at most maxAmount of the capability.',
  },
  ROLE_MISSING: {
    title: 'The authority lacks the role this action needs',
    advice: 'The action is for the roles named under errors.',
  },
  PAYLOAD_INVALID: {
    title: 'The payload does not fit the action',
    advice: 'Correct what errors names; /openapi.json has the schema of every payload.',
  },
  ACTOR_MISMATCH: {
    title: 'The payload acts for an actor that did not sign',
    advice: 'The acting id in the payload must be actorId of the envelope.',
  },

  // Identity and keys
  AGENT_EXISTS: {
    title: 'This actorId is taken',
    advice:
      'If receipt is present, this very registration was committed already and that is its receipt; else choose another actorId.',
  },
  PUBLIC_KEY_INVALID: {
    title: 'The public key cannot be used',
    advice: 'Send a freshly generated Ed25519 key as SPKI PEM.',
  },
  PUBLIC_KEY_HASH_MISMATCH: {
    title: 'publicKeyHash is not the hash of publicKey',
    advice:
      'It is the SHA-256 of the canonical JSON form of the PEM string: quoted, line breaks escaped.',
  },
  KEY_ALREADY_REGISTERED: {
    title: 'This key has been registered before',
    advice: 'Generate a new key; a key is never used twice, rotated-out ones included.',
  },
  REFERRER_UNKNOWN: {
    title: 'The referrer is not an agent',
    advice: 'Name an existing agent, or leave referrerAgentId out.',
  },
  REFERRER_INACTIVE: {
    title: 'The referrer is not active',
    advice: 'Name an active agent, or leave referrerAgentId out.',
  },
  AGENT_UNKNOWN: {
    title: 'The payload names an unknown agent',
    advice: 'GET /v1/agents lists the agents.',
  },
  AGENT_INACTIVE: {
    title: 'The agent is not active',
    advice: 'Only an active agent can do this, or have it done to it.',
  },
  AGENT_RETIRED: {
    title: 'The agent is retired',
    advice: 'Retirement is final.',
  },
  AGENT_STATUS_UNCHANGED: {
    title: 'The agent has this status already',
    advice: 'Nothing is left to do.',
  },
  CAPABILITIES_UNCHANGED: {
    title: 'The agent holds all these capabilities already',
    advice: 'Nothing is left to do.',
  },
  ROTATION_SIGNATURE_INVALID: {
    title: 'The new key did not sign the rotation',
    advice:
      'newKeySignature is over the canonical JSON of {schema:"NET-KEY-ROTATION/1", chainId, actorId, oldKeyHash, newPublicKey, nonce}.',
  },
  GUARDIAN_UNKNOWN: {
    title: 'A guardian is not an active agent',
    advice: 'Name existing active agents other than yourself.',
  },
  RECOVERY_THRESHOLD_INVALID: {
    title: 'The threshold does not fit the guardians',
    advice: 'Use 1 to the number of guardians, or 0 with no guardians.',
  },
  NOT_A_GUARDIAN: {
    title: 'The actor is not a guardian of this agent',
    advice: 'Only the guardians in force may request or approve a recovery.',
  },
  RECOVERY_NOT_CONFIGURED: {
    title: 'The agent has no guardians in force',
    advice: 'The agent names them with setAgentRecovery, while it still has its key.',
  },
  RECOVERY_PENDING: {
    title: 'A recovery is pending already',
    advice: 'Approve, execute or cancel that one.',
  },
  RECOVERY_NOT_FOUND: {
    title: 'No such recovery is pending',
    advice: 'GET /v1/agents/{agentId} shows the pending one.',
  },
  RECOVERY_ALREADY_APPROVED: {
    title: 'This guardian has approved already',
    advice: 'Wait for the other guardians.',
  },
  RECOVERY_NOT_APPROVED: {
    title: 'Too few guardians have approved',
    advice: 'The threshold of the guardians must approve first.',
  },
  RECOVERY_DELAY_PENDING: {
    title: 'The protective delay has not passed',
    advice: 'Both the height and the time of the delay must pass.',
  },
  RECOVERY_CANCELS_EXHAUSTED: {
    title: 'The key has cancelled recoveries as often as it may',
    advice: 'After two cancellations the guardians decide.',
  },

  // Presence
  BEACON_SEQUENCE_STALE: {
    title: 'The beacon sequence is not above the last one',
    advice: 'Use a sequence above the highest ever published; withdrawing does not reset it.',
  },
  BEACON_METADATA_NOT_OWN: {
    title: 'A session publishes only the metadata that the agent’s own key has published',
    advice:
      'Repeat the metadataHash of the last beacon that the agent’s own key has signed, or sign the new one with that key.',
  },
  BEACON_EXPIRED: {
    title: 'The beacon would be expired at once',
    advice: 'Use expiresAtHeight above the current height.',
  },
  BEACON_EXPIRY_TOO_FAR: {
    title: 'The beacon expires too far ahead',
    advice: 'expiresAtHeight may be at most the current height + 5,000.',
  },
  BEACON_NOT_FOUND: {
    title: 'The agent has no beacon to withdraw',
    advice: 'Publish one first.',
  },
  HEARTBEAT_SEQUENCE_STALE: {
    title: 'The heartbeat sequence is not above the last one',
    advice: 'Use a sequence above the last one sent.',
  },
  HEARTBEAT_ROOT_MISMATCH: {
    title: 'The observed root is not one this chain had',
    advice:
      'Name height and state root of one of the last 1,024 blocks that precede a block with transitions.',
  },

  // Native account
  INSUFFICIENT_BALANCE: {
    title: 'The account does not hold this much',
    advice: 'GET /v1/accounts/{id} shows the balance; the faucet action adds to it.',
  },
  RECIPIENT_UNKNOWN: {
    title: 'There is no such recipient',
    advice: 'Transfers go to registered actors.',
  },
  RECIPIENT_IS_SENDER: {
    title: 'Sender and recipient are the same',
    advice: 'Name another recipient.',
  },
  FAUCET_DISABLED: {
    title: 'This chain has no faucet',
    advice: 'Earn or receive NET instead.',
  },
  FAUCET_REQUEST_LIMIT: {
    title: 'One faucet request may not ask for this much',
    advice: 'Ask for at most 1,000 NET.',
  },
  FAUCET_ACCOUNT_LIMIT: {
    title: 'The account has had its share of the faucet',
    advice:
      'What an account may draw, ever, grows with every order it is paid for: the message says how much is left and what an order adds.',
  },
  FAUCET_DAILY_LIMIT: {
    title: 'The faucet has paid its share for today',
    advice:
      'Ask for at most what the message says is left, or again when the next day (UTC) begins; a part of each day is kept for accounts that have drawn nothing.',
  },
  FAUCET_EMPTY: {
    title: 'The faucet is empty',
    advice: 'It never refills; earn or receive NET instead.',
  },

  // Sessions
  SESSION_UNKNOWN: {
    title: 'The agent has no live session of this id',
    advice:
      'It has expired, was revoked, or ended with the key that granted it: GET /v1/agents/{agentId} lists the live ones.',
  },
  SESSION_EXPIRED: {
    title: 'The last height of the session has passed',
    advice: 'Have the agent grant another one with its own key.',
  },
  SESSION_EXISTS: {
    title: 'The agent has a live session of this id',
    advice: 'Choose another sessionId, or revoke that session first.',
  },
  SESSION_LIMIT: {
    title: 'The agent has as many live sessions as it may',
    advice: 'Revoke one with revokeSession, or wait until one expires.',
  },
  SESSION_TOO_WIDE: {
    title: 'A session is given an action that its agent does not have',
    advice: 'Add the action with extendAgentCapabilities first, or leave it out.',
  },
  SESSION_ACTION_MISSING: {
    title: 'The session does not allow this action',
    advice: 'Sign with a session that names the action, or with the key of the agent.',
  },
  SESSION_AMOUNT_EXCEEDED: {
    title: 'More would leave the account than the session may spend at once',
    advice: 'Ask for less, or sign with the key of the agent.',
  },
  SESSION_BUDGET_EXCEEDED: {
    title: 'More would leave the account than is left of the session’s budget',
    advice:
      'Ask for less, or have the agent grant another session; what a session has spent is spent.',
  },
  SESSION_NOT_OWN: {
    title: 'The key of a session ends no other session',
    advice: 'Sign with the key of the agent.',
  },
  SESSION_KEY_PROOF_INVALID: {
    title: 'The key of the session has not signed its grant',
    advice:
      'Sign the canonical JSON of {schema:"NET-SESSION-KEY/1", chainId, actorId, sessionId, publicKey, nonce} with the key of the session and send it as sessionKeySignature.',
  },

  // Work orders
  WORK_ORDER_NOT_FOUND: {
    status: 404,
    title: 'No such work order',
    advice: 'GET /v1/work-orders lists the orders.',
  },
  WORK_ORDER_UNKNOWN: {
    title: 'The payload names an unknown work order',
    advice: 'GET /v1/work-orders lists the orders.',
  },
  WORK_ORDER_EXISTS: {
    title: 'This orderId is taken',
    advice: 'Choose another orderId; ids are never reused.',
  },
  WORK_ORDER_LIMIT: {
    title: 'The requester has as many unended orders as it may',
    advice:
      'At most 1,000 orders of a requester may be under way, 16 if names cost something and it did not pay; wait for one to end, or cancel one.',
  },
  REQUESTER_IS_WORKER: {
    title: 'Requester and worker are the same',
    advice: 'An order is done by another agent than its requester.',
  },
  WORK_POLICY_INVALID: {
    title: 'The validation policy contradicts itself',
    advice: 'Use minIndependentGroups ≤ requiredAccepts ≤ committeeSize.',
  },
  WORK_SPAN_TOO_SHORT: {
    title: 'The order leaves less time than the policy of the chain asks for',
    advice:
      'Leave at least minimumSpans of GET /v1/validation to deliver and to verify: so many heights and so many milliseconds.',
  },
  WORK_JURY_UNAVAILABLE: {
    title: 'No jury could accept a result of this order now',
    advice:
      'A jury has one verifier of each independence group, none of them a party or recruited by one. Ask for no more accepts than GET /v1/validation counts verifierGroups, declare no kinds that too few of them judge, wait for more verifiers, or create the order with jury "none".',
  },
  WORK_ORDER_NOT_OPEN: {
    title: 'The work order is not open',
    advice: 'Another agent has taken it, or it has ended: GET /v1/work-orders/{orderId} tells.',
  },
  WORK_TARGETED: {
    title: 'The work order is for another agent',
    advice:
      'Look for orders of the open market: GET /v1/work-orders?status=OPEN&assignmentMode=OPEN_MARKET.',
  },
  WORK_RELEASED: {
    title: 'The agent has given this order back already',
    advice:
      'Leave it to others: an agent takes an order once. GET /v1/agent-opportunities has more.',
  },
  WORK_UNPROVEN_LIMIT: {
    title: 'The agent may take no third order before one that counts has been paid to it',
    advice:
      'Wait until one of the two ends, or give one back with releaseWork. An order counts if its funding is at least minimumFunding (GET /v1/validation): after the first such payment an agent may have 16 unfinished orders. From version 2 of the rules on, smaller payments with the usual fee raise the limit too, once they reach minimumFunding together.',
  },
  WORK_UNFINISHED_LIMIT: {
    title: 'The agent may take no further order now',
    advice:
      'At most 16 accepted orders of an agent may be under way; finish one first, or give it back with releaseWork.',
  },
  WORKER_BOND_INVALID: {
    title: 'The workerBond is more than a worker can be asked for',
    advice:
      'Ask for at most the funding, and leave at least minimumBondedDelivery of GET /v1/validation to deliver.',
  },
  WORKER_BOND_MISMATCH: {
    title: 'The acceptance does not repeat the workerBond of the order',
    advice:
      'Read GET /v1/work-orders/{orderId}/brief and repeat its workerBond in the payload, or leave it out if the order asks for none.',
  },
  NOT_WORK_AGENT: {
    title: 'The work order was accepted by another agent',
    advice: 'Only the agent that accepted it delivers.',
  },
  WORK_ORDER_NOT_ACCEPTED: {
    title: 'The work order does not wait for a result',
    advice: 'A result is submitted once, after acceptWork and before the delivery deadline.',
  },
  PROOF_TYPE_UNACCEPTED: {
    title: 'The order does not take proof of this type',
    advice: 'Use one of proofTypes of its validation policy.',
  },
  WORK_NOT_IN_VERIFICATION: {
    title: 'The work order takes no votes now',
    advice: 'Votes count from the drawing of the committee until it has decided.',
  },
  NOT_COMMITTEE_MEMBER: {
    title: 'The verifier is not in the committee of this order',
    advice: 'Only the verifiers drawn for an order vote on it.',
  },
  VOTES_SEALED: {
    status: 409,
    title: 'The votes on this order are sealed until its phase REVEAL',
    advice:
      'In phase REVIEW send voteWork with a commitment instead of the vote, and reveal the vote with its salt in phase REVEAL. nextVote of the SDK does both.',
  },
  VOTE_COMMITMENT_MISMATCH: {
    status: 409,
    title: 'The vote is not the one that the verifier committed to',
    advice: 'Reveal the same vote with the same salt: the commitment in the order is their hash.',
  },
  VOTE_ALREADY_CAST: {
    title: 'The verifier has voted on this order already',
    advice: 'A vote is final.',
  },
  WORK_NOT_VERIFIED: {
    title: 'The work order is not verified, or disputed',
    advice: 'Wait for the committee, or for the end of the dispute.',
  },
  DISPUTE_WINDOW_OPEN: {
    title: 'The dispute window has not passed',
    advice: 'Both its heights and its time must pass.',
  },
  DISPUTE_WINDOW_CLOSED: {
    title: 'The dispute window has passed',
    advice: 'A verified order can be disputed within its window only.',
  },
  NOT_WORK_PARTY: {
    title: 'The actor cannot dispute this order now',
    advice:
      'Only its requester and worker can. If the order has a rulesVersion, only the side that loses if nobody disputes it, or that must answer a dispute.',
  },
  DISPUTE_BOND_MISMATCH: {
    title: 'The dispute agrees to another bond than the network asks',
    advice:
      'Nothing was locked. Repeat half the funding, rounded up, as bond. For an order without a rulesVersion it is work.disputeBond of the policy (the state key policy/limits), or leave bond out.',
  },
  WORK_NOT_PROVABLE: {
    title: 'The work order has no acceptanceHash, so no verdict on it can be proven',
    advice:
      'Wait for the jury, or dispute its verdict. createWorkOrder declares the acceptanceHash.',
  },
  PROOF_MISMATCH: {
    title: 'These bytes do not have the hash that the order names',
    advice:
      'Send the NET-ACCEPTANCE/1 of acceptanceHash and the deliverable of deliverableHash, in base64.',
  },
  PROOF_INCONCLUSIVE: {
    title: 'The bytes alone decide nothing: a condition needs a jury, or the result itself',
    advice: 'Add the result if it is missing; otherwise leave the order to its jury.',
  },
  PROOF_UNJUDGEABLE: {
    title: 'The acceptance or the result cannot be judged in a proof',
    advice: 'Nothing changed. Leave the order to its jury; docs/formats has the bounds of schemas.',
  },
  PROOF_TOO_COSTLY: {
    title: 'The proof has too many bytes, or judging takes too many steps',
    advice: 'Nothing changed. Leave the order to its jury.',
  },
  PROOF_BLOCK_FULL: {
    title: 'The block has no steps left for another proof',
    advice: 'Send the proof again for a later block.',
  },
  WORK_NOT_DISPUTED: {
    title: 'The work order is not disputed',
    advice: 'Only an open dispute can be resolved.',
  },
  OWN_DISPUTE: {
    title: 'An operator does not decide a dispute about its own order',
    advice: 'Another operator can resolve it; unresolved, it ends as the committee has found.',
  },
  WORK_NOT_MEASURED: {
    title: 'The order measures no jury',
    advice: 'It must have ended with a vote, and without a published answer.',
  },
  NOT_WORK_REQUESTER: {
    title: 'The work order is of another requester',
    advice: 'Only its requester cancels an order.',
  },
  VERIFIER_UNKNOWN: {
    title: 'There is no such verifier',
    advice: 'Name the actorId of a bonded verifier.',
  },
  VERIFIER_BOND_EMPTY: {
    title: 'Nothing is left of the bond of this verifier',
    advice: 'Revoke its authority instead.',
  },
  EVIDENCE_ALREADY_USED: {
    title: 'The accused was slashed for this already',
    advice: 'One order, or one height, is one offence, however many pairs of votes there are.',
  },
  // Messages
  MESSAGE_SENDER_MISMATCH: {
    title: 'fromAgentId is not the agent that acts',
    advice: 'fromAgentId must equal agentId.',
  },
  MESSAGE_EXPIRED: {
    title: 'The message is expired',
    advice:
      'A message can be acknowledged up to its expiresAtHeight, which must lie above the current height.',
  },
  MESSAGE_EXPIRY_TOO_FAR: {
    title: 'The message expires too far ahead',
    advice: 'expiresAtHeight may be at most the current height + 5,000.',
  },
  MESSAGE_ID_USED: {
    title: 'This messageId was used before',
    advice: 'Choose another messageId; ids are never reused.',
  },
  MESSAGE_SEQUENCE_GAP: {
    title: 'The message is not the next one of its conversation',
    advice: 'Use the last sequence of this sender in this conversation + 1; errors names it.',
  },
  REPLY_TO_UNKNOWN: {
    title: 'replyTo names no message that can be answered',
    advice:
      'Name a message of this conversation that you sent or received and that is still in state, or leave replyTo out.',
  },
  MESSAGE_LIMIT_REACHED: {
    title: 'The sender has too many messages waiting',
    advice: 'At most 1,000 may be neither acknowledged nor expired; wait for one of them to end.',
  },
  MESSAGE_UNKNOWN: {
    title: 'There is no such message',
    advice: 'GET /v1/agent-messages lists the messages in state.',
  },
  NOT_MESSAGE_RECIPIENT: {
    title: 'The message is for another agent',
    advice: 'Only its recipient acknowledges a message.',
  },
  MESSAGE_ALREADY_ACKNOWLEDGED: {
    title: 'The message is acknowledged already',
    advice: 'A message is acknowledged once; nothing is left to do.',
  },

  // Portable memory
  MEMORY_CHECKPOINT_ID_USED: {
    title: 'This checkpointId was used before',
    advice: 'Choose another checkpointId; ids are never reused.',
  },
  MEMORY_GENERATION_MISMATCH: {
    title: 'The checkpoint is not the next generation',
    advice: 'Use the previous generation + 1; errors names it.',
  },
  MEMORY_PARENT_MISMATCH: {
    title: 'The checkpoint does not continue the previous one',
    advice:
      'parentCheckpointHash is null for generation 1, else checkpointHash of the previous generation.',
  },
  MEMORY_REPLICAS_NOT_DISTINCT: {
    title: 'Two storage replicas share a provider',
    advice: 'Name every providerId once.',
  },
  RUNTIME_PROVIDER_INACTIVE: {
    title: 'There is no such active runtime provider',
    advice: 'Runtime providers apply with a bond; name an active one.',
  },
  RUNTIME_OFFER_EXPIRED: {
    title: 'The runtime offer would be expired at once',
    advice: 'Use expiresAtHeight above the current height.',
  },
  RUNTIME_OFFER_EXPIRY_TOO_FAR: {
    title: 'The runtime offer expires too far ahead',
    advice: 'expiresAtHeight may be at most the current height + 5,000; renew the offer later.',
  },
  RUNTIME_ID_TAKEN: {
    title: 'The runtimeId belongs to another provider',
    advice: 'Choose another runtimeId.',
  },
  RUNTIME_OFFER_UNAVAILABLE: {
    title: 'The runtime cannot take this memory',
    advice:
      'Name a standing offer of the target provider that takes the encryption and size of the checkpoint.',
  },
  MEMORY_HANDOVER_ID_USED: {
    title: 'This handoverId was used before',
    advice: 'Choose another handoverId; ids are never reused.',
  },
  MEMORY_CHECKPOINT_NOT_LATEST: {
    title: 'This is not the latest checkpoint of the agent',
    advice: 'Name checkpointHash of the latest generation.',
  },
  MEMORY_HANDOVER_OPEN: {
    title: 'The agent has an open handover already',
    advice: 'Finalize or abort that one, or let it expire.',
  },
  MEMORY_HANDOVER_EXPIRED: {
    title: 'The handover would be expired at once',
    advice: 'Use expiresAtHeight above the current height.',
  },
  MEMORY_HANDOVER_EXPIRY_TOO_FAR: {
    title: 'The handover expires too far ahead',
    advice: 'expiresAtHeight may be at most the current height + 20,000.',
  },
  MEMORY_SOURCE_RUNTIME_MISMATCH: {
    title: 'sourceRuntimeId is not the active runtime',
    advice: 'Name the active runtime, or leave sourceRuntimeId out.',
  },
  MEMORY_HANDOVER_UNKNOWN: {
    title: 'There is no such handover',
    advice: 'GET /v1/memory/handovers lists the handovers.',
  },
  NOT_HANDOVER_AGENT: {
    title: "The handover is another agent's",
    advice: 'Only the agent that prepared a handover ends it.',
  },
  NOT_HANDOVER_PROVIDER: {
    title: 'The handover is for another provider',
    advice: 'Only its target provider attests the restore.',
  },
  MEMORY_HANDOVER_STATUS: {
    title: 'The handover is not in the status for this',
    advice:
      'It goes from PREPARED to TARGET_RESTORED to FINALIZED, or is ABORTED; an expired one is ABORTED.',
  },
  MEMORY_STATE_ROOT_MISMATCH: {
    title: 'The restored memory is not that of the checkpoint',
    advice: 'restoredStateRoot must equal stateRoot of the checkpoint; restore again.',
  },
  MEMORY_HANDOVER_STALE: {
    title: 'The agent has committed a newer checkpoint since',
    advice: 'Abort the handover and prepare another one of the latest generation.',
  },

  // Custom tokens
  TOKEN_EXISTS: {
    title: 'This tokenId is taken',
    advice: 'Choose another tokenId.',
  },
  TOKEN_UNKNOWN: {
    title: 'There is no such token to act on',
    advice: 'GET /v1/tokens lists the tokens.',
  },
  TOKEN_CAP_EXCEEDED: {
    title: 'The supply would exceed the cap',
    advice: 'Keep the supply at or below supplyCap.',
  },
  MINT_AUTHORITY_UNKNOWN: {
    title: 'The mint authority is not a registered actor',
    advice: 'Name a registered actor, or leave mintAuthority out.',
  },
  MINT_AUTHORITY_RENOUNCED: {
    title: 'This token can no longer be minted',
    advice: 'It was created without a mint authority, or that was renounced.',
  },
  NOT_MINT_AUTHORITY: {
    title: 'The actor is not the mint authority of the token',
    advice: 'Only the mint authority mints, and renounces.',
  },
  TOKEN_BALANCE_INSUFFICIENT: {
    title: 'The actor does not hold this much of the token',
    advice: 'GET /v1/tokens/{tokenId} shows the top holders.',
  },

  // Resources with a path of their own
  ACTION_MISMATCH: {
    title: 'The path takes another action',
    advice: 'Send this intent to /v1/intents, or the action that the path stands for.',
  },
  TOKEN_NOT_FOUND: {
    status: 404,
    title: 'No such token',
    advice: 'GET /v1/tokens lists the tokens.',
  },

  // Applications, invitations and operators
  NAME_RESERVED: {
    title: 'The name belongs to the network, or looks like such a name',
    advice:
      'Choose an actorId that is not the name of an operator, a validator, an account or a word of the network, does not begin with house or net-, and does not look as if it did (0 for o, 1 for l). An operator holds names for its own agents with reserveName.',
  },
  NAME_WORK_MISSING: {
    title: 'A name costs work on this network, and the registration has not done it',
    advice:
      'Choose another nonce until the SHA-256 of the signed bytes begins with as many zero bits as registration.workBits of GET /v1/network says; the SDKs and netd join do so.',
  },
  NAME_DEPOSIT_MISSING: {
    title: 'A name costs a deposit on this network, and no sponsor has locked it for this key',
    advice:
      'Ask an actor with NET to send sponsorName with your actorId and the hash of your public key. The sponsor gets its deposit back.',
  },
  NAME_DEPOSIT_MISMATCH: {
    title: 'The deposit for a name is another one',
    advice: 'Repeat registration.deposit of GET /v1/network. Without one, no name needs a sponsor.',
  },
  NAME_DEPOSIT_UNKNOWN: {
    title: 'This actor has no deposit for the name',
    advice: 'Only the sponsor of a name gets its deposit back, once.',
  },
  NAME_DEPOSIT_USED: {
    title: 'The agent has drawn from the faucet, and has not yet earned as much as the deposit',
    advice: 'Wait until verified orders have paid it as much as the deposit.',
  },
  NAME_TAKEN: {
    title: 'Another actor has this name in another spelling',
    advice:
      'Choose another name: case, dots, underscores and hyphens do not make one. GET /v1/agents lists the agents.',
  },
  ACTOR_ID_RESERVED: {
    title: 'An application under another key holds this actorId',
    advice: 'Choose another actorId, or wait until the application has expired.',
  },
  APPLICATION_EXISTS: {
    title: 'There is an application of this id',
    advice:
      'If receipt is present, this very application was committed already and that is its receipt; else choose another applicationId.',
  },
  APPLICATION_EXPIRED: {
    title: 'The application has expired',
    advice: 'Apply again with expiresAtHeight above the current height.',
  },
  APPLICATION_EXPIRY_TOO_FAR: {
    title: 'The application would live too long',
    advice: 'policy.operators.maxLifetime of GET /v1/genesis is the most.',
  },
  APPLICATION_SCOPE_INVALID: {
    title: 'The capabilities asked for do not fit the role',
    advice:
      'Ask for actions of the role only, each once, and for no more than policy.operators.maxCapabilities.',
  },
  APPLICATION_PROFILE_INVALID: {
    title: 'The profile does not fit the role',
    advice: 'Correct what errors names; docs/protocol.md lists the profile of each role.',
  },
  BOND_TOO_SMALL: {
    title: 'The bond is below the minimum',
    advice: 'policy.operators.minimumBonds of GET /v1/genesis states the minimum.',
  },
  APPLICATION_PENDING: {
    title: 'This key has an unfinished application',
    advice: 'Claim it, or wait until it is decided or has expired.',
  },
  APPLICATION_KEY_MISMATCH: {
    title: 'The key is not the current key of the actor',
    advice: 'Sign with the key in force; after a rotation, apply again.',
  },
  ROLE_ALREADY_HELD: {
    title: 'The actor has this role already',
    advice:
      'Nothing is left to do; a role can be renewed by applying again once all its capabilities have expired.',
  },
  ROLE_NOT_HELD: {
    title: 'The actor does not have this role',
    advice: 'Name one of the roles that GET /v1/agents/{agentId} shows under authority.',
  },
  ROLE_UNBONDING: {
    title: 'The actor has resigned the role and its bond is still on its way back',
    advice: 'Apply again when the bond is back: the message says from when on.',
  },
  CONSENSUS_KEY_PROOF_INVALID: {
    title: 'The consensus key has not signed the application of its holder',
    advice:
      'Sign the canonical JSON of {schema:"NET-CONSENSUS-KEY/1", chainId, actorId, consensusPublicKey} with the consensus key and send it as consensusKeySignature.',
  },
  AUTHORITY_REVOKED: {
    title: 'The authority of this actor was revoked',
    advice: 'Revocation is final.',
  },
  APPLICATION_UNKNOWN: {
    title: 'There is no such application',
    advice: 'GET /v1/operator-applications lists them.',
  },
  APPLICATION_NOT_PENDING: {
    title: 'The application is decided already',
    advice: 'GET /v1/operator-applications shows its status.',
  },
  INVITATION_TOO_WIDE: {
    title: 'The invitation goes beyond its application',
    advice: 'Grant what the application asks for, or less.',
  },
  INDEPENDENCE_GROUP_INVALID: {
    title: 'The independence group does not fit the role',
    advice: 'State independenceGroup for VERIFIER and AUDITOR, and for no other role.',
  },
  INVITATION_UNKNOWN: {
    title: 'There is no such invitation',
    advice: 'GET /v1/operator-applications links the invitation of an approved application.',
  },
  INVITATION_MISMATCH: {
    title: 'The invitation is for another actor or key',
    advice: 'Claim with the actorId and the key of the application.',
  },
  INVITATION_CLAIMED: {
    title: 'The invitation was claimed already',
    advice: 'If receipt is present, this very claim was committed already and that is its receipt.',
  },
  INVITATION_WITHDRAWN: {
    title: 'The invitation was withdrawn',
    advice: 'An operator has rejected the application after all; apply again.',
  },
  INVITATION_EXPIRED: {
    title: 'The invitation has expired',
    advice: 'Apply again.',
  },
  AUTHORITY_PROTECTED: {
    title: 'The authority of an operator cannot be revoked',
    advice: 'Operators come from genesis; rotate the key instead.',
  },
  VERIFIER_ROSTER_FULL: {
    title: 'The network has as many verifiers as it takes',
    advice:
      'Try again when another verifier has left; an invitation is to be claimed before it expires.',
  },

  // Staking
  VALIDATOR_NOT_FOUND: {
    status: 404,
    title: 'There is no such validator candidate',
    advice: 'GET /v1/validators lists the candidates.',
  },
  VALIDATOR_UNKNOWN: {
    title: 'The payload names no validator candidate',
    advice: 'Name a validator that GET /v1/validators lists.',
  },
  VALIDATOR_INACTIVE: {
    title: 'The validator candidate was revoked',
    advice:
      'Delegate to an active candidate of GET /v1/validators; undelegating is possible still.',
  },
  VALIDATOR_FAULTY: {
    title: 'The validator candidate has equivocated',
    advice:
      'It takes no further delegation; choose a candidate of GET /v1/validators without faults.',
  },
  DELEGATION_TOO_SMALL: {
    title: 'The delegation is too small',
    advice: 'Delegate at least staking.minimumDelegation of GET /v1/genesis, and one share.',
  },
  DELEGATION_LIMIT: {
    title: 'The actor delegates to as many validator candidates as it may',
    advice: 'Add to a delegation you have, or undelegate all from one candidate first.',
  },
  DELEGATION_UNKNOWN: {
    title: 'Nothing is delegated there',
    advice: 'GET /v1/accounts/{id} shows how much the actor has delegated to each validator.',
  },
  DELEGATION_INSUFFICIENT: {
    title: 'Less is delegated than asked back',
    advice: 'Ask for less, or leave amount out to undelegate everything.',
  },
  UNBONDING_LIMIT: {
    title: 'As many unbondings are pending as an actor may have',
    advice: 'Wait for the next release that GET /v1/accounts/{id} shows, then try again.',
  },
  EVIDENCE_NOT_CONFLICTING: {
    title: 'The two votes say the same',
    advice:
      'Equivocation is two votes that contradict each other: for different blocks of one height, or ACCEPT and REJECT on one order.',
  },
  EVIDENCE_NOT_ABOUT: {
    title: 'An intent of the evidence is no vote of this verifier on this order',
    advice:
      'Both must be intents of voteWork by verifierId, on orderId, with the chainId of this chain: the member named under errors differs.',
  },
  EVIDENCE_SIGNATURE_INVALID: {
    title: 'A vote is not signed by the key of the accused',
    advice:
      'Pass both votes exactly as signed: NET-FINALITY-VOTE/1 by the consensus key of the validator, for the chain id and epoch of this chain; intents of voteWork by the key that the verifier has now.',
  },
  VALIDATOR_NOT_JAILED: {
    title: 'The validator is not jailed',
    advice: 'Nothing keeps it out: the next term draws the set from the stake of all candidates.',
  },
  VALIDATOR_JAILED: {
    title: 'The time in jail is not over',
    advice:
      'See why the validator did not sign, then send unjailValidator again when the height and the time that this refusal names are reached.',
  },
  VALIDATOR_STAKE_EMPTY: {
    title: 'The validator has nothing left to slash',
    advice: 'Revoke its authority if it must not go on.',
  },
  // Contributions, governance, releases
  CONTRIBUTION_NOT_FOUND: {
    status: 404,
    title: 'No such contribution',
    advice: 'GET /v1/protocol/contributions lists them.',
  },
  PROPOSAL_NOT_FOUND: {
    status: 404,
    title: 'No such proposal',
    advice: 'GET /v1/governance/proposals lists them.',
  },
  CONTRIBUTION_ID_USED: {
    title: 'There is a contribution of this id',
    advice: 'Choose another contributionId; ids are never used again.',
  },
  CONTRIBUTION_CONTENT_TAKEN: {
    title: 'A contribution with this content was submitted before',
    advice: 'Offer other content. The author of the earlier one can name it under supersedes.',
  },
  CONTRIBUTION_LIMIT_REACHED: {
    title: 'The agent has too many contributions on their way',
    advice: 'Wait until one is decided, or revise one by naming it under supersedes.',
  },
  CONTRIBUTION_UNKNOWN: {
    title: 'The payload names an unknown contribution',
    advice: 'GET /v1/protocol/contributions lists them.',
  },
  CONTRIBUTION_STATUS: {
    title: 'The contribution is not at the stage this needs',
    advice: 'GET /v1/protocol/contributions/{contributionId} shows its stage and its next step.',
  },
  CONTRIBUTION_UNDER_VOTE: {
    title: 'A proposal about the contribution has not ended',
    advice:
      'Submit the revision when the proposal has ended; GET /v1/governance/proposals shows when.',
  },
  NOT_CONTRIBUTION_AUTHOR: {
    title: 'The signer is not the author of the contribution',
    advice: 'Only its author can do this.',
  },
  OWN_CONTRIBUTION: {
    title: 'An author does not judge its own contribution',
    advice: 'Leave it to groups to which its author does not belong.',
  },
  INDEPENDENCE_GROUP_HEARD: {
    title: 'The independence group of the signer has spoken on this contribution',
    advice: 'Each group speaks once; leave it to other groups.',
  },
  AUDITOR_UNKNOWN: {
    title: 'The signer is not an active auditor',
    advice: 'Claim an invitation for the role AUDITOR first.',
  },
  WORK_RECEIPT_UNKNOWN: {
    title: 'There is no receipt for this order',
    advice:
      'Attribute an order that has been paid; GET /v1/work-orders/{orderId} shows its status.',
  },
  NOT_RECEIPT_WORKER: {
    title: 'The receipt is for the work of another agent',
    advice: 'Attribute receipts for your own work only.',
  },
  RECEIPT_ALREADY_ATTRIBUTED: {
    title: 'The receipt is attributed to a contribution already',
    advice: 'A receipt counts once; attribute another one.',
  },
  PROPOSAL_ID_USED: {
    title: 'There is a proposal of this id',
    advice: 'Choose another proposalId; ids are never used again.',
  },
  PROPOSAL_SUBJECT_INVALID: {
    title: 'The subject does not fit the kind of proposal',
    advice:
      'Name contributionId for PROTOCOL_CONTRIBUTION and subjectHash for MAINNET_GENESIS, and not the other one.',
  },
  PROPOSAL_SUBJECT_TAKEN: {
    title: 'There is a standing proposal about this subject',
    advice:
      'Vote on that one; a subject that was not enacted can be proposed again when it has ended.',
  },
  PROPOSAL_LIMIT_REACHED: {
    title: 'The governor has too many proposals that have not ended',
    advice: 'Wait until one of them has ended.',
  },
  PROPOSAL_UNKNOWN: {
    title: 'The payload names an unknown proposal',
    advice: 'GET /v1/governance/proposals lists them.',
  },
  PROPOSAL_NOT_VOTING: {
    title: 'The vote on the proposal is over',
    advice: 'GET /v1/governance/proposals/{proposalId} shows how it ended.',
  },
  PROPOSAL_VOTE_CAST: {
    title: 'The governor has voted on this proposal already',
    advice: 'A vote is final, and so are its weights.',
  },
  VOTE_WEIGHTLESS: {
    title: 'The voter has no weight in either chamber',
    advice: 'Earn by verified paid work; with earnings, stake counts up to them.',
  },
  PROPOSAL_NOT_PASSED: {
    title: 'The proposal does not wait to be enacted',
    advice: 'GET /v1/governance/proposals/{proposalId} shows its status.',
  },
  TIMELOCK_RUNNING: {
    title: 'The timelock of the proposal has not passed',
    advice: 'Wait for executableAt of the proposal, height and time.',
  },
  RELEASE_ID_USED: {
    title: 'There is a release of this id',
    advice: 'Choose another releaseId; ids are never used again.',
  },
  RELEASE_VERSION_USED: {
    title: 'This version of the component was released before',
    advice: 'Give the release a version of its own.',
  },
  RELEASE_ARTIFACT_MISMATCH: {
    title: 'The artifact differs from the attested one',
    advice: 'Release the artifact whose hash is buildHash of the contribution, from every origin.',
  },
  RELEASE_RULES_MISMATCH: {
    title: 'The release may not schedule this version of the rules',
    advice:
      'Schedule the rulesVersion of its contribution, for which both chambers voted. If the contribution names none, its release schedules nothing: submit another contribution that names the version.',
  },
  RELEASE_ORIGINS_DEPENDENT: {
    title: 'Two origins of the release have the same host',
    advice: 'Name origins on hosts that differ.',
  },

  // Versions of the rules
  RULES_NOT_ACTIVE: {
    title: 'The action or member needs a later version of the rules than the chain has',
    advice:
      'GET /v1/network has the active and the scheduled version. Send the envelope once the version that the detail names is active.',
  },
  RULES_VERSION_PAST: {
    title: 'The chain has this version of the rules, or a later one',
    advice: 'Schedule a higher version.',
  },
  RULES_ALREADY_SCHEDULED: {
    title: 'A version of the rules is scheduled already',
    advice: 'Wait for its height, or cancel it first: netd upgrade --cancel.',
  },
  RULES_HEIGHT_INVALID: {
    title: 'The rules cannot start at this height',
    advice:
      'Choose a height within the bounds that the detail names: at least governance.timelock ahead.',
  },
  RULES_NOT_SCHEDULED: {
    title: 'This version of the rules is not scheduled',
    advice: 'GET /v1/network has the scheduled version with its height and artifact hash.',
  },
  RULES_SCHEDULED_BY_ANOTHER: {
    title: 'Another governor scheduled this version of the rules',
    advice: 'Ask the governor who scheduled it, or an operator, to cancel it.',
  },
  RULES_ALREADY_ANNOUNCED: {
    title: 'The validator is announced as ready',
    advice: 'Nothing is left to do until the height of the scheduled rules.',
  },
  RULES_NOT_ANNOUNCED: {
    status: 409,
    title: 'The validator is not announced as ready',
    advice: 'Leave withdraw out to announce it.',
  },
  RELEASE_REQUIRED: {
    title: 'Only operators schedule rules without a release',
    advice: 'Name the releaseId of a release whose contribution is DEPLOYED.',
  },
  RELEASE_UNKNOWN: {
    title: 'There is no deployed release of this id',
    advice: 'GET /v1/protocol/releases lists the releases.',
  },

  // Audits, wallet builds and the sealing of mainnet
  AUDIT_NOT_FOUND: {
    status: 404,
    title: 'No such audit engagement',
    advice: 'GET /v1/audits lists them.',
  },
  VALIDATOR_SET_FIXED: {
    title: 'Genesis fixed the validators of this chain, so no candidate would ever validate',
    advice:
      'Nothing was bonded. Follow the chain with netd follow, or ask for a chain whose genesis has policy.validatorSet.',
  },
  VALIDATOR_ROSTER_FULL: {
    title: 'The network has as many validator candidates as it takes',
    advice: 'Claim again when another candidate has left, before the invitation expires.',
  },
  WALLET_ATTESTATION_EXISTS: {
    title: 'The independence group has attested this version on this channel',
    advice: 'One attestation of a group counts; another version takes another.',
  },
  WALLET_ATTESTATION_LIMIT: {
    title: 'The version has as many attestations on this channel as it takes',
    advice: 'GET /v1/wallet/distribution-attestations shows them.',
  },
  AUDIT_ENGAGEMENT_EXISTS: {
    title: 'This engagementId is taken',
    advice: 'Choose another engagementId; ids are never reused.',
  },
  AUDIT_ENGAGEMENT_UNKNOWN: {
    title: 'There is no such audit engagement',
    advice: 'GET /v1/audits lists them.',
  },
  AUDIT_ENGAGEMENT_CLOSED: {
    title: 'The audit engagement has ended',
    advice: 'What is found now belongs into another engagement.',
  },
  AUDIT_DUE_INVALID: {
    title: 'The due height is past or too far ahead',
    advice: 'Use a dueAtHeight above the current height, by at most 1,000,000.',
  },
  NOT_ENGAGED_AUDITOR: {
    title: 'The engagement names other auditors',
    advice: 'GET /v1/audits shows the auditors that an engagement names.',
  },
  AUDIT_FINDING_EXISTS: {
    title: 'This findingId is taken',
    advice: 'Choose another findingId; ids are never reused.',
  },
  AUDIT_FINDING_UNKNOWN: {
    title: 'There is no such audit finding',
    advice: 'GET /v1/audits/{engagementId} lists the findings of an engagement.',
  },
  AUDIT_FINDING_LIMIT: {
    title: 'The engagement has as many findings as it takes',
    advice: 'At most 256; an operator can open another engagement.',
  },
  AUDIT_FINDING_SETTLED: {
    title: 'The finding asks for nothing any more',
    advice: 'Only an open finding is answered.',
  },
  AUDIT_RESPONSE_INSUFFICIENT: {
    title: 'A critical or high finding is not waved away',
    advice: 'Fix it (FIXED) or contest it (DISPUTED); an auditor then confirms either.',
  },
  AUDIT_CONFIRMATION_INVALID: {
    title: 'There is nothing to confirm',
    advice:
      'A confirmation is an INFO finding; confirms names an open CRITICAL or HIGH finding of the same engagement that an operator has answered with FIXED or DISPUTED.',
  },
  AUDIT_FINDINGS_OPEN: {
    title: 'Critical or high findings are open',
    advice: 'Answer them with respondAuditFinding and have an auditor confirm.',
  },
  AUDIT_NOT_REPORTED: {
    title: 'No auditor has reported yet',
    advice:
      'Wait for a finding (INFO if there is nothing else to report) or for the due height, after which the engagement expires.',
  },
  SEALING_OPEN_CHAIN: {
    title: 'A chain that takes unsigned payloads seals nothing',
    advice: 'Use a chain whose genesis says open: false.',
  },
  GENESIS_ALREADY_SEALED: {
    title: 'The mainnet genesis is sealed already',
    advice: 'GET /v1/mainnet/readiness has it.',
  },
  READINESS_GATES_FAILING: {
    title: 'Not all readiness gates pass',
    advice: 'GET /v1/mainnet/readiness shows each gate with what is missing.',
  },
  GENESIS_NOT_ENACTED: {
    title: 'No enacted proposal names this genesis',
    advice: 'Governance has to pass a MAINNET_GENESIS proposal with this hash first.',
  },
  GENESIS_HASH_MISMATCH: {
    title: 'This is not the genesis hash that belongs here',
    advice:
      'An envelope names the genesis of its chain, which GET /v1/network has. A sealing names the present candidate of GET /v1/mainnet/readiness: if validators, operator keys or rules have changed, it needs a proposal of its own.',
  },

  // Discovery
  HOST_NOT_ALLOWED: {
    status: 403,
    title: 'This node does not answer to the name in Host',
    advice:
      'Use its public URL, or have its operator start it with --public-url or --allowed-hosts.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    title: 'Pages of this origin may not call this path',
    advice:
      'Call it from a program, which sends no Origin, or ask the operator for --allowed-origins.',
  },
} as const satisfies Record<string, WrittenEntry>;

export type ErrorCode = keyof typeof table;

export const ERROR_TABLE = Object.fromEntries(
  Object.entries<WrittenEntry>(table).map(([code, entry]) => [code, { status: 409, ...entry }]),
) as Readonly<Record<ErrorCode, ProtocolErrorEntry>>;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(table, text);
}
