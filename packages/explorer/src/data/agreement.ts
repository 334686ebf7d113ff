/** Whether what a document says is what was proven. */
import { canonicalize } from '@netd/protocol';

/**
 * The members in which a document differs from the proven record.
 * @param members those that the page shows; of a record that may have changed since, those that never do
 */
export function differences(
  shown: Readonly<Record<string, unknown>>,
  proven: unknown,
  members: readonly string[],
): string[] {
  if (typeof proven !== 'object' || proven === null) return [...members];
  const record = proven as Readonly<Record<string, unknown>>;
  return members.filter((name) => text(shown[name]) !== text(record[name]));
}

const text = (value: unknown): string => canonicalize(value === undefined ? null : value);
