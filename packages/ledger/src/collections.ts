/**
 * Every collection of the state in one table: the prefix of its keys, what its records are, which of them fall due
 * at a height, and by which members they are listed. A state key is `<collection>/<id>`.
 */
import type {
  ChainPosition,
  Genesis,
  GenesisPolicy,
  GovernancePolicy,
  JsonObject,
  ProtectiveDelay,
  StakingPolicy,
  Validator,
  WorkPolicy,
} from '@netd/protocol';
import type { WorkValidationPolicy } from './actions/work/validation-policy.ts';
import type { MemoryCheckpoint } from './actions/memory/commit-memory-checkpoint.ts';
import { handoverDueAt } from './actions/memory/handover.ts';
import { messageDueAt, type AgentMessage } from './actions/messages/message.ts';
import type { Capability, Role } from './authority.ts';
import { normalTerms } from './normal-term.ts';

export interface ChainRecord {
  chainId: string;
  epoch: number;
  genesisHash: string;
  genesisTime: string;
  open: boolean;
}

export interface PolicyRecord {
  faucet: { enabled: boolean; perRequest: number; perAccount: number; perDay: number };
  recoveryDelay: ProtectiveDelay;
  work: WorkPolicy;
  operators: GenesisPolicy['operators'];
  staking: StakingPolicy;
  governance: GovernancePolicy;
  readiness: GenesisPolicy['readiness'];
}

/** Who may sign for an actor id, and what for. */
export interface AuthorityRecord {
  actorId: string;
  publicKey: string;
  publicKeyHash: string;
  roles: Role[];
  /** Beyond what the roles carry by themselves. */
  capabilities: Capability[];
  active: boolean;
}

export type AgentStatus = 'active' | 'suspended' | 'retired';

export interface AgentRecord {
  agentId: string;
  description: string;
  status: AgentStatus;
  referrerAgentId: string | null;
  registeredAt: ChainPosition;
}

/** A public key that was ever registered, by its 32 raw bytes in hex. It stays for good. */
export interface KeyRecord {
  actorId: string;
}

export interface BeaconRecord {
  agentId: string;
  /** The highest sequence ever published; it survives withdrawal. */
  lastSequence: number;
  /** As signed; null after withdrawal. */
  beacon:
    (JsonObject & { capabilities: string[]; protocols: string[]; expiresAtHeight: number }) | null;
  publishedAt: ChainPosition;
}

export interface Guardians {
  agentIds: string[];
  threshold: number;
}

/** A point from which a protective delay counts. */
export interface Moment {
  height: number;
  time: number;
}

export interface RecoveryRecord {
  agentId: string;
  guardians: Guardians;
  /** Takes the place of `guardians` once the protective delay since `announced` has passed. */
  nextGuardians: (Guardians & { announced: Moment }) | null;
  request: {
    requestId: string;
    newPublicKey: string;
    /** The guardians in force when it was requested: changing them later does not stop it. */
    guardians: Guardians;
    approvals: string[];
    requested: Moment;
    /** When the threshold was reached; null before. */
    approved: Moment | null;
  } | null;
  /** How often the key has cancelled a request since the last recovery. */
  cancellations: number;
}

/** What a node or a validator last said it has verified. */
export interface HeartbeatReport {
  sequence: number;
  observedHeight: number;
  observedStateRoot: string;
  nodeVersion: string;
  endpoint: string | null;
  region: string | null;
  countryCode: string | null;
  faultDomain: string | null;
  receivedAt: ChainPosition;
  /** Of the signed intent that brought it. */
  transitionHash: string;
}

export interface NodeHeartbeatRecord extends HeartbeatReport {
  agentId: string;
}

export interface ReferralRecord {
  agentId: string;
  referrerAgentId: string;
  status: 'pending' | 'qualified';
  registeredAt: ChainPosition;
  /** The transition of the settled work that qualified it. */
  qualifyingTransitionHash: string | null;
  /** The order whose receipt that settlement wrote. */
  qualifyingOrderId: string | null;
}

export interface AccountRecord {
  accountId: string;
  /** In unet. */
  balance: number;
  /** What the faucet has paid to it, ever. */
  faucetReceived: number;
}

/** What the faucet has paid in one UTC day of header time. */
export interface FaucetDayRecord {
  day: number;
  paid: number;
}

export interface RecentRootRecord {
  height: number;
  blockHash: string;
  stateRoot: string;
}

export interface CommitmentRecord {
  transitionsRoot: string;
  eventsRoot: string;
}

export interface SpentNonce {
  hash: string;
  expiry: number;
}

export type WorkOrderStatus = 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
export type AssignmentMode = 'OPEN_MARKET' | 'TARGETED';

/** Where within its status an order is, and so what its deadline ends. */
export type WorkPhase =
  'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';

export type WorkRejection =
  | 'CANCELLED'
  | 'ACCEPTANCE_TIMEOUT'
  | 'DELIVERY_TIMEOUT'
  | 'VERIFICATION_REJECTED'
  | 'VERIFICATION_TIMEOUT'
  | 'DISPUTE_UPHELD';

export interface WorkVote {
  verifierId: string;
  independenceGroup: string;
  vote: 'ACCEPT' | 'REJECT';
  evidenceHash: string;
  /** What the verifier's own run gave; asked for where the order is sampled. */
  reExecutionHash: string | null;
  votedAt: ChainPosition;
}

export interface WorkOrderRecord {
  orderId: string;
  requesterId: string;
  assignmentMode: AssignmentMode;
  /** The agent a TARGETED order names. */
  agentId: string | null;
  /** Who has accepted it. */
  workerId: string | null;
  title: string;
  /** Commitment to the private scope. */
  scopeHash: string;
  jobType: string;
  /** Capabilities that fit, to match with beacons; nothing is enforced by them. */
  requirements: string[];
  /** In unet, in escrow until the order ends. */
  funding: number;
  verificationFee: number;
  validationPolicy: WorkValidationPolicy;
  acceptWithin: ProtectiveDelay;
  deliverWithin: ProtectiveDelay;
  verifyWithin: ProtectiveDelay;
  status: WorkOrderStatus;
  phase: WorkPhase;
  /** Why it is REJECTED. */
  reason: WorkRejection | null;
  createdAt: ChainPosition;
  acceptedAt: ChainPosition | null;
  /** How often a missed delivery brought it back to the market. */
  returns: number;
  result: {
    deliverableHash: string;
    evidence: JsonObject | null;
    transitionHash: string;
    submittedAt: ChainPosition;
  } | null;
  verification: {
    /** 2 after the one redraw. */
    round: number;
    seed: string;
    /** Whether verifiers are asked to run the work again. */
    sampled: boolean;
    committee: { verifierId: string; independenceGroup: string }[];
    votes: WorkVote[];
  } | null;
  /** Until when a verified order can be disputed. */
  disputableUntil: Moment | null;
  dispute: { openedBy: string; reasonHash: string; bond: number; openedAt: ChainPosition } | null;
  /** When the phase ends by itself; null while the committee is drawn and after the end. */
  deadline: Moment | null;
  /**
   * The height at which the ledger goes on with the order: of the drawing, or of a deadline whose time has passed.
   * Until then the deadline stands in `work-clock`.
   */
  dueAtHeight: number | null;
  endedAt: ChainPosition | null;
}

/** A deadline that waits for its time. Once that has passed, the order itself waits for the height. */
export interface WorkClockRecord {
  orderId: string;
  /** Header time in milliseconds. */
  time: number;
}

/** What an actor has under way and has earned: limits and weights are read from here. */
export interface WorkTallyRecord {
  actorId: string;
  /** Orders of its own that have not ended. */
  openOrders: number;
  /** Orders it has accepted that have not ended. */
  unfinishedOrders: number;
  /** Orders it was paid for. */
  verifiedOrders: number;
  /** In unet, by verified work, ever. */
  earned: number;
}

export interface WorkReceiptRecord {
  orderId: string;
  requesterId: string;
  workerId: string;
  deliverableHash: string;
  paid: number;
  shares: { verifierId: string; amount: number }[];
  settledAt: ChainPosition;
  transitionHash: string;
}

/** Whom committees are drawn from, by actor id; at most MAX_ROSTER, so that a drawing has a bounded cost. */
export interface VerifierRosterRecord {
  verifiers: { verifierId: string; independenceGroup: string; bondedAtHeight: number }[];
}

/** Evidence for which a verifier was slashed, so that it counts once. */
export interface VerifierEvidenceRecord {
  verifierId: string;
  slashed: number;
  submittedAt: ChainPosition;
}

export type MessageStatus = 'PENDING' | 'DELIVERED' | 'REJECTED';

export interface MessageRecord {
  /** As signed. */
  message: AgentMessage;
  /** PENDING also after it has expired unanswered. */
  status: MessageStatus;
  sentAt: ChainPosition;
  transitionHash: string;
  acknowledgement: { receiptHash: string; at: ChainPosition } | null;
  /** When it was acknowledged, or its last height where it expired; null while it counts as live. */
  endedAtHeight: number | null;
}

/** What one sender has said in one conversation; it stays when the messages have left state. */
export interface ConversationRecord {
  conversationId: string;
  fromAgentId: string;
  lastSequence: number;
  /** hash({previous, message}), message = hash of the message as signed, previous = the digest before it or null. */
  digest: string;
}

export interface MemoryRecord {
  agentId: string;
  /** The latest checkpoint. */
  generation: number;
  checkpointId: string;
  checkpointHash: string;
  /** May have expired: see handoverAt. */
  openHandoverId: string | null;
  activeRuntime: {
    runtimeId: string;
    providerId: string;
    handoverId: string;
    since: ChainPosition;
  } | null;
}

export interface MemoryCheckpointRecord {
  /** As signed. */
  checkpoint: MemoryCheckpoint;
  committedAt: ChainPosition;
  transitionHash: string;
}

/** An operator of runtimes with its bond: installed by the claim of its invitation. */
export interface RuntimeOfferRecord {
  runtimeId: string;
  providerId: string;
  endpoint: string;
  serializer: string;
  encryptions: string[];
  maxByteLength: number;
  expiresAtHeight: number;
  offeredAt: ChainPosition;
}

export interface MemoryHandoverRecord {
  handoverId: string;
  agentId: string;
  /** The checkpoint to restore. */
  checkpointId: string;
  checkpointHash: string;
  generation: number;
  stateRoot: string;
  sourceRuntimeId: string | null;
  targetProviderId: string;
  targetRuntimeId: string;
  expiresAtHeight: number;
  status: 'PREPARED' | 'TARGET_RESTORED' | 'FINALIZED' | 'ABORTED';
  abortCause: 'AGENT' | 'EXPIRY' | null;
  preparedAt: ChainPosition;
  restoredAt: ChainPosition | null;
  /** Null also where it expired. */
  endedAt: ChainPosition | null;
}

export interface TokenRecord {
  tokenId: string;
  name: string;
  symbol: string;
  decimals: number;
  /** This and every amount of it in its smallest unit. */
  supplyCap: number;
  supply: number;
  /** Actors that hold some of it. */
  holders: number;
  /** Null where nobody can mint any more. */
  mintAuthority: string | null;
  creatorId: string;
  createdAt: ChainPosition;
}

/** Exists only where the amount is above zero. */
export interface TokenHolderRecord {
  tokenId: string;
  actorId: string;
  amount: number;
}

/** A role somebody may apply for. */
export type ApplicationRole = Exclude<Role, 'OPERATOR'>;

/** What the roles ask of an applicant; which members stand depends on the role. */
export interface ApplicationProfile {
  description?: string;
  bond?: number;
  selfBond?: number;
  consensusPublicKey?: string;
  faultDomain?: string;
  region?: string;
}

/** As stored; an unfinished one whose height has passed has expired, which nothing needs to write down. */
export type ApplicationStatus = 'PENDING' | 'APPROVED' | 'CLAIMED' | 'REJECTED';

export interface ApplicationRecord {
  applicationId: string;
  actorId: string;
  role: ApplicationRole;
  publicKey: string;
  publicKeyHash: string;
  capabilities: Capability[];
  profile: ApplicationProfile;
  expiresAtHeight: number;
  status: ApplicationStatus;
  submittedAt: ChainPosition;
  /** Of its one invitation, once approved. */
  invitationId: string | null;
  /** Why it was rejected. */
  reason: string | null;
}

export interface InvitationRecord {
  invitationId: string;
  applicationId: string;
  actorId: string;
  role: ApplicationRole;
  publicKeyHash: string;
  capabilities: Capability[];
  independenceGroup: string | null;
  expiresAtHeight: number;
  status: 'OPEN' | 'CLAIMED' | 'WITHDRAWN';
  /** The operator who approved, null where the published bounds did. */
  approvedBy: string | null;
  issuedAt: ChainPosition;
}

/** The unfinished application that holds an actor id or a key. */
export interface ApplicationHoldRecord {
  applicationId: string;
}

export interface RevocationRecord {
  actorId: string;
  reason: string | null;
  revokedAt: ChainPosition;
  /** When the bonds go back to the account: both must have passed. Null where nothing is (any longer) bonded. */
  releaseAt: Moment | null;
}

export interface VerifierRecord {
  actorId: string;
  /** In unet, held by net:bonds. */
  bond: number;
  independenceGroup: string;
  bondedAtHeight: number;
  active: boolean;
  votesAccepted: number;
  votesRejected: number;
  votesMissed: number;
  installedAt: ChainPosition;
}

export interface ValidatorCandidateRecord {
  actorId: string;
  selfBond: number;
  consensusPublicKey: string;
  faultDomain: string;
  /** What is delegated, in unet, held by net:stake. It belongs to the shares. */
  delegated: number;
  /** Shares of all delegators together. */
  shares: number;
  delegators: number;
  /** Undelegated and not yet released, in unet before slashing. */
  unbonding: number;
  /** How often evidence slashed it; from the first on it takes no delegation and gets no reward. */
  faults: number;
  /** From when the next reward counts: the last one, or the first heartbeat. */
  rewardedAt: Moment | null;
  bondedAtHeight: number;
  active: boolean;
  installedAt: ChainPosition;
}

export interface RuntimeProviderRecord {
  actorId: string;
  bond: number;
  region: string;
  faultDomain: string;
  bondedAtHeight: number;
  active: boolean;
  installedAt: ChainPosition;
}

export interface AuditorRecord {
  actorId: string;
  independenceGroup: string;
  active: boolean;
  installedAt: ChainPosition;
}

/** What an actor has delegated: its shares of the pools of at most MAX_DELEGATIONS candidates. */
export interface DelegatorRecord {
  actorId: string;
  /** By validator id. */
  positions: { validatorId: string; shares: number; since: ChainPosition }[];
  /** Unbondings that wait for their release. */
  unbondings: number;
}

/** Undelegated stake that waits for its release, within reach of evidence until then. */
export interface UnbondingRecord {
  /** The hash of the transition that undelegated. */
  unbondingId: string;
  actorId: string;
  validatorId: string;
  /** In unet, before what evidence takes until the release. */
  amount: number;
  /** Faults of the validator before: those after it cost a tenth each. */
  faultsBefore: number;
  startedAt: ChainPosition;
  /** Both must have passed. */
  releaseAt: Moment;
}

export interface ValidatorHeartbeatRecord extends HeartbeatReport {
  validatorId: string;
}

/** Two votes of one validator for one height: proven, and counted once. */
export interface ValidatorFaultRecord {
  validatorId: string;
  height: number;
  blockHashes: [string, string];
  slashedBond: number;
  slashedStake: number;
  submittedAt: ChainPosition;
}

export const PLACE_DIMENSIONS = ['region', 'countryCode', 'faultDomain'] as const;
export type PlaceDimension = (typeof PLACE_DIMENSIONS)[number];

/** How many say that they are there in their last heartbeat; exists while somebody is. */
export interface PlaceRecord {
  dimension: PlaceDimension;
  label: string;
  nodes: number;
  validators: number;
}

/** Counts of one agent, ever; only agents with something to count have one. */
export interface AgentTallyRecord {
  agentId: string;
  /** Agents that named it as their referrer, and those of them that verified paid work has qualified. */
  referrals: number;
  qualifiedReferrals: number;
  messagesSent: number;
  messagesReceived: number;
  /** Received messages it has answered, with DELIVERED or REJECTED. */
  messagesAcknowledged: number;
  handovers: number;
  finalizedHandovers: number;
}

/** In the order of the way, and what can end it. */
export const CONTRIBUTION_STATUSES = [
  'BUILD_VERIFICATION',
  'SECURITY_REVIEW',
  'GOVERNANCE_READY',
  'RELEASE_CANDIDATE',
  'DEPLOYED',
  'CHANGES_REQUIRED',
] as const;
export type ContributionStatus = (typeof CONTRIBUTION_STATUSES)[number];

export type ChangesReason =
  'BUILD_FAILED' | 'BUILD_NOT_REPRODUCIBLE' | 'REVIEW_FAILED' | 'SUPERSEDED';

export interface BuildAttestation {
  verifierId: string;
  independenceGroup: string;
  result: 'PASS' | 'FAIL';
  /** Of the built artifact; where the build failed, of its log. */
  buildHash: string;
  environmentHash: string;
  attestedAt: ChainPosition;
}

export interface SecurityReview {
  auditorId: string;
  independenceGroup: string;
  verdict: 'PASS' | 'FAIL';
  reportHash: string;
  reviewedAt: ChainPosition;
}

/** A change offered to the protocol: commitments only, nothing here is ever fetched or executed. */
export interface ContributionRecord {
  contributionId: string;
  authorId: string;
  title: string;
  targetComponent: string;
  license: string;
  contentHash: string;
  manifestHash: string;
  sourceUri: string;
  /** The contribution of the same author that this one revises. */
  supersedes: string | null;
  supersededBy: string | null;
  status: ContributionStatus;
  /** Why CHANGES_REQUIRED. */
  reason: ChangesReason | null;
  /** At most one from each independence group, MAX_ATTESTATIONS in all. */
  attestations: BuildAttestation[];
  /** At most one from each independence group; the third decides. */
  reviews: SecurityReview[];
  /** Of the artifact on which two groups agree. */
  buildHash: string | null;
  releaseId: string | null;
  /** Work receipts attributed to it. */
  receipts: number;
  submittedAt: ChainPosition;
}

/** The paid work that went into a contribution, by the order's id: a receipt counts once. */
export interface ContributionReceiptRecord {
  orderId: string;
  contributionId: string;
  agentId: string;
  /** In unet. */
  paid: number;
  attributedAt: ChainPosition;
}

export type ProposalKind = 'PROTOCOL_CONTRIBUTION' | 'MAINNET_GENESIS';
export const PROPOSAL_STATUSES = ['VOTING', 'PASSED', 'REJECTED', 'ENACTED', 'LAPSED'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

export interface ChamberTally {
  for: number;
  against: number;
}

export interface ProposalRecord {
  proposalId: string;
  kind: ProposalKind;
  proposerId: string;
  title: string;
  /** Of PROTOCOL_CONTRIBUTION. */
  contributionId: string | null;
  /** What is decided about: the contentHash of the contribution, or the genesisHash. */
  subjectHash: string;
  status: ProposalStatus;
  /** Stake in unet, utility in verified paid orders. */
  chambers: { stake: ChamberTally; utility: ChamberTally };
  voters: number;
  openedAt: ChainPosition;
  votingEnds: Moment;
  /** From when it can be enacted, once passed. */
  executableAt: Moment | null;
  /** When the status ends by itself: the end of voting, or of the time to enact; null after the end. */
  deadline: Moment | null;
  /** Once the time of the deadline has passed, its height; until then it stands in `proposal-clock`. */
  dueAtHeight: number | null;
  /** When it was enacted, rejected or lapsed. */
  endedAt: ChainPosition | null;
}

/** The deadline of a proposal that waits for its time, as `work-clock` does for orders. */
export interface ProposalClockRecord {
  proposalId: string;
  /** Header time in milliseconds. */
  time: number;
}

/** The proposals about one subject: one at a time, and one enacted for good. */
export interface ProposalSubjectRecord {
  latestProposalId: string;
  enactedProposalId: string | null;
}

/** A vote with the weights the voter had when casting it. */
export interface ProposalVoteRecord {
  proposalId: string;
  voterId: string;
  vote: 'FOR' | 'AGAINST';
  /** In unet. */
  stakeWeight: number;
  /** In verified paid orders. */
  utilityWeight: number;
  castAt: ChainPosition;
}

export interface ReleaseRecord {
  releaseId: string;
  contributionId: string;
  targetComponent: string;
  version: string;
  artifactHash: string;
  /** Where the artifact is to be found, on hosts of different names. */
  origins: { uri: string; artifactHash: string }[];
  recordedBy: string;
  recordedAt: ChainPosition;
}

export type WalletChannelName =
  'CHROME_WEB_STORE' | 'FIREFOX_ADDONS' | 'NPM' | 'APP_STORE' | 'PLAY_STORE' | 'DIRECT_DOWNLOAD';

export interface WalletAttestation {
  auditorId: string;
  independenceGroup: string;
  artifactHash: string;
  uri: string;
  evidenceHash: string;
  attestedAt: ChainPosition;
  transitionHash: string;
}

/** One version of a wallet build on one channel, as auditors found it there. */
export interface WalletDistributionRecord {
  channel: WalletChannelName;
  version: string;
  /** ATTESTED: two groups found the same artifact. CONFLICTING: they did so for two different ones. */
  status: 'PENDING' | 'ATTESTED' | 'CONFLICTING';
  /** The one artifact that two groups found; null unless ATTESTED. */
  artifactHash: string | null;
  /** One of a group, at most MAX_ATTESTATIONS. */
  attestations: WalletAttestation[];
  firstAttestedAt: ChainPosition;
}

/** The build that last became ATTESTED on a channel; gone once it conflicts. */
export interface WalletChannelRecord {
  channel: WalletChannelName;
  version: string;
  artifactHash: string;
  attestedAt: ChainPosition;
}

export type FindingSeverity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO';

export interface AuditEngagementRecord {
  engagementId: string;
  title: string;
  /** Commitment to what is audited. */
  scopeHash: string;
  /** Null where every auditor may submit. */
  auditorIds: string[] | null;
  dueAtHeight: number;
  /** LAPSED: closed after its due height without a report; it counts as no audit. */
  status: 'OPEN' | 'CLOSED' | 'LAPSED';
  /** Submitted, confirmations among them. */
  findings: number;
  /** Of these, confirmations of what an operator answered. */
  confirmations: number;
  /** Findings that are open, by severity. */
  open: { CRITICAL: number; HIGH: number; MEDIUM: number; LOW: number };
  reportHash: string | null;
  createdAt: ChainPosition;
  closedAt: ChainPosition | null;
}

export type FindingResponse = 'ACCEPTED' | 'FIXED' | 'DISPUTED' | 'RISK_ACCEPTED';

export interface AuditFindingRecord {
  findingId: string;
  engagementId: string;
  auditorId: string;
  severity: FindingSeverity;
  findingHash: string;
  title: string;
  component: string;
  /** The finding whose answer this one confirms. */
  confirms: string | null;
  /** The operator's last answer. */
  response: {
    response: FindingResponse;
    responseHash: string;
    operatorId: string;
    at: ChainPosition;
  } | null;
  /** Whether it still asks for something to be done. */
  open: boolean;
  /** The auditor's finding that confirmed the answer. */
  confirmedBy: string | null;
  submittedAt: ChainPosition;
  transitionHash: string;
}

/** Active validator candidates, the longest bonded first; at most MAX_VALIDATOR_ROSTER. */
export interface ValidatorRosterRecord {
  validatorIds: string[];
}

/** The operators of genesis, in its order. */
export interface OperatorRosterRecord {
  operatorIds: string[];
}

export interface SealedGenesisRecord {
  genesisHash: string;
  proposalId: string;
  readinessHash: string;
  genesis: Genesis;
  /** The state in which everybody can prove what was theirs: the last before the sealing. */
  migration: { chainId: string; height: number; blockHash: string; stateRoot: string };
  sealedBy: string;
  sealedAt: ChainPosition;
  transitionHash: string;
}

/** The record types by collection. */
export interface Collections {
  chain: ChainRecord;
  policy: PolicyRecord;
  validator: Validator;
  authority: AuthorityRecord;
  agent: AgentRecord;
  key: KeyRecord;
  beacon: BeaconRecord;
  recovery: RecoveryRecord;
  'node-heartbeat': NodeHeartbeatRecord;
  referral: ReferralRecord;
  account: AccountRecord;
  'faucet-day': FaucetDayRecord;
  supply: number;
  counter: number;
  'recent-root': RecentRootRecord;
  commitment: CommitmentRecord;
  nonce: SpentNonce[];
  order: WorkOrderRecord;
  'work-clock': WorkClockRecord;
  'work-tally': WorkTallyRecord;
  'work-receipt': WorkReceiptRecord;
  'verifier-roster': VerifierRosterRecord;
  'verifier-evidence': VerifierEvidenceRecord;
  message: MessageRecord;
  'message-digest': string;
  conversation: ConversationRecord;
  'live-messages': number;
  memory: MemoryRecord;
  'memory-checkpoint': MemoryCheckpointRecord;
  'memory-handover': MemoryHandoverRecord;
  'runtime-offer': RuntimeOfferRecord;
  token: TokenRecord;
  'token-holder': TokenHolderRecord;
  application: ApplicationRecord;
  invitation: InvitationRecord;
  'application-hold': ApplicationHoldRecord;
  revocation: RevocationRecord;
  verifier: VerifierRecord;
  'validator-candidate': ValidatorCandidateRecord;
  'runtime-provider': RuntimeProviderRecord;
  auditor: AuditorRecord;
  delegator: DelegatorRecord;
  unbonding: UnbondingRecord;
  'validator-heartbeat': ValidatorHeartbeatRecord;
  'validator-fault': ValidatorFaultRecord;
  place: PlaceRecord;
  flow: number;
  'agent-tally': AgentTallyRecord;
  contribution: ContributionRecord;
  'contribution-content': string;
  'open-contributions': number;
  'contribution-receipt': ContributionReceiptRecord;
  proposal: ProposalRecord;
  'proposal-clock': ProposalClockRecord;
  'proposal-subject': ProposalSubjectRecord;
  'proposal-vote': ProposalVoteRecord;
  'open-proposals': number;
  release: ReleaseRecord;
  'release-version': string;
  'group-members': number;
  'validator-roster': ValidatorRosterRecord;
  'operator-roster': OperatorRosterRecord;
  'wallet-distribution': WalletDistributionRecord;
  'wallet-channel': WalletChannelRecord;
  'audit-engagement': AuditEngagementRecord;
  'audit-finding': AuditFindingRecord;
  'sealed-genesis': SealedGenesisRecord;
}

export type CollectionName = keyof Collections;

/** An entry of a list: records are found under `list` and `value`, newest first by `position`. */
export interface ListEntry {
  list: string;
  /** '' for the list of all. */
  value: string;
  position: ChainPosition;
}

/** An entry of a ranking: records are found under `list` and `value`, highest rank first, equals by state key. */
export interface RankEntry {
  list: string;
  value: string;
  /** A safe integer, not negative. */
  rank: number;
}

interface CollectionInfo<Record> {
  /** What a reader of the raw state should know. */
  summary: string;
  /**
   * The first height at which the record has something to happen to it; the store keeps these in order. Only the
   * clocks (`work-clock`, `proposal-clock`) count in milliseconds of header time instead.
   */
  dueAtHeight?: (record: Record) => number | null;
  /** The lists the record stands in. */
  lists?: (record: Record) => ListEntry[];
  /** The rankings the record stands in. */
  rankings?: (record: Record) => RankEntry[];
  /** The last height at which it stands in its lists and rankings. */
  listedUntil?: (record: Record) => number | null;
}

/** A registry lists everybody who was ever installed, and those who are active. */
function registryLists(
  name: string,
  record: { active: boolean; installedAt: ChainPosition },
): ListEntry[] {
  const position = record.installedAt;
  const all = { list: name, value: '', position };
  return record.active ? [all, { list: `${name}-active`, value: '', position }] : [all];
}

/** Where an open order can be found by those who may take it. */
function openOrderLists(order: WorkOrderRecord): { list: string; value: string }[] {
  if (order.status !== 'OPEN') return [];
  if (order.agentId !== null) return [{ list: 'orders-open-for-agent', value: order.agentId }];
  const terms = normalTerms(order.requirements);
  return [
    { list: 'orders-open-market', value: '' },
    ...terms.map((value) => ({ list: 'orders-open-by-requirement', value })),
    ...(terms.length === 0 ? [{ list: 'orders-open-without-requirements', value: '' }] : []),
  ];
}

export const COLLECTIONS: { readonly [Name in CollectionName]: CollectionInfo<Collections[Name]> } =
  {
    chain: { summary: 'chain/identity: chain id, epoch, genesis hash and time, open mode.' },
    policy: { summary: 'policy/limits: the bounds genesis set.' },
    validator: { summary: 'The validators of genesis, by id.' },
    authority: { summary: 'Key, roles and capabilities, by actor id.' },
    agent: {
      summary: 'The public record of an agent, by id.',
      lists: (agent) => [{ list: 'agents', value: '', position: agent.registeredAt }],
    },
    key: { summary: 'Every public key ever registered, by raw key in hex: no key is used twice.' },
    beacon: {
      summary: 'The latest beacon of an agent and its highest sequence, by agent id.',
      lists: ({ beacon, publishedAt }) => {
        if (!beacon) return [];
        const entry = (list: string, value: string): ListEntry => ({
          list,
          value,
          position: publishedAt,
        });
        return [
          entry('beacons', ''),
          // By the normal form: one list serves those who ask for it and those who ask for the very word.
          ...normalTerms(beacon.capabilities).map((term) => entry('beacons-by-capability', term)),
          ...normalTerms(beacon.protocols).map((term) => entry('beacons-by-protocol', term)),
        ];
      },
      listedUntil: ({ beacon }) => beacon?.expiresAtHeight ?? null,
    },
    recovery: { summary: 'Guardians and a pending key recovery, by agent id.' },
    'node-heartbeat': {
      summary: 'The last heartbeat of a follower node, by agent id.',
      lists: (heartbeat) => [{ list: 'nodes', value: '', position: heartbeat.receivedAt }],
    },
    referral: {
      summary:
        'Who recruited an agent and whether paid work has qualified it, by recruited agent id.',
      lists: (referral) => [
        { list: 'referrals', value: '', position: referral.registeredAt },
        {
          list: 'referrals-by-referrer',
          value: referral.referrerAgentId,
          position: referral.registeredAt,
        },
      ],
    },
    account: {
      summary: 'Balances in unet, by actor id or net:<class> for the accounts of genesis.',
    },
    'faucet-day': { summary: 'faucet-day/today: what the faucet paid on the last day it paid.' },
    supply: { summary: 'The total of each accounting class; together always the whole supply.' },
    counter: { summary: 'Maintained counts, so that nothing is ever counted by walking.' },
    'recent-root': {
      summary:
        'Height, block hash and state root of predecessors of blocks with transitions, by height modulo 1,024.',
    },
    commitment: {
      summary:
        'commitment/latest: the roots of the last block with transitions, so that the state root covers them.',
    },
    nonce: {
      summary:
        'Spent nonces of a block with their expiries, by height; gone when all have expired.',
      dueAtHeight: (spent) => spent.reduce((latest, { expiry }) => Math.max(latest, expiry), 0) + 1,
    },
    order: {
      summary: 'A work order, by order id.',
      dueAtHeight: ({ dueAtHeight }) => dueAtHeight,
      lists: (order) => {
        const entry = (list: string, value: string): ListEntry => ({
          list,
          value,
          position: order.createdAt,
        });
        const agents = new Set([order.agentId, order.workerId].filter((id) => id !== null));
        return [
          entry('orders', ''),
          entry('orders-by-status', order.status),
          entry('orders-by-mode', order.assignmentMode),
          entry('orders-by-requester', order.requesterId),
          ...[...agents].map((agentId) => entry('orders-by-agent', agentId)),
          ...openOrderLists(order).map(({ list, value }) => entry(list, value)),
        ];
      },
    },
    'work-clock': {
      summary: 'Deadlines of work orders that wait for their time, by order id.',
      dueAtHeight: ({ time }) => time,
    },
    'work-tally': {
      summary: 'Orders under way, verified orders and earnings of an actor, by actor id.',
    },
    'work-receipt': { summary: 'What a paid order paid to whom, by order id.' },
    'verifier-roster': {
      summary: 'verifier-roster/active: the verifiers that committees are drawn from.',
    },
    'verifier-evidence': { summary: 'Evidence that cost a verifier a part of its bond, by hash.' },
    message: {
      summary:
        'A message as signed and what became of it, by message id; gone 20,000 heights after its end.',
      dueAtHeight: messageDueAt,
      lists: ({ message, status, sentAt: position }) => [
        { list: 'messages', value: '', position },
        { list: 'messages-by-status', value: status, position },
        { list: 'messages-by-conversation', value: message.conversationId, position },
        ...[message.fromAgentId, message.toAgentId].flatMap((agentId) => [
          { list: 'messages-by-agent', value: agentId, position },
          { list: 'messages-by-agent-and-status', value: `${agentId}:${status}`, position },
        ]),
      ],
    },
    'message-digest': {
      summary: 'The hash of a message that has left state, by message id: no id is used twice.',
    },
    conversation: {
      summary:
        'The last sequence of a sender in a conversation and a digest over all its messages, by hash({conversationId, fromAgentId}).',
    },
    'live-messages': {
      summary: 'How many messages of a sender are neither acknowledged nor expired, by agent id.',
    },
    memory: {
      summary: 'The latest memory generation, open handover and active runtime, by agent id.',
    },
    'memory-checkpoint': {
      summary: 'A memory checkpoint as signed, by checkpoint id.',
      lists: ({ checkpoint, committedAt: position }) => [
        { list: 'memory-checkpoints', value: '', position },
        { list: 'memory-checkpoints-by-agent', value: checkpoint.agentId, position },
      ],
    },
    'memory-handover': {
      summary: 'A handover of an agent to another runtime, by handover id.',
      dueAtHeight: handoverDueAt,
      lists: ({ agentId, preparedAt: position }) => [
        { list: 'memory-handovers', value: '', position },
        { list: 'memory-handovers-by-agent', value: agentId, position },
      ],
    },
    'runtime-offer': { summary: 'The last offer of a runtime, by runtime id.' },
    token: {
      summary: 'A custom token with its supply, cap, mint authority and count of holders, by id.',
      lists: ({ createdAt }) => [{ list: 'tokens', value: '', position: createdAt }],
    },
    'token-holder': {
      summary: 'What an actor holds of a token, by token id/actor id; never zero.',
      rankings: ({ tokenId, amount }) => [{ list: 'token-holders', value: tokenId, rank: amount }],
    },
    application: {
      summary: 'Who applied for which role with which scope, by application id.',
      lists: ({ status, submittedAt: position }) => [
        { list: 'applications', value: '', position },
        { list: 'applications-by-status', value: status, position },
        // Where the expired ones are to be found: nothing is written when a height passes.
        ...(status === 'PENDING' || status === 'APPROVED'
          ? [{ list: 'applications-by-status', value: 'UNFINISHED', position }]
          : []),
      ],
    },
    invitation: {
      summary: 'Approved applications, bound to a key until claimed, by invitation id.',
      lists: ({ status, issuedAt: position }) => [
        { list: 'invitations', value: '', position },
        { list: 'invitations-by-status', value: status, position },
      ],
    },
    'application-hold': {
      summary:
        'The unfinished application that holds an actor id (actor:<id>) or a key (key:<raw key, hex>).',
    },
    revocation: {
      summary: 'Authorities revoked for good, and when their bonds go back, by actor id.',
      dueAtHeight: ({ releaseAt }) => releaseAt?.height ?? null,
    },
    verifier: {
      summary: 'Bonded verifiers with their independence group and votes, by actor id.',
      lists: (record) => registryLists('verifiers', record),
    },
    'validator-candidate': {
      summary: 'Bonded validator candidates, by actor id; the set in force is that of genesis.',
      lists: (record) => registryLists('validator-candidates', record),
    },
    'runtime-provider': {
      summary: 'Bonded runtime providers with region and fault domain, by actor id.',
      lists: (record) => registryLists('runtime-providers', record),
    },
    auditor: {
      summary: 'Auditors with their independence group, by actor id.',
      lists: (record) => registryLists('auditors', record),
    },
    delegator: {
      summary: 'Shares of the pools of validator candidates and pending unbondings, by actor id.',
      rankings: ({ positions }) =>
        positions.map(({ validatorId, shares }) => ({
          list: 'delegators',
          value: validatorId,
          rank: shares,
        })),
    },
    unbonding: {
      summary: 'Undelegated stake until its release, by the hash of the transition.',
      dueAtHeight: ({ releaseAt }) => releaseAt.height,
      lists: ({ actorId, validatorId, startedAt: position }) => [
        { list: 'unbondings-by-delegator', value: actorId, position },
        { list: 'unbondings-by-validator', value: validatorId, position },
      ],
    },
    'validator-heartbeat': {
      summary: 'The last heartbeat of a validator candidate, by actor id.',
      lists: ({ receivedAt: position }) => [{ list: 'validator-heartbeats', value: '', position }],
    },
    'validator-fault': {
      summary: 'Proven equivocations, by validator id/height of the two votes.',
      lists: ({ validatorId, submittedAt: position }) => [
        { list: 'validator-faults', value: '', position },
        { list: 'validator-faults-by-validator', value: validatorId, position },
      ],
    },
    place: {
      summary:
        'Nodes and validators by region, country or fault domain of their last heartbeats, by hash({dimension, label}).',
      rankings: ({ dimension, nodes, validators }) => [
        { list: 'places', value: dimension, rank: nodes + validators },
      ],
    },
    flow: { summary: 'What has ever moved for one purpose, in unet, by its name.' },
    'agent-tally': {
      summary: 'How many referrals, messages and handovers an agent has, by agent id.',
    },
    contribution: {
      summary: 'A change offered to the protocol and how far it has come, by contribution id.',
      lists: ({ authorId, status, submittedAt: position }) => [
        { list: 'contributions', value: '', position },
        { list: 'contributions-by-status', value: status, position },
        { list: 'contributions-by-author', value: authorId, position },
        {
          list: 'contributions-by-author-and-status',
          value: `${authorId}:${status}`,
          position,
        },
      ],
    },
    'contribution-content': {
      summary: 'The last contribution with a content hash, by that hash: nobody submits it again.',
    },
    'open-contributions': {
      summary: 'How many contributions of an author are on their way, by agent id.',
    },
    'contribution-receipt': {
      summary: 'Paid work attributed to a contribution, by order id.',
      lists: ({ contributionId, attributedAt: position }) => [
        { list: 'contribution-receipts', value: contributionId, position },
      ],
    },
    proposal: {
      summary: 'A proposal with the votes of both chambers, by proposal id.',
      dueAtHeight: ({ dueAtHeight }) => dueAtHeight,
      lists: ({ status, openedAt: position }) => [
        { list: 'proposals', value: '', position },
        { list: 'proposals-by-status', value: status, position },
      ],
    },
    'proposal-clock': {
      summary: 'Deadlines of proposals that wait for their time, by proposal id.',
      dueAtHeight: ({ time }) => time,
    },
    'proposal-subject': {
      summary:
        'The latest and the enacted proposal, by subject: contribution:<contribution id> or genesis:<genesis hash>.',
    },
    'proposal-vote': {
      summary: 'A vote with its weights, by proposal id/actor id.',
      lists: ({ proposalId, castAt: position }) => [
        { list: 'proposal-votes', value: proposalId, position },
      ],
    },
    'open-proposals': {
      summary: 'How many proposals of a governor are under vote, by actor id.',
    },
    release: {
      summary: 'A release of a contribution with the origins of its artifact, by release id.',
      lists: ({ recordedAt: position }) => [{ list: 'releases', value: '', position }],
    },
    'release-version': {
      summary:
        'The release of a version, by target component/version: no version means two things.',
    },
    'group-members': {
      summary:
        'Active members of an independence group or fault domain, by counter name:group; never zero.',
    },
    'validator-roster': {
      summary: 'validator-roster/active: active validator candidates, the longest bonded first.',
    },
    'operator-roster': { summary: 'operator-roster/genesis: the operators of genesis.' },
    'wallet-distribution': {
      summary: 'What auditors found published of a wallet version, by channel:version.',
      lists: ({ channel, firstAttestedAt: position }) => [
        { list: 'wallet-distributions', value: '', position },
        { list: 'wallet-distributions-by-channel', value: channel, position },
      ],
    },
    'wallet-channel': {
      summary: 'The wallet build last attested from two groups, by channel.',
    },
    'audit-engagement': {
      summary: 'An audit with its scope, who may report, and how it ended, by engagement id.',
      lists: ({ status, createdAt: position }) => [
        { list: 'audit-engagements', value: '', position },
        { list: 'audit-engagements-by-status', value: status, position },
      ],
    },
    'audit-finding': {
      summary: 'A finding of an audit and what was answered to it, by finding id.',
      lists: ({ engagementId, submittedAt: position }) => [
        { list: 'audit-findings', value: '', position },
        { list: 'audit-findings-by-engagement', value: engagementId, position },
      ],
    },
    'sealed-genesis': {
      summary: 'sealed-genesis/mainnet: the genesis of the chain that follows, once it is sealed.',
    },
  };

export function stateKey(collection: CollectionName, id: string): string {
  return `${collection}/${id}`;
}

/** The collection and id of a state key, or null where the text is not one. */
export function parseStateKey(key: string): { collection: CollectionName; id: string } | null {
  const slash = key.indexOf('/');
  const collection = key.slice(0, slash);
  if (slash < 1 || !Object.hasOwn(COLLECTIONS, collection)) return null;
  return { collection: collection as CollectionName, id: key.slice(slash + 1) };
}
