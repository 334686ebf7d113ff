/** Counts kept in state as things happen, because nothing is ever counted by walking. */
import type { WritableState } from './state.ts';

export const COUNTERS = {
  agents: 'Registered agents.',
  'active-agents': 'Agents whose status is active.',
  referrals: 'Referrals recorded, pending and qualified.',
  'key-rotations': 'Keys replaced by rotation.',
  'key-recoveries': 'Keys replaced by guardians.',
  'node-heartbeats': 'Follower nodes that have ever sent a heartbeat.',
} as const;
export type CounterName = keyof typeof COUNTERS;

export function count(state: WritableState, name: CounterName, change: number): void {
  state.put('counter', name, (state.get('counter', name) ?? 0) + change);
}
