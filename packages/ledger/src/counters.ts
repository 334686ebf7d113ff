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
} as const;
export type CounterName = keyof typeof COUNTERS;

export function count(state: WritableState, name: CounterName, change: number): void {
  state.put('counter', name, (state.get('counter', name) ?? 0) + change);
}
