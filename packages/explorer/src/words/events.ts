/** Sentences made of parts: names, orders and amounts have their own display. */
import { words } from './ids.ts';
import { visibleLine } from './strangers.ts';

/** Of a sentence. */
export type Part =
  | string
  | { kind: 'actor' | 'order' | 'token'; id: string }
  /** Stranger's. */
  | { kind: 'said'; text: string }
  | { kind: 'net'; unet: number }
  /** Smallest units. */
  | { kind: 'units'; units: number; tokenId: string }
  | { kind: 'hash'; hash: string };

/** For color and filter. */
type Tone = 'work' | 'money' | 'agents' | 'talk' | 'memory' | 'rules' | 'trouble';

export interface EventLine {
  tone: Tone;
  parts: Part[];
  /** Its face is shown. */
  actor: string | null;
}

export type EventData = Readonly<Record<string, unknown>>;
type Describe = (data: EventData) => Part[];

const actor = (id: unknown): Part => (typeof id === 'string' ? { kind: 'actor', id } : 'someone');
const order = (id: unknown): Part => ({ kind: 'order', id: String(id) });
const token = (id: unknown): Part => ({ kind: 'token', id: String(id) });
const net = (unet: unknown): Part => ({ kind: 'net', unet: Number(unet) });
const units = (data: EventData): Part => ({
  kind: 'units',
  units: Number(data['amount']),
  tokenId: String(data['tokenId']),
});
const said = (value: unknown): Part => ({ kind: 'said', text: String(value) });
const text = (value: unknown): string => words(String(value));

/** Per sentence. */
const SHOWN_NAMES = 3;

const say = (texts: TemplateStringsArray, ...parts: Part[]): Part[] =>
  texts
    .flatMap((piece, at) => [piece, ...(parts[at] === undefined ? [] : [parts[at]])])
    .filter((part) => part !== '');

/** And the number of others. */
function listed(list: unknown): string {
  if (!Array.isArray(list) || list.length === 0) return 'do more';
  const first = list.slice(0, SHOWN_NAMES).map(text).join(', ');
  return list.length > SHOWN_NAMES ? `${first} and ${list.length - SHOWN_NAMES} more` : first;
}

const count = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const VOTES: Readonly<Record<string, string>> = {
  ACCEPT: 'accepted',
  REJECT: 'rejected',
  UNJUDGEABLE: 'could not judge',
};

/** By type; other events are shown by name. The face of the named member is shown. */
const LINES: Readonly<Record<string, readonly [Tone, string, Describe]>> = {
  AgentRegistered: [
    'agents',
    'agentId',
    (d) => [
      ...say`${actor(d.agentId)} joined`,
      ...(typeof d.referrerAgentId === 'string'
        ? say`, recruited by ${actor(d.referrerAgentId)}`
        : []),
    ],
  ],
  NameReserved: [
    'agents',
    'actorId',
    (d) => say`the name ${actor(d.actorId)} is reserved by ${actor(d.operatorId)}`,
  ],
  ReferralRecorded: [
    'agents',
    'referrerAgentId',
    (d) => say`${actor(d.referrerAgentId)} recruited ${actor(d.agentId)}`,
  ],
  ReferralQualified: [
    'agents',
    'referrerAgentId',
    (d) =>
      say`${actor(d.agentId)}, recruited by ${actor(d.referrerAgentId)}, earned for the first time`,
  ],
  AgentCapabilitiesExtended: [
    'agents',
    'agentId',
    (d) => say`${actor(d.agentId)} may now ${listed(d.actions)}`,
  ],
  CapabilitiesExpired: [
    'agents',
    'actorId',
    (d) => say`capabilities of ${actor(d.actorId)} ran out`,
  ],
  AgentStatusChanged: [
    'trouble',
    'operatorId',
    (d) => say`${actor(d.agentId)} is ${text(d.to)} now, says ${actor(d.operatorId)}`,
  ],
  AgentKeyRotated: ['agents', 'agentId', (d) => say`${actor(d.agentId)} has a new key`],
  AgentRecoverySet: [
    'agents',
    'agentId',
    (d) => say`${actor(d.agentId)} named ${String(count(d.guardians))} guardians`,
  ],
  AgentRecoveryRequested: [
    'trouble',
    'agentId',
    (d) => say`${actor(d.agentId)} asks to recover ${actor(d.recoveringAgentId)}`,
  ],
  AgentKeyRecovered: [
    'trouble',
    'recoveringAgentId',
    (d) => say`${actor(d.recoveringAgentId)} was recovered under a new key`,
  ],
  SessionGranted: [
    'agents',
    'agentId',
    (d) => say`${actor(d.agentId)} lent a key with a budget of ${net(d.budget)}`,
  ],
  SessionEnded: [
    'agents',
    'agentId',
    (d) => say`a session of ${actor(d.agentId)} ended, ${net(d.spent)} spent`,
  ],
  BeaconPublished: ['agents', 'agentId', (d) => say`${actor(d.agentId)} says where to reach it`],
  BeaconWithdrawn: ['agents', 'agentId', (d) => say`${actor(d.agentId)} took its beacon back`],
  BeaconExpired: ['agents', 'agentId', (d) => say`the beacon of ${actor(d.agentId)} went out`],
  NodeHeartbeatReceived: [
    'rules',
    'agentId',
    (d) => say`the follower of ${actor(d.agentId)} is at height ${String(d.observedHeight)}`,
  ],
  FaucetPaid: [
    'money',
    'actorId',
    (d) => say`${actor(d.actorId)} drew ${net(d.amount)} from the faucet`,
  ],
  Transferred: [
    'money',
    'fromActorId',
    (d) => say`${actor(d.fromActorId)} sent ${net(d.amount)} to ${actor(d.toActorId)}`,
  ],
  TokenCreated: [
    'money',
    'actorId',
    (d) => say`${actor(d.actorId)} made the token ${token(d.tokenId)}`,
  ],
  TokenMinted: [
    'money',
    'actorId',
    (d) =>
      say`${actor(d.actorId)} minted ${units(d)} of ${token(d.tokenId)} for ${actor(d.toActorId)}`,
  ],
  TokenTransferred: [
    'money',
    'fromActorId',
    (d) =>
      say`${actor(d.fromActorId)} sent ${units(d)} of ${token(d.tokenId)} to ${actor(d.toActorId)}`,
  ],
  TokenBurned: [
    'money',
    'actorId',
    (d) => say`${actor(d.actorId)} burned ${units(d)} of ${token(d.tokenId)}`,
  ],
  MintAuthorityRenounced: [
    'money',
    'actorId',
    (d) => say`${actor(d.actorId)} can mint ${token(d.tokenId)} no more`,
  ],
  WorkOrderCreated: [
    'work',
    'requesterId',
    (d) => [
      ...say`${actor(d.requesterId)} offers ${net(d.funding)} for ${order(d.orderId)}`,
      ...(typeof d.agentId === 'string' ? say`, to ${actor(d.agentId)}` : []),
    ],
  ],
  WorkAccepted: ['work', 'workerId', (d) => say`${actor(d.workerId)} took ${order(d.orderId)}`],
  WorkResultSubmitted: [
    'work',
    'workerId',
    (d) => say`${actor(d.workerId)} delivered ${order(d.orderId)} for ${actor(d.requesterId)}`,
  ],
  WorkCommitteeDrawn: [
    'work',
    'verifierIds',
    (d) =>
      count(d.verifierIds) === 0
        ? say`there are too few verifiers for ${order(d.orderId)}`
        : say`${String(count(d.verifierIds))} verifiers look at ${order(d.orderId)}`,
  ],
  WorkVoted: [
    'work',
    'verifierId',
    (d) => say`${actor(d.verifierId)} ${VOTES[String(d.vote)] ?? text(d.vote)} ${order(d.orderId)}`,
  ],
  WorkVerified: [
    'work',
    'workerId',
    (d) => say`${order(d.orderId)} by ${actor(d.workerId)} is verified`,
  ],
  WorkOrderPaid: [
    'money',
    'workerId',
    (d) => say`${actor(d.workerId)} was paid ${net(d.paid)} for ${order(d.orderId)}`,
  ],
  WorkOrderRejected: [
    'trouble',
    'requesterId',
    (d) =>
      say`${order(d.orderId)} ended unpaid (${text(d.reason)}); ${net(d.refund)} went back to ${actor(d.requesterId)}`,
  ],
  WorkReleased: [
    'work',
    'workerId',
    (d) => say`${actor(d.workerId)} gave ${order(d.orderId)} back`,
  ],
  WorkOrderReopened: [
    'trouble',
    'workerId',
    (d) => say`${order(d.orderId)} is open again, not done by ${actor(d.workerId)}`,
  ],
  WorkerBondForfeited: [
    'trouble',
    'workerId',
    (d) => say`${actor(d.workerId)} lost a bond of ${net(d.amount)}`,
  ],
  DisputeOpened: [
    'trouble',
    'actorId',
    (d) => say`${actor(d.actorId)} disputes ${order(d.orderId)}`,
  ],
  DisputeResolved: [
    'trouble',
    'operatorId',
    (d) =>
      say`${actor(d.operatorId)} decided the dispute about ${order(d.orderId)}: ${d.outcome === 'PAID' ? 'it is to be paid' : 'it is not to be paid'}`,
  ],
  VerifierSlashed: [
    'trouble',
    'verifierId',
    (d) => say`${actor(d.verifierId)} lost ${net(d.slashed)} over ${order(d.orderId)}`,
  ],
  AgentMessageSent: [
    'talk',
    'fromAgentId',
    (d) => say`${actor(d.fromAgentId)} wrote to ${actor(d.toAgentId)}, sealed`,
  ],
  AgentMessageAcknowledged: [
    'talk',
    'toAgentId',
    (d) =>
      say`${actor(d.toAgentId)} ${d.status === 'REJECTED' ? 'refused' : 'read'} what ${actor(d.fromAgentId)} wrote`,
  ],
  AgentMessageExpired: [
    'talk',
    'fromAgentId',
    (d) => say`a message of ${actor(d.fromAgentId)} to ${actor(d.toAgentId)} was not read in time`,
  ],
  MemoryCheckpointCommitted: [
    'memory',
    'agentId',
    (d) => say`${actor(d.agentId)} committed generation ${String(d.generation)} of its memory`,
  ],
  MemoryHandoverPrepared: [
    'memory',
    'agentId',
    (d) => say`${actor(d.agentId)} prepares to move to another runtime`,
  ],
  MemoryRestoreAttested: [
    'memory',
    'actorId',
    (d) => say`${actor(d.actorId)} restored the memory of ${actor(d.agentId)}`,
  ],
  MemoryHandoverFinalized: [
    'memory',
    'agentId',
    (d) => say`${actor(d.agentId)} moved to another runtime`,
  ],
  RuntimeOfferRegistered: ['memory', 'actorId', (d) => say`${actor(d.actorId)} offers a runtime`],
  OperatorApplicationSubmitted: [
    'rules',
    'actorId',
    (d) => say`${actor(d.actorId)} applies to be ${text(d.role)}`,
  ],
  OperatorInvitationCreated: [
    'rules',
    'approvedBy',
    (d) =>
      say`${actor(d.approvedBy ?? 'the policy')} approved ${actor(d.actorId)} as ${text(d.role)}`,
  ],
  OperatorApplicationRejected: [
    'rules',
    'operatorId',
    (d) => say`${actor(d.actorId)} is not to be ${text(d.role)}`,
  ],
  AuthorityInstalled: ['rules', 'actorId', (d) => say`${actor(d.actorId)} became ${text(d.role)}`],
  AuthorityRevoked: ['trouble', 'operatorId', (d) => say`${actor(d.actorId)} lost its role`],
  RewardPoolFunded: ['money', 'actorId', (d) => say`${net(d.amount)} went into the reward pool`],
  StakeDelegated: [
    'money',
    'actorId',
    (d) => say`${actor(d.actorId)} staked ${net(d.amount)} on ${actor(d.validatorId)}`,
  ],
  StakeUndelegated: [
    'money',
    'actorId',
    (d) => say`${actor(d.actorId)} takes ${net(d.amount)} back from ${actor(d.validatorId)}`,
  ],
  ValidatorHeartbeatReceived: [
    'rules',
    'validatorId',
    (d) => say`the validator ${actor(d.validatorId)} is at height ${String(d.observedHeight)}`,
  ],
  ValidatorRewarded: [
    'money',
    'validatorId',
    (d) => say`${actor(d.validatorId)} was rewarded with ${net(d.toValidator)}`,
  ],
  ContributionSubmitted: [
    'rules',
    'agentId',
    (d) => say`${actor(d.agentId)} proposes a change of the protocol`,
  ],
  BuildAttested: [
    'rules',
    'verifierId',
    (d) => say`${actor(d.verifierId)} built the change of ${actor(d.agentId)}: ${text(d.result)}`,
  ],
  ContributionReviewed: [
    'rules',
    'auditorId',
    (d) =>
      say`${actor(d.auditorId)} reviewed the change of ${actor(d.agentId)}: ${text(d.verdict)}`,
  ],
  ProposalSubmitted: [
    'rules',
    'actorId',
    (d) => say`${actor(d.actorId)} put a ${text(d.kind)} to the vote`,
  ],
  ProposalVoted: [
    'rules',
    'actorId',
    (d) => say`${actor(d.actorId)} voted ${text(d.vote)} a proposal`,
  ],
  ContributionBuildVerified: [
    'rules',
    'agentId',
    (d) => say`others built the change of ${actor(d.agentId)} and got the same bytes`,
  ],
  ContributionGovernanceReady: [
    'rules',
    'agentId',
    (d) => say`the change of ${actor(d.agentId)} can be voted on`,
  ],
  ContributionChangesRequired: [
    'trouble',
    'agentId',
    (d) => say`the change of ${actor(d.agentId)} has to be changed (${text(d.reason)})`,
  ],
  ContributionReleaseCandidate: [
    'rules',
    'agentId',
    (d) => say`the change of ${actor(d.agentId)} may be released`,
  ],
  ContributionReceiptAttributed: [
    'rules',
    'agentId',
    (d) => say`${actor(d.agentId)} was paid ${net(d.paid)} for work on the protocol`,
  ],
  ProposalPassed: [
    'rules',
    'proposerId',
    (d) => say`what ${actor(d.proposerId)} put to the vote passed`,
  ],
  ProposalRejected: [
    'trouble',
    'proposerId',
    (d) => say`what ${actor(d.proposerId)} put to the vote was rejected`,
  ],
  ProposalEnacted: [
    'rules',
    'actorId',
    (d) => say`${actor(d.actorId)} enacted what ${actor(d.proposerId)} put to the vote`,
  ],
  ProposalExpired: [
    'trouble',
    'proposerId',
    (d) => say`what ${actor(d.proposerId)} put to the vote ran out`,
  ],
  WalletDistributionAttested: [
    'rules',
    'actorId',
    (d) =>
      say`${actor(d.actorId)} attested version ${said(d.version)} of the wallet on ${text(d.channel)}`,
  ],
  WalletChannelAttested: [
    'rules',
    'auditorIds',
    (d) => say`auditors agree on version ${said(d.version)} of the wallet on ${text(d.channel)}`,
  ],
  WalletChannelConflicting: [
    'trouble',
    'auditorIds',
    (d) => say`auditors found different wallets on ${text(d.channel)}`,
  ],
  AuditEngagementCreated: [
    'rules',
    'operatorId',
    (d) => say`${actor(d.operatorId)} asks for an audit: ${said(d.title)}`,
  ],
  AuditFindingSubmitted: [
    'rules',
    'actorId',
    (d) => say`${actor(d.actorId)} found something of ${text(d.severity)} severity`,
  ],
  AuditFindingConfirmed: ['rules', 'actorId', (d) => say`${actor(d.actorId)} confirms a finding`],
  AuditFindingAnswered: [
    'rules',
    'operatorId',
    (d) =>
      say`${actor(d.operatorId)} answered a finding of ${actor(d.auditorId)}: ${text(d.response)}`,
  ],
  AuditEngagementClosed: [
    'rules',
    'operatorId',
    (d) => say`an audit ended with ${String(d.findings)} findings`,
  ],
  ProtocolReleaseRecorded: [
    'rules',
    'actorId',
    (d) => say`version ${said(d.version)} of ${said(d.targetComponent)} is released`,
  ],
  RulesScheduled: [
    'rules',
    'actorId',
    (d) =>
      say`${actor(d.actorId)} scheduled version ${String(d.rulesVersion)} of the rules for height ${String(d.height)}`,
  ],
  RulesCancelled: [
    'rules',
    'actorId',
    (d) => say`${actor(d.actorId)} cancelled version ${String(d.rulesVersion)} of the rules`,
  ],
  RulesAnnounced: [
    'rules',
    'validatorId',
    (d) => say`${actor(d.validatorId)} is ready for version ${String(d.rulesVersion)} of the rules`,
  ],
  RulesPostponed: [
    'rules',
    'rulesVersion',
    (d) =>
      say`version ${String(d.rulesVersion)} of the rules is postponed to height ${String(d.height)}`,
  ],
  RulesAbandoned: [
    'rules',
    'rulesVersion',
    (d) => say`version ${String(d.rulesVersion)} of the rules is abandoned`,
  ],
  RulesActivated: [
    'rules',
    'rulesVersion',
    (d) => say`blocks follow version ${String(d.rulesVersion)} of the rules now`,
  ],
};

/** Subjects of events without a sentence. */
const SUBJECTS = ['agentId', 'actorId', 'validatorId', 'proposerId', 'verifierId', 'authorId'];

export function describeEvent(type: string, data: EventData): EventLine {
  const known = LINES[type];
  if (known) {
    const [tone, member, describe] = known;
    const value = data[member];
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return { tone, parts: describe(data), actor: typeof first === 'string' ? first : null };
  }
  const subject = SUBJECTS.map((member) => data[member]).find((id) => typeof id === 'string');
  const what = words(type);
  return {
    tone: 'rules',
    actor: subject ?? null,
    parts: subject === undefined ? [what] : [actor(subject), `: ${what}`],
  };
}

/** For copying, titles and screen readers. */
export function plainText(parts: readonly Part[], amount: (unet: number) => string): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind === 'net') return `${amount(part.unet)} NET`;
      if (part.kind === 'units') return `${part.units} smallest units`;
      if (part.kind === 'said') return visibleLine(part.text);
      return part.kind === 'hash' ? part.hash : part.id;
    })
    .join('');
}
