import type { CounterName } from '@netd/ledger';
import type { Snapshot } from '@netd/engine/reads';

/** A count that the ledger keeps, by its name. */
export function counterOf(snapshot: Snapshot, name: CounterName): number {
  return snapshot.get('counter', name) ?? 0;
}
