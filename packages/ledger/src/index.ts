export {
  ACCOUNTING_CLASSES,
  type AccountingClass,
  CLASS_NAMES,
  classAccount,
  classOf,
} from './accounting-classes.ts';
export type { Action } from './action.ts';
export { namesPolicyOf } from './name-price.ts';
export {
  faucetAllowance,
  faucetDay,
  faucetLimitsOf,
  leftToday,
} from './actions/accounts/faucet.ts';
export { AgentRecord, ReferralRecord } from './actions/agents/records.ts';
export { CONTRIBUTION_COUNTERS, REQUIRED_GROUPS } from './actions/contributions/contribution.ts';
export { CONTRIBUTION_STATUSES, ContributionRecord } from './actions/contributions/records.ts';
export { submitProtocolContribution } from './actions/contributions/submit-protocol-contribution.ts';
export { enactedProposal, PROPOSAL_COUNTERS } from './actions/governance/proposals.ts';
export {
  ChamberTally,
  PROPOSAL_STATUSES,
  ProposalRecord,
  ProposalVoteRecord,
  ReleaseRecord,
} from './actions/governance/records.ts';
export { Guardians, RecoveryRecord } from './actions/keys/records.ts';
export { guardiansInForce } from './actions/keys/recovery.ts';
export { commitMemoryCheckpoint } from './actions/memory/commit-memory-checkpoint.ts';
export { handoverAt } from './actions/memory/handover.ts';
export { MemoryCheckpoint } from './actions/memory/memory-checkpoint.ts';
export { prepareMemoryHandover } from './actions/memory/prepare-memory-handover.ts';
export { MemoryHandoverRecord, type MemoryRecord } from './actions/memory/records.ts';
export { AgentMessage } from './actions/messages/agent-message.ts';
export { MAX_LIVE_MESSAGES } from './actions/messages/message.ts';
export { MessageRecord } from './actions/messages/records.ts';
export { APPLICATION_PROFILES } from './actions/operators/application.ts';
export {
  ApplicationRecord,
  InvitationRecord,
  type ValidatorCandidateRecord,
} from './actions/operators/records.ts';
export { MAX_ROSTER } from './actions/operators/verifier-roster.ts';
export { AgentBeacon } from './actions/presence/publish-beacon.ts';
export {
  type BeaconRecord,
  HeartbeatReport,
  LOCATION_DIMENSIONS,
  type LocationDimension,
  type NodeHeartbeatRecord,
} from './actions/presence/records.ts';
export { MAX_ATTESTATIONS } from './actions/readiness/attest-wallet-distribution.ts';
export {
  AuditEngagementRecord,
  AuditFindingRecord,
  OpenFindings,
  WALLET_CHANNELS,
  WalletDistributionRecord,
  WalletVersion,
} from './actions/readiness/records.ts';
export { MAX_FINDINGS } from './actions/readiness/submit-audit-finding.ts';
export { REQUIRED_WALLET_GROUPS } from './actions/readiness/wallet.ts';
export {
  ACTIONS,
  AGENT_BASE_SET,
  AGENT_POLICY_SET,
  GRANTS,
  grantsAt,
  ROLE_SETS,
} from './actions/registry.ts';
export { readyPower } from './actions/rules/schedule.ts';
export { SessionRecord } from './actions/sessions/records.ts';
export { sessionIdsOf, sessionKey } from './actions/sessions/session.ts';
export { stakeOf, worthOf } from './actions/staking/stake.ts';
export { unbondingWorth } from './actions/staking/unbonding.ts';
export { TokenHolderRecord, TokenRecord } from './actions/tokens/records.ts';
export { TokenId } from './actions/tokens/token-fields.ts';
export { eligibleVerifiers } from './actions/work/committee.ts';
export { outstandingVoters } from './actions/work/sealed-votes.ts';
export { createWorkOrder } from './actions/work/create-work-order.ts';
export {
  holdsBondToTheEnd,
  isSubstantial,
  MAX_OPEN_ORDERS,
  MAX_UNFINISHED_ORDERS,
  MAX_UNPROVEN_ORDERS,
  ORDER_COUNTERS,
  rulesOf,
  unfinishedLimit,
  workStatsOf,
} from './actions/work/order.ts';
export {
  RequesterHistory,
  WORK_ORDER_STATUSES,
  WorkOrderRecord,
  type WorkReceiptRecord,
} from './actions/work/records.ts';
export { SLASHED_PART } from './actions/work/slash-verifier.ts';
export {
  DEFAULT_VALIDATION_POLICY,
  WorkValidationPolicy,
} from './actions/work/validation-policy.ts';
export { agentStatsOf } from './agent-stats.ts';
export { effectiveCapabilities, holdsCapability } from './authority.ts';
export { hasDueWork, MAX_SYSTEM_TRANSITIONS } from './begin-block.ts';
export {
  BlockExecution,
  type ExecutedBlock,
  makeSubmission,
  type Outcome,
  type Submission,
  type TraceOf,
} from './block-execution.ts';
export { ROLES } from './capability.ts';
export { AuthorityRecord, type ChainRecord, type PolicyRecord } from './chain-records.ts';
export {
  type CollectionName,
  type Collections,
  COLLECTIONS,
  type IdOf,
  parseStateKey,
} from './collections.ts';
export { type CounterName, COUNTERS } from './counter-names.ts';
export {
  CUMULATIVE_TOTAL_NAMES,
  CUMULATIVE_TOTALS,
  type CumulativeTotalName,
} from './cumulative-total-names.ts';
export { type Deadline, hasExpired, isReached } from './deadline.ts';
export { EVENT_DATA, EVENT_MEMBERS, EVENT_OWN_MEMBERS } from './event-data.ts';
export { isReservedSince } from './names.ts';
export { EVENTS, eventSubjects, type EventType } from './events.ts';
export { forkState } from './fork-state.ts';
export { DEVNET_VALIDATOR_SET, withChangingSet } from './genesis-owners.ts';
export {
  DEVNET_POLICY,
  devnetGenesis,
  GENESIS_SHARES,
  genesisState,
  genesisValidatorSet,
  validateGenesis,
} from './genesis.ts';
export type { Grants } from './grants.ts';
export { LABORATORY_KEY, substituteKey } from './laboratory.ts';
export type {
  ListedCollection,
  ListEntry,
  ListName,
  SortedCollection,
  SortedIndexEntry,
  SortedIndexName,
} from './lists.ts';
export { LISTS, SORTED_INDEXES } from './lists.ts';
export { normalizeTag, normalizeTags } from './normalize-tag.ts';
export { isObservationKind, type Observation } from './observations.ts';
export { genesisCandidate, type Readiness, readinessOf } from './readiness.ts';
export { RuleError, type RuleErrorData } from './rule-error.ts';
export {
  addedPolicy,
  NEWEST_RULES,
  requireKnownRules,
  RULES_VERSIONS,
  rulesAt,
  type RulesSpan,
  UnknownRulesError,
} from './rules.ts';
export { requireDeclaredKey, requireValidKey } from './self-signed.ts';
export { proposalSubject } from './standing-proposal.ts';
export { queueEntry, StateOverlay, type StateReader, type Write } from './state.ts';
export { SYSTEM_TRANSITIONS } from './system/registry.ts';
export { type QueueEntry, TIMER_LIMITS, timerQueue } from './timer-queue.ts';
export { TransitionTrace } from './transition-trace.ts';
export { type BlockContext, requireNoKeyMaterial } from './transition.ts';
export { TRANSITIONS } from './transitions/registry.ts';
export { validatorSetAt } from './validator-set.ts';
