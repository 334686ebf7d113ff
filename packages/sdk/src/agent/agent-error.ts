import { amountHint, NetSdkError, type ErrorEntry } from '@netd/protocol';
import type { FormatErrorCode } from '@netd/formats';
import type { NetErrorCode } from '../http.ts';
import { CORE_ERROR_TABLE, CoreError, type CoreErrorOptions } from './core-error.ts';

const table = {
  ...CORE_ERROR_TABLE,

  // Tests
  NETWORK_NOT_STARTED: {
    title: 'The laboratory of a test did not start',
    advice: 'Read the message: it names the program and what it said.',
  },
  MODEL_QUESTION_UNKNOWN: {
    title: 'A test asked its model something else than its script or recording has',
    advice: 'Correct the script, or record the model again.',
  },

  // Tools for agent frameworks
  TOOLS_FAILED: {
    title: 'The tools of a session could not be opened, or their process has ended',
    advice: 'Read the message: it has what netd mcp said.',
  },
  TOOL_UNKNOWN: {
    title: 'The session has no tool of this name',
    advice: 'Take one of those that the error lists, or grant a session with further actions.',
  },

  // Reported in events
  HANDLER_FAILED: {
    title: 'A handler of this agent threw',
    advice:
      'Read the reason in the event, and correct the handler. The sender of a message learns this code; an order is tried again.',
  },
  NOT_ACCEPTED: {
    title: 'The accept function of the agent has declined the order',
    advice: 'Nothing to do: it is left to others.',
  },
  ROSTER_TOO_SMALL: {
    title: 'No committee could accept a result of this order now, so its worker would not be paid',
    advice: 'Ask for fewer accepts, or wait until more verifiers join. The data has the figures.',
  },
  FUNDING_DOES_NOT_COUNT: {
    title: 'The order can be done and paid, but its payment is too small to earn its worker a rank',
    advice:
      'You need not do anything. To earn the worker a rank, pay the minimum that the warning names.',
  },
  UNEXPECTED: {
    title: 'Something failed that has no code of its own',
    advice: 'Read the message: it is that of the error below.',
  },

  // Keys and files
  AGENT_ID_INVALID: {
    title: 'This cannot be the name of an agent',
    advice:
      'Take 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit.',
  },
  KEY_FILE_READABLE: {
    title: 'Others than its owner may read or write the key file',
    advice: 'Run chmod 600 on it, and rotate the key if others could reach it.',
  },
  HOME_UNUSABLE: {
    title: 'The directory of the keys, or of the agent’s state, cannot be used',
    advice: 'Make it writable, or name another directory by NET_HOME or the option keys.',
  },
  KEY_FILE_INVALID: {
    title: 'This is not a key file of this agent on this chain',
    advice: 'Put the file that was there back; it is never written over.',
  },
  PASSPHRASE_NEEDED: {
    title: 'The key file is sealed with a passphrase',
    advice: 'Give it as the option passphrase.',
  },
  PASSPHRASE_WRONG: {
    title: 'The passphrase does not open the key file',
    advice: 'Give the passphrase with which it was sealed.',
  },
  HOME_NEEDED: {
    title: 'There is no place for keys and state here',
    advice: 'Outside of Node, give one as the option home, for example memoryHome().',
  },
  RUNTIME_TOO_OLD: {
    title: 'This Node has no lock for the state of an agent',
    advice: 'Take Node 22.13 or newer; on this system older ones run everything but Agent.',
  },
  AGENT_RUNNING: {
    title: 'The agent is running already',
    advice:
      'Stop it first: two at once would do the same work twice. With the option standby, this process waits until the other ends.',
  },
  HOME_FENCED: {
    title: 'Another process has taken over the state of this agent, because the lease had expired',
    advice:
      'This process sends nothing more. End it, or open the agent again. Signed acts are stored, and the other process continues them.',
  },
  AGENT_STOPPED: {
    title: 'The agent has stopped, or is stopping',
    advice:
      'Open it again: pending work is on disk and on the chain, and continues. Call stop() last.',
  },
  HANDLER_TOO_LATE: {
    title: 'The agent works already, and would never call this handler',
    advice: 'Add all handlers before run().',
  },
  HANDLER_TWICE: {
    title: 'The agent has a handler for this already, which a second one would replace',
    advice: 'Add one handler, and let it decide by what it is given.',
  },
  STATE_INVALID: {
    title: 'The state that the agent keeps on this machine cannot be read',
    advice: 'Put the file back from a copy, or move it away: what the chain knows is read again.',
  },

  LAB_KEY_REFUSED: {
    title: 'This is the key that the agent has in each laboratory: it is public',
    advice:
      'Nothing was signed. Give another keys directory, or move the key file away: a fresh key is made.',
  },

  ENCRYPTION_KEY_MISSING: {
    title:
      'The key that others seal to is not here, though the key of this agent is: a new one takes its place',
    advice:
      'Stop the agent. Copy the named file and all other files of the agent from the machine on which it ran, and overwrite the new file. If the file is lost, nothing can open what was sealed to it: open the agent with the option memory off.',
  },
  ENCRYPTION_KEY_OUTDATED: {
    title: 'It is sealed to a newer key of this agent than is here',
    advice:
      'Carry the newest key file here (<agent>.encryption-….json), or grant a new session; who has that key will open it.',
  },

  // Answers of a node
  ANSWER_NOT_PROVEN: {
    title: 'What the node answered does not follow from what the chain has certified',
    advice:
      'Nothing was done because of it. Give the url of another node, and show this one to its operator.',
  },
  ANSWER_MISMATCHED: {
    title: 'The node answered with something else than what it was asked for',
    advice: 'Nothing was done because of it. Give the url of another node.',
  },

  // Joining
  NODE_UNREACHABLE: {
    title: 'No node answers at this address',
    advice: 'Start it, for example with npx netd dev, or give the url of another one.',
  },
  CHAIN_ID_INVALID: {
    title: 'The node names its chain by what cannot be a chain id',
    advice: 'Give the url of another node: this one is not to be trusted.',
  },
  AGENT_ID_TAKEN: {
    title: 'The name belongs to another key on this chain',
    advice: 'Take another name, or put the key file of this agent back.',
  },
  AGENT_INACTIVE: {
    title: 'The agent is suspended or retired on this chain',
    advice: 'Ask the operator of the network why.',
  },

  BEACON_OFF: {
    title: 'The agent was opened without its beacon, which alone tells others of a new key',
    advice: 'Leave the option beacon out.',
  },

  // Acts
  ACT_ID_USED: {
    title: 'The id names another act',
    advice:
      'Use a new id for a new act, and the same id only to repeat a call. All agents of a chain share the ids of orders.',
  },

  // Blobs
  BLOB_ORIGIN_UNKNOWN: {
    title: 'No store for blobs is known',
    advice: 'Start netd blobs and give its origin as the option blobs; netd dev announces two.',
  },
  BLOB_NOT_STORED: {
    title: 'Too few stores took the bytes',
    advice: 'Look at the reasons named; the bytes are stored again at the next attempt.',
  },
  CLOCK_WRONG: {
    title: 'The clock of this machine is so far off that stores refuse what it signs',
    advice:
      'Set the clock. Until it is right, the agent takes no orders, which it could not deliver.',
  },
  BLOB_NOT_FOUND: {
    title: 'No known store has bytes with this hash',
    advice: 'Ask their owner for the origin that has them, and pass it as the option blobs.',
  },
  BLOB_UNAVAILABLE: {
    title: 'A store that may have the bytes of this hash does not give them now',
    advice:
      'Try again later: a store that is busy or does not answer has not said that they are gone.',
  },

  // Work
  AMOUNT_INVALID: {
    title: 'This is not an amount',
    advice: amountHint(null),
  },
  ORDER_CHANGED: {
    title: 'The node tells other terms of the order than before',
    advice: 'Nothing was accepted. Terms of an order never change: give the url of another node.',
  },
  ORDER_UNSUITABLE: {
    title: 'The order does not suit this agent',
    advice:
      'The agent leaves it to others. The options of onWork, or the services that it serves, decide which orders it takes.',
  },
  BOND_NOT_AGREED: {
    title: 'The order asks for another bond than was agreed to',
    advice:
      'Nothing was accepted. Agree to the bond of the order by the option workerBond, or leave the order.',
  },
  SCOPE_MISSING: {
    title: 'No known store has the scope of the order',
    advice: 'Nothing to do: it is asked for again for a while.',
  },
  SCOPE_SEALED_TO_OTHERS: {
    title: 'The scope is sealed, and not to this agent for this order',
    advice: 'Nothing to do: the order is left to others.',
  },
  REQUESTER_HAS_NO_KEY: {
    title: 'The result must be sealed, and the requester has published no key for it',
    advice: 'Ask the requester to publish a beacon with its metadata.',
  },
  RESULT_INVALID: {
    title: 'The handler returned nothing that can be delivered',
    advice: 'Return text, bytes or a JSON value: at least one byte, at most the size in the scope.',
  },
  RESULT_UNMET: {
    title: 'The result does not meet the acceptance of the scope',
    advice: 'Look at the conditions named; verifiers would reject it.',
  },
  JOB_FAILED: {
    title: 'The handler failed each time',
    advice:
      'The order is returned to the market if that is possible. Otherwise it waits for a corrected handler until its deadline.',
  },
  NOT_RETRYABLE: {
    title: 'The handler has failed, and said that another call would fail too',
    advice: 'Nothing to do: the agent gives the order back without calling the handler again.',
  },
  STEP_REPEATED: {
    title: 'The handler has two steps of this name, so their results cannot be told apart',
    advice: 'Give each step of a handler its own name. In a loop, add a number.',
  },
  STEP_LIMIT: {
    title: 'The steps of this order are too many, or too large',
    advice: 'Record less: store large values with agent.store, and return their hashes.',
  },
  JOB_DEADLINE: {
    title: 'The deadline of the order has passed while its handler ran',
    advice: 'Take less time, or ask for a longer deliverWithin. The handler is not called again.',
  },
  JOB_LOST: {
    title: 'The order no longer belongs to this agent, so its handler was stopped',
    advice: 'Nothing to do. The data has the reason.',
  },
  JOB_ENDED: {
    title: 'This run of the handler has ended',
    advice: 'Await everything that a handler starts before it returns.',
  },
  REVIEW_NEEDS_A_MIND: {
    title: 'The acceptance asks a question, and the verifiers of this network are programs',
    advice:
      'Nothing was paid. Say by json-schema, sha256 or chain-replay what a program can judge, or insist with the option reviewAnyway: programs vote UNJUDGEABLE and keep their fee, and the result counts as accepted unless you dispute it.',
  },
  ORDER_UNVERIFIABLE: {
    title: 'No committee of this network could accept a result of this order',
    advice:
      'Nothing was signed. Ask for fewer accepts or for conditions that programs can judge, or wait until more verifiers join. A requester can insist with the option unverifiedAnyway.',
  },
  INPUT_MISSING: {
    title: 'No known store has an input that the scope declares',
    advice: 'Nothing was signed. Its requester stores the input first, with agent.store.',
  },
  NOT_YOUR_ORDER: {
    title: 'The order is that of another requester',
    advice: 'Take the id of an order that this agent has created.',
  },
  ORDER_UNTAKEN: {
    title: 'No agent is working on the order',
    advice:
      'Check that a worker for this job type, input and pay runs on this network: agent.serve(service), then agent.run(). The order stays open until its offer ends. To get the refund now, call cancel() of agent.hired(orderId).',
  },
  ORDER_UNPAID: {
    title: 'The order has ended without a result that was accepted',
    advice: 'The refund came back. agent.findings(orderId) has what the verifiers said.',
  },
  ORDER_DISPUTED: {
    title: 'The order is disputed, and a second jury or an operator decides',
    advice:
      'Ask for the result again once it is decided: then its funding is paid, refunded or split.',
  },
  RESULT_TIMEOUT: {
    title: 'There is no accepted result yet',
    advice: 'Ask again, with a longer timeout or without one: the order stays as it is.',
  },
  DELIVERABLE_UNMET: {
    title: 'What was delivered does not meet the acceptance, whatever the verifiers have voted',
    advice: 'Call dispute(reason) within the dispute window: a second jury or an operator decides.',
  },
  RESULT_UNPARSED: {
    title: 'The result meets the acceptance, but does not parse as the type that was asked for',
    advice:
      'The judge knows only the JSON Schema of the type, without refinements of its own. Call dispute(reason) within the dispute window, or accept the result as it is.',
  },
  RESULT_UNREAD: {
    title: 'The result that the jury accepted could not be fetched, so its type is not checked',
    advice:
      'Call result() within the dispute window. If it fails too, ask the worker for the result, or call dispute(reason).',
  },
  INPUT_INVALID: {
    title: 'The input does not parse as the type of the service or handler',
    advice:
      'Correct the value at the path: nothing was sent. A worker leaves such an order to others.',
  },
  INPUT_UNKNOWN: {
    title: 'The scope names no input of this name',
    advice: 'Take one of the inputs in the scope of the job.',
  },

  // Messages
  RECIPIENT_UNKNOWN: {
    title: 'No agent of this name is registered on this chain',
    advice: 'Look at the name, upper and lower case too. Nothing was sent.',
  },
  RECIPIENT_HAS_NO_KEY: {
    title: 'The recipient has published no key to seal to',
    advice: 'Ask it to publish a beacon whose metadata (NET-AGENT-METADATA/1) can be fetched.',
  },
  ANSWER_TIMEOUT: {
    title: 'No answer came in time',
    advice: 'Ask again with a longer timeout; the question stays until it expires.',
  },
  MESSAGE_REJECTED: {
    title: 'The recipient rejected the message',
    advice: 'If there is a code, it says why. Otherwise ask its owner.',
  },
  RECIPIENT_KEY_CHANGED: {
    title: 'The recipient does not have the key any more that the message was sealed to',
    advice: 'Send it again: it is sealed to the key that is published now.',
  },

  // Memory
  MEMORY_OFF: {
    title: 'The agent was opened without memory',
    advice:
      'Leave the option memory out. A session needs commitMemoryCheckpoint among its actions, and the key that opens sealed content.',
  },
  MEMORY_VALUE_INVALID: {
    title: 'The memory holds JSON only',
    advice: 'Keep only values that JSON has: dates, sets and other objects are none.',
  },
  MEMORY_NEEDS_REPLICAS: {
    title: 'A memory is kept by at least two stores, and fewer are known',
    advice: 'Give two origins as the option blobs; netd dev announces two.',
  },
  MEMORY_FORKED: {
    title: 'Another machine has committed a memory that this one does not know',
    advice:
      'Stop the other one; then move memory.json of this agent away to take up the memory of the chain, or keep it and open the agent without memory.',
  },
  MEMORY_UNKNOWN_GENERATION: {
    title: 'The memory on this machine is of a generation that the chain does not have',
    advice: 'Check that this is the chain it was committed to; nothing was written over.',
  },
  MEMORY_REPLICA_LOST: {
    title: 'No replica has the memory that the chain names',
    advice:
      'Give an origin that has it as the option blobs, or open the agent without memory: nothing was written over.',
  },
  MEMORY_MOVING: {
    title: 'The memory is being handed over, and must not change meanwhile',
    advice: 'Call memory.handOver again to go on with it, or memory.keep() to give it up.',
  },
  MEMORY_ELSEWHERE: {
    title: 'The memory was handed over, and is written by another runtime now',
    advice:
      'Open the agent there with that name as the option runtime, or here with memory: false. Opening it with the name here takes the memory back.',
  },
  HANDOVER_OPEN: {
    title: 'A handover to another runtime is open',
    advice: 'Finish it by the same call as before, or give it up with memory.keep().',
  },
  HANDOVER_ABORTED: {
    title: 'The handover has ended before the target had restored the memory',
    advice: 'Nothing was switched. Ask the provider whether its runtime is up, and try again.',
  },
  HANDOVER_TIMEOUT: {
    title: 'The target has not restored the memory in time',
    advice: 'Nothing was switched. Ask the provider, give a longer timeout, or take another one.',
  },

  // Sessions
  SESSION_FILE_INVALID: {
    title: 'This is not a session file, or there is none',
    advice: 'Name the file that the grant has written.',
  },
  SESSION_ENDED: {
    title: 'The session has expired, or was revoked',
    advice: 'Grant a new one with the key of the agent.',
  },
  SESSION_READS_NOTHING: {
    title: 'The session does not have the key that opens content sealed to the agent',
    advice: 'Grant one with readsSealed: true, or leave messages to the agent itself.',
  },
  SESSION_CANNOT_GRANT: {
    title: 'A session cannot grant another one',
    advice: 'Open the agent with its own key.',
  },
  SESSION_CANNOT_ROTATE: {
    title: 'A session cannot change the key of its agent',
    advice: 'Open the agent with its own key.',
  },
  CHAIN_MISMATCH: {
    title: 'The node serves another chain',
    advice: 'Give the url of a node of the chain that the file names.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** Codes of errors that an agent throws itself. */
export type AgentErrorCode = keyof typeof table;

/** Title and advice of each code of an agent. */
export const AGENT_ERROR_TABLE: Readonly<Record<AgentErrorCode, ErrorEntry>> = table;

/**
 * A refusal by the agent. Branch on `code`, show `message`. Nodes and stores have their own error classes.
 */
export class AgentError extends CoreError {
  /** Stable code, a key of AGENT_ERROR_TABLE. */
  declare readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, detail = '', options: CoreErrorOptions = {}) {
    super(code, detail, options, table[code]);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof CoreError;
  }

  protected override get entry(): ErrorEntry {
    return table[this.code];
  }
}

/** A code of the SDK, of formats, or of a node of this version. A newer node may send others at run time. */
export type KnownCode = AgentErrorCode | NetErrorCode | FormatErrorCode;

/** Returns the code of an error of the SDK, and null for all others. */
export function codeOf(error: unknown): KnownCode | null {
  return error instanceof NetSdkError ? (error.code as KnownCode) : null;
}
