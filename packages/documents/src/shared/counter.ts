import type { CounterName } from '@netd/ledger';
import type { Snapshot } from '@netd/engine/reads';

export function counterOf(snapshot: Snapshot, name: CounterName): number {
  return snapshot.get('counter', name) ?? 0;
}
