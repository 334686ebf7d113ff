/** All state collections. A state key is `<collection>/<id>`. */
import type { ChainPosition, Validator } from '@netd/protocol';
import type { AccountRecord, FaucetDayRecord } from './actions/accounts/records.ts';
import type {
  AgentRecord,
  AgentStatsRecord,
  NameRecord,
  ReferralRecord,
} from './actions/agents/records.ts';
import type {
  ContributionReceiptRecord,
  ContributionRecord,
} from './actions/contributions/records.ts';
import type {
  ProposalRecord,
  ProposalSubjectRecord,
  ProposalVoteRecord,
  ReleaseRecord,
} from './actions/governance/records.ts';
import type { KeyRecord, RecoveryRecord } from './actions/keys/records.ts';
import type {
  MemoryCheckpointRecord,
  MemoryHandoverRecord,
  MemoryRecord,
  RuntimeOfferRecord,
} from './actions/memory/records.ts';
import type { ConversationRecord, MessageRecord } from './actions/messages/records.ts';
import type {
  ApplicationRecord,
  ApplicationReservationRecord,
  AuditorRecord,
  InvitationRecord,
  OperatorRosterRecord,
  PayoutRecord,
  ResignationRecord,
  RevocationRecord,
  RuntimeProviderRecord,
  SuspensionRecord,
  ValidatorCandidateRecord,
  ValidatorRosterRecord,
  VerifierRecord,
  VerifierRosterRecord,
} from './actions/operators/records.ts';
import type {
  BeaconRecord,
  NodeHeartbeatRecord,
  LocationRecord,
} from './actions/presence/records.ts';
import type {
  AuditEngagementRecord,
  AuditFindingRecord,
  SealedGenesisRecord,
  WalletChannelRecord,
  WalletDistributionRecord,
} from './actions/readiness/records.ts';
import type {
  DelegatorRecord,
  DoubleSigningRecord,
  UnbondingRecord,
  ValidatorFaultRecord,
  ValidatorHeartbeatRecord,
  ValidatorLivenessRecord,
  ValidatorSetRecord,
  ValidatorTermRecord,
} from './actions/staking/records.ts';
import type { RulesRecord, RulesScheduleRecord } from './actions/rules/records.ts';
import type { SessionRecord, SessionRosterRecord } from './actions/sessions/records.ts';
import type { TokenHolderRecord, TokenRecord } from './actions/tokens/records.ts';
import type {
  ProofStepsRecord,
  VerifierEvidenceRecord,
  WorkOrderRecord,
  WorkReceiptRecord,
  WorkStatsRecord,
} from './actions/work/records.ts';
import type {
  AuthorityRecord,
  ChainRecord,
  CommitmentRecord,
  PolicyRecord,
  RecentRootRecord,
  SpentNonce,
} from './chain-records.ts';
import type { AccountingClass } from './accounting-classes.ts';
import type { CounterName } from './counter-names.ts';
import type { CumulativeTotalName } from './cumulative-total-names.ts';
import type {
  ListedCollection,
  ListEntry,
  ListName,
  SortedCollection,
  SortedIndexEntry,
  SortedIndexName,
} from './lists.ts';
import { normalizeTags } from './normalize-tag.ts';
import { nonceLeafQueue } from './replay-protection.ts';
import {
  queueEntryOf,
  waitsBeyond,
  type QueueEntry,
  type TimerId,
  type TimerRecord,
} from './timer-queue.ts';

export const MESSAGE_RETENTION = 20_000;
export const PRUNE_MESSAGES = 'prune:message';

export interface Collections {
  chain: ChainRecord;
  policy: PolicyRecord;
  validator: Validator;
  authority: AuthorityRecord;
  agent: AgentRecord;
  key: KeyRecord;
  name: NameRecord;
  session: SessionRecord;
  'session-roster': SessionRosterRecord;
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
  timer: TimerRecord;
  order: WorkOrderRecord;
  'work-stats': WorkStatsRecord;
  'work-receipt': WorkReceiptRecord;
  'verifier-roster': VerifierRosterRecord;
  'verifier-evidence': VerifierEvidenceRecord;
  'proof-steps': ProofStepsRecord;
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
  'application-reservation': ApplicationReservationRecord;
  revocation: RevocationRecord;
  resignation: ResignationRecord;
  payout: PayoutRecord;
  suspension: SuspensionRecord;
  verifier: VerifierRecord;
  'validator-candidate': ValidatorCandidateRecord;
  'runtime-provider': RuntimeProviderRecord;
  auditor: AuditorRecord;
  delegator: DelegatorRecord;
  unbonding: UnbondingRecord;
  'validator-heartbeat': ValidatorHeartbeatRecord;
  'validator-fault': ValidatorFaultRecord;
  'validator-term': ValidatorTermRecord;
  'validator-set': ValidatorSetRecord;
  'validator-address': { validatorId: string };
  'validator-liveness': ValidatorLivenessRecord;
  'double-signing': DoubleSigningRecord;
  location: LocationRecord;
  'cumulative-total': number;
  'agent-stats': AgentStatsRecord;
  contribution: ContributionRecord;
  'contribution-content': string;
  'open-contributions': number;
  'contribution-receipt': ContributionReceiptRecord;
  proposal: ProposalRecord;
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
  rules: RulesRecord;
  'rules-schedule': RulesScheduleRecord;
}

export type CollectionName = keyof Collections;

interface ClosedIds {
  chain: 'identity';
  policy: 'limits';
  commitment: 'latest';
  'faucet-day': 'today';
  'proof-steps': 'latest';
  'sealed-genesis': 'mainnet';
  rules: 'active';
  'rules-schedule': 'next';
  'operator-roster': 'genesis';
  'validator-roster': 'active';
  'verifier-roster': 'active';
  'validator-term': 'current';
  supply: AccountingClass;
  counter: CounterName;
  'cumulative-total': CumulativeTotalName;
  'group-members': `${CounterName}:${string}`;
  timer: TimerId;
}

export type IdOf<Name extends CollectionName> = Name extends keyof ClosedIds
  ? ClosedIds[Name]
  : string;

interface UnlistedInfo<Record> {
  summary: string;
  /** Returns null if the record does not wait. */
  queue?: (record: Record) => QueueEntry | null;
}

/** A collection in LISTS must name the lists of a record, one in SORTED_INDEXES its sorted indexes. */
type CollectionInfo<Name extends CollectionName> = UnlistedInfo<Collections[Name]> &
  (Name extends ListedCollection
    ? { lists: (record: Collections[Name]) => ListEntry<ListName<Name>>[] }
    : { lists?: never }) &
  (Name extends SortedCollection
    ? { sortedIndexes: (record: Collections[Name]) => SortedIndexEntry<SortedIndexName<Name>>[] }
    : { sortedIndexes?: never });

const entriesAt =
  <Name extends ListedCollection>(position: ChainPosition) =>
  (list: ListName<Name>, value: string): ListEntry<ListName<Name>> => ({ list, value, position });

function registryLists<List extends string>(
  name: List,
  record: { active: boolean; installedAt: ChainPosition },
): ListEntry<List | `${List}-active`>[] {
  const position = record.installedAt;
  const all = { list: name, value: '', position };
  return record.active ? [all, { list: `${name}-active`, value: '', position }] : [all];
}

function openOrderLists(order: WorkOrderRecord): ListEntry<ListName<'order'>>[] {
  if (order.status !== 'OPEN') return [];
  const entry = entriesAt<'order'>(order.createdAt);
  if (order.agentId !== null) return [entry('orders-open-for-agent', order.agentId)];
  const terms = normalizeTags(order.requirements);
  return [
    entry('orders-open-market', ''),
    ...terms.map((term) => entry('orders-open-by-requirement', term)),
    ...(terms.length === 0 ? [entry('orders-open-without-requirements', '')] : []),
  ];
}

export const COLLECTIONS: { readonly [Name in CollectionName]: CollectionInfo<Name> } = {
  chain: { summary: 'chain/identity: chain id, epoch, genesis hash and time, open mode.' },
  policy: { summary: 'policy/limits: the bounds genesis set.' },
  validator: { summary: 'The validators of genesis, by id.' },
  authority: { summary: 'Key, roles and capabilities, by actor id.' },
  agent: {
    summary: 'The public record of an agent, by id.',
    lists: (agent) => [{ list: 'agents', value: '', position: agent.registeredAt }],
  },
  key: { summary: 'Every public key ever registered, by raw key in hex: no key is used twice.' },
  session: {
    summary: 'A live session with what it has spent, by agent id/session id.',
    queue: ({ expiresAtHeight }) => waitsBeyond('expireSession', expiresAtHeight),
  },
  'session-roster': { summary: 'The live sessions of an agent, by agent id.' },
  name: {
    summary:
      'Whose a name is, by the id in lower case without dots, underscores and hyphens; under reserved: those of genesis with look-alikes made equal.',
  },
  beacon: {
    summary:
      'The latest beacon of an agent, whether its expiry has been told, and its highest sequence, by agent id.',
    queue: ({ beacon, expired }) =>
      beacon && !expired ? waitsBeyond('expireBeacon', beacon.expiresAtHeight) : null,
    lists: ({ beacon, expired, publishedAt }) => {
      if (!beacon || expired) return [];
      const entry = entriesAt<'beacon'>(publishedAt);
      return [
        entry('beacons', ''),
        // Normalize, so that one list serves every spelling of a term.
        ...normalizeTags(beacon.capabilities).map((term) => entry('beacons-by-capability', term)),
        ...normalizeTags(beacon.protocols).map((term) => entry('beacons-by-protocol', term)),
      ];
    },
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
  'proof-steps': {
    summary: 'proof-steps/latest: the steps of all proofs of verdicts in the last block with one.',
  },
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
    summary: 'Spent nonces of a block with their expiries, by height; gone when all have expired.',
    queue: nonceLeafQueue,
  },
  timer: {
    summary:
      'System transitions that will happen, and when, unless the record of the subject says so itself; by <kind of system transition>/<id of its subject>.',
    queue: queueEntryOf,
  },
  order: {
    summary: 'A work order, by order id.',
    lists: (order) => {
      const entry = entriesAt<'order'>(order.createdAt);
      const agents = new Set([order.agentId, order.workerId].filter((id) => id !== null));
      return [
        entry('orders', ''),
        entry('orders-by-status', order.status),
        entry('orders-by-mode', order.assignmentMode),
        entry('orders-by-requester', order.requesterId),
        ...[...agents].map((agentId) => entry('orders-by-agent', agentId)),
        ...openOrderLists(order),
      ];
    },
  },
  'work-stats': {
    summary: 'Orders under way, verified orders and earnings of an actor, by actor id.',
  },
  'work-receipt': { summary: 'What a paid order paid to each account, by order id.' },
  'verifier-roster': {
    summary: 'verifier-roster/active: the verifiers that committees are drawn from.',
  },
  'verifier-evidence': {
    summary:
      'Evidence that cost a verifier a part of its bond, by hash({verifierId, orderId}): once an order.',
  },
  message: {
    summary:
      'A message as signed and what became of it, by message id; gone 20,000 heights after its end.',
    queue: ({ message, endedAtHeight }) =>
      endedAtHeight === null
        ? waitsBeyond('expireAgentMessage', message.expiresAtHeight)
        : { queue: PRUNE_MESSAGES, at: endedAtHeight + MESSAGE_RETENTION + 1 },
    lists: ({ message, status, sentAt }) => {
      const entry = entriesAt<'message'>(sentAt);
      return [
        entry('messages', ''),
        entry('messages-by-status', status),
        entry('messages-by-conversation', message.conversationId),
        ...[message.fromAgentId, message.toAgentId].flatMap((agentId) => [
          entry('messages-by-agent', agentId),
          entry('messages-by-agent-and-status', `${agentId}:${status}`),
        ]),
      ];
    },
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
    queue: ({ status, expiresAtHeight }) =>
      status === 'PREPARED' || status === 'TARGET_RESTORED'
        ? waitsBeyond('expireMemoryHandover', expiresAtHeight)
        : null,
    lists: ({ agentId, preparedAt: position }) => [
      { list: 'memory-handovers', value: '', position },
      { list: 'memory-handovers-by-agent', value: agentId, position },
    ],
  },
  'runtime-offer': {
    summary: 'The last offer of a runtime and whether its expiry has been told, by runtime id.',
    queue: ({ expired, expiresAtHeight }) =>
      expired ? null : waitsBeyond('expireRuntimeOffer', expiresAtHeight),
  },
  token: {
    summary: 'A custom token with its supply, cap, mint authority and count of holders, by id.',
    lists: ({ createdAt }) => [{ list: 'tokens', value: '', position: createdAt }],
  },
  'token-holder': {
    summary: 'What an actor holds of a token, by token id/actor id; never zero.',
    sortedIndexes: ({ tokenId, amount }) => [
      { list: 'token-holders', value: tokenId, rank: amount },
    ],
  },
  application: {
    summary: 'Who applied for which role with which scope, by application id.',
    lists: ({ status, submittedAt: position }) => [
      { list: 'applications', value: '', position },
      { list: 'applications-by-status', value: status, position },
    ],
  },
  invitation: {
    summary: 'Approved applications, bound to a key until claimed, by invitation id.',
    lists: ({ status, issuedAt: position }) => [
      { list: 'invitations', value: '', position },
      { list: 'invitations-by-status', value: status, position },
    ],
  },
  'application-reservation': {
    summary:
      'The unfinished application that reserves a name (actor:<name>) or a key (key:<raw key, hex>).',
  },
  resignation: {
    summary: 'A role given up whose bond is on its way back, by role/actor id.',
  },
  payout: { summary: 'Who gets the bonds of an actor should it be revoked, by actor id.' },
  revocation: {
    summary: 'Authorities revoked for good, and when their bonds go back, by actor id.',
  },
  suspension: {
    summary: 'The registries a suspended agent comes back to, by agent id.',
  },
  verifier: {
    summary: 'Bonded verifiers with their independence group and votes, by actor id.',
    lists: (record) => registryLists('verifiers', record),
  },
  'validator-candidate': {
    summary: 'Bonded validator candidates, by actor id.',
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
    sortedIndexes: ({ positions }) =>
      positions.map(({ validatorId, shares }) => ({
        list: 'delegators',
        value: validatorId,
        rank: shares,
      })),
  },
  unbonding: {
    summary: 'Undelegated stake until its release, by the hash of the transition.',
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
  'validator-term': {
    summary:
      'validator-term/current: the number of the current set and the last height of its term, if the set can change.',
    queue: ({ lastHeight }) => waitsBeyond('changeValidatorSet', lastHeight),
  },
  'validator-set': {
    summary: 'A set of validators with the first height it certifies, by its number from 0 on.',
  },
  'validator-address': {
    summary: 'Who has ever been in a set, by the address under which CometBFT knows the key.',
  },
  'validator-liveness': {
    summary: 'What a validator has missed lately, and until when it is jailed, by actor id.',
  },
  'double-signing': {
    summary: 'What a validator that has signed twice lost, by actor id: once.',
  },
  location: {
    summary:
      'Nodes and validators by region, country or fault domain of their last heartbeats, by hash({dimension, label}).',
    sortedIndexes: ({ dimension, nodes, validators }) => [
      { list: 'locations', value: dimension, rank: nodes + validators },
    ],
  },
  'cumulative-total': { summary: 'What has ever moved for one purpose, in unet, by its name.' },
  'agent-stats': {
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
    summary:
      'The last contribution with a content hash, by that hash: the same content is not submitted again.',
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
    lists: ({ status, openedAt: position }) => [
      { list: 'proposals', value: '', position },
      { list: 'proposals-by-status', value: status, position },
    ],
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
    summary: 'The release of a version, by target component/version: no version means two things.',
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
    // An engagement with findings does not expire, because it waits for the answers.
    queue: ({ status, findings, dueAtHeight }) =>
      status === 'OPEN' && findings === 0
        ? waitsBeyond('expireAuditEngagement', dueAtHeight)
        : null,
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
  rules: {
    summary:
      'rules/active: the version of the rules with its first height, and the version before. Absent while the chain has version 1.',
  },
  'rules-schedule': {
    summary: 'rules-schedule/next: the scheduled version of the rules with those who are ready.',
    queue: ({ decided, height }) =>
      decided ? waitsBeyond('activateRules', height - 1) : waitsBeyond('decideRules', height - 2),
  },
};

export function stateKey<Name extends CollectionName>(collection: Name, id: IdOf<Name>): string {
  return `${collection}/${id}`;
}

export function parseStateKey(key: string): { collection: CollectionName; id: string } | null {
  const slash = key.indexOf('/');
  const collection = key.slice(0, slash);
  if (slash < 1 || !Object.hasOwn(COLLECTIONS, collection)) return null;
  return { collection: collection as CollectionName, id: key.slice(slash + 1) };
}
