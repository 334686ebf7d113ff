import type { CumulativeTotalName } from './cumulative-total-names.ts';
import type { WritableState } from './state.ts';

export function addToTotal(state: WritableState, name: CumulativeTotalName, amount: number): void {
  if (amount === 0) return;
  // The same money counts each time it moves, so bound the sum to a safe integer.
  const sum = Math.min(
    (state.get('cumulative-total', name) ?? 0) + amount,
    Number.MAX_SAFE_INTEGER,
  );
  state.put('cumulative-total', name, sum);
}
