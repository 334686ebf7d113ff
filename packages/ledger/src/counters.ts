/** Counters in state, so that no reader has to walk records to count them. */
import type { CounterName } from './counter-names.ts';
import type { WritableState } from './state.ts';

export function count(state: WritableState, name: CounterName, change: number): void {
  state.put('counter', name, (state.get('counter', name) ?? 0) + change);
}
