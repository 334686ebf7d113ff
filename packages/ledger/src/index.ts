export * from './accounting-classes.ts';
export * from './accounting.ts';
export { faucetAllowance, faucetDay, leftToday } from './actions/accounts/faucet.ts';
export * from './action.ts';
export { APPLICATION_PROFILES, applicationStatus } from './actions/operators/application.ts';
export { guardiansInForce } from './actions/keys/recovery.ts';
export { AgentBeacon } from './actions/presence/publish-beacon.ts';
export {
  ACTIONS,
  AGENT_BASE_SET,
  AGENT_POLICY_SET,
  GRANTS,
  ROLE_SETS,
} from './actions/registry.ts';
export { WorkValidationPolicy } from './actions/work/validation-policy.ts';
export * from './authority.ts';
export * from './observations.ts';
export { validatorSetAt, votingPowerOf } from './validator-set.ts';
export { hasDueWork, MAX_SYSTEM_TRANSITIONS } from './begin-block.ts';
export * from './block-execution.ts';
export * from './capability.ts';
export * from './collections.ts';
export * from './actions/accounts/records.ts';
export * from './actions/agents/records.ts';
export * from './actions/contributions/records.ts';
export * from './actions/governance/records.ts';
export * from './actions/keys/records.ts';
export * from './actions/memory/records.ts';
export * from './actions/messages/records.ts';
export * from './actions/operators/records.ts';
export * from './actions/presence/records.ts';
export * from './actions/readiness/records.ts';
export * from './actions/sessions/records.ts';
export { sessionIdsOf, sessionKey } from './actions/sessions/session.ts';
export * from './actions/staking/records.ts';
export * from './actions/tokens/records.ts';
export * from './actions/work/records.ts';
export * from './chain-records.ts';
export { LABORATORY_KEY, substituteKey } from './laboratory.ts';
export * from './counter-names.ts';
export * from './deadline.ts';
export * from './event-data.ts';
export * from './events.ts';
export * from './fork-state.ts';
export * from './genesis.ts';
export { DEVNET_VALIDATOR_SET, withChangingSet, type OwnedValidator } from './genesis-owners.ts';
export type { Grant, Grants } from './grants.ts';
export * from './lists.ts';
export * from './rule-error.ts';
export * from './self-signed.ts';
export * from './state.ts';
export { SYSTEM_TRANSITIONS, type SystemKind } from './system/registry.ts';
export * from './timer-queue.ts';
export * from './transition-trace.ts';
export * from './transition.ts';
export { TRANSITIONS } from './transitions/registry.ts';
export { commitMemoryCheckpoint } from './actions/memory/commit-memory-checkpoint.ts';
export { MemoryCheckpoint } from './actions/memory/memory-checkpoint.ts';
export { handoverAt } from './actions/memory/handover.ts';
export { prepareMemoryHandover } from './actions/memory/prepare-memory-handover.ts';
export { AgentMessage } from './actions/messages/agent-message.ts';
export { createWorkOrder } from './actions/work/create-work-order.ts';
export { TokenId } from './actions/tokens/token-fields.ts';
export * from './cumulative-total-names.ts';
export { stakeOf, worthOf } from './actions/staking/stake.ts';
export { unbondingWorth } from './actions/staking/unbonding.ts';
export { MAX_LIVE_MESSAGES } from './actions/messages/message.ts';
export {
  MAX_OPEN_ORDERS,
  MAX_UNFINISHED_ORDERS,
  MAX_UNPROVEN_ORDERS,
  ORDER_COUNTERS,
  unfinishedLimit,
} from './actions/work/order.ts';
export { agentStatsOf } from './agent-stats.ts';
export { CONTRIBUTION_COUNTERS, REQUIRED_GROUPS } from './actions/contributions/contribution.ts';
export { submitProtocolContribution } from './actions/contributions/submit-protocol-contribution.ts';
export {
  chamberAgrees,
  enactedProposal,
  PROPOSAL_COUNTERS,
} from './actions/governance/proposals.ts';
export { proposalSubject } from './standing-proposal.ts';
export { MAX_ATTESTATIONS } from './actions/readiness/attest-wallet-distribution.ts';
export { SEVERITIES } from './actions/readiness/audit.ts';
export { MAX_FINDINGS } from './actions/readiness/submit-audit-finding.ts';
export {
  REQUIRED_WALLET_GROUPS,
  WALLET_CHANNELS,
  WalletVersion,
} from './actions/readiness/wallet.ts';
export { MAX_ROSTER } from './actions/operators/verifier-roster.ts';
export { SLASHED_PART } from './actions/work/submit-verifier-evidence.ts';
export { DEFAULT_VALIDATION_POLICY } from './actions/work/validation-policy.ts';
export * from './readiness.ts';
export { workStatsOf } from './actions/work/order.ts';
export { normalizeTag, normalizeTags } from './normalize-tag.ts';
