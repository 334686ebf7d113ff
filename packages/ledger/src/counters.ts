/** Counts kept in state as things happen, because nothing is ever counted by walking. */
import type { WritableState } from './state.ts';

export const COUNTERS = {
  agents: 'Registered agents.',
  'active-agents': 'Agents whose status is active.',
  referrals: 'Referrals recorded, pending and qualified.',
  'key-rotations': 'Keys replaced by rotation.',
  'key-recoveries': 'Keys replaced by guardians.',
  'node-heartbeats': 'Follower nodes that have ever sent a heartbeat.',
  'work-orders': 'Work orders ever created.',
  'work-orders-open': 'Work orders whose status is OPEN.',
  'work-orders-accepted': 'Work orders whose status is ACCEPTED.',
  'work-orders-verifying': 'Work orders whose status is VERIFYING.',
  'work-orders-paid': 'Work orders whose status is PAID: verified work.',
  'work-orders-rejected': 'Work orders whose status is REJECTED, cancelled ones among them.',
  'qualified-referrals': 'Referrals that verified paid work has qualified.',
  messages: 'Messages ever committed to.',
  'live-messages': 'Messages that are neither acknowledged nor expired.',
  'memory-checkpoints': 'Memory checkpoints committed.',
  'memory-handovers': 'Handovers prepared, whatever became of them.',
  'open-memory-handovers': 'Handovers prepared or restored, and not ended yet.',
  'finalized-memory-handovers': 'Handovers that changed the active runtime.',
  'runtime-offers': 'Runtimes ever offered.',
  tokens: 'Custom tokens.',
  applications: 'Applications ever committed.',
  'authorities-revoked': 'Authorities that an operator has revoked.',
  'active-verifiers': 'Verifiers that are bonded and not revoked.',
  'active-validator-candidates': 'Validator candidates that are bonded and not revoked.',
  'active-runtime-providers': 'Runtime providers that are bonded and not revoked.',
  'active-auditors': 'Auditors that are not revoked.',
  delegators: 'Actors that have something delegated now.',
  delegations: 'Delegations that stand now: pairs of a delegator and a validator candidate.',
  unbondings: 'Unbondings that wait for their release.',
  'validator-heartbeats': 'Validator candidates that have ever sent a heartbeat.',
  'validator-faults': 'Equivocations of validator candidates that were proven.',
  'verifier-groups': 'Independence groups that active verifiers belong to.',
  'auditor-groups': 'Independence groups that active auditors belong to.',
  'validator-fault-domains': 'Fault domains of active validator candidates.',
  'provider-fault-domains': 'Fault domains of active runtime providers.',
  'wallet-distributions': 'Versions of wallet builds on channels that an auditor has attested.',
  'wallet-channels-attested': 'Wallet channels with a build attested from two groups.',
  'audit-engagements': 'Audit engagements ever created.',
  'audit-engagements-closed':
    'Audit engagements that were reported on and closed without open critical or high findings.',
  'audit-findings': 'Audit findings ever submitted.',
  'open-findings-critical': 'Findings of severity CRITICAL that are open.',
  'open-findings-high': 'Findings of severity HIGH that are open.',
  'open-findings-medium': 'Findings of severity MEDIUM that are open.',
  'open-findings-low': 'Findings of severity LOW that are open.',
  releases: 'Releases ever recorded.',
} as const;
export type CounterName = keyof typeof COUNTERS;

export function count(state: WritableState, name: CounterName, change: number): void {
  state.put('counter', name, (state.get('counter', name) ?? 0) + change);
}
