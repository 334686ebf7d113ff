import type { ChainEvent, ValidatorSetChange } from '@netd/protocol';
import type { Snapshot } from '../store/snapshot.ts';

const MAX_SET_CHANGES = 50;

/**
 * Returns changes whose sets begin after a height, oldest first.
 * @returns `next`: the height to continue from; null at the end
 * @throws HistoryNotHeldError if a block is missing
 */
export function setChangesAfter(
  snapshot: Snapshot,
  after: number,
  limit = MAX_SET_CHANGES,
): { changes: ValidatorSetChange[]; next: number | null } {
  const last = snapshot.get('validator-term', 'current')?.set ?? 0;
  const changes: ValidatorSetChange[] = [];
  const first = firstAfter(snapshot, after, last);
  const end = Math.min(last, first + limit - 1);
  for (let number = first; number <= end; number++) {
    const record = snapshot.get('validator-set', String(number));
    if (record) changes.push(changeOf(snapshot, record));
  }
  return { changes, next: end < last ? (changes.at(-1)?.fromHeight ?? null) : null };
}

/**
 * Returns the number of the first set that begins after a height. Set 0 is skipped: genesis is not a change.
 */
function firstAfter(snapshot: Snapshot, after: number, last: number): number {
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { fromHeight = 0 } = snapshot.get('validator-set', String(middle)) ?? {};
    if (fromHeight > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

function changeOf(
  snapshot: Snapshot,
  { fromHeight, validatorSet }: Pick<ValidatorSetChange, 'fromHeight' | 'validatorSet'>,
): ValidatorSetChange {
  const height = fromHeight - 1;
  const block = snapshot.blockAt(height);
  const texts = snapshot.eventTexts(height);
  const stored = texts.find(({ text }) => isChange(JSON.parse(text) as ChainEvent));
  if (!block || !stored) throw new Error(`block ${height} has no change of validators`);
  const event = JSON.parse(stored.text) as ValidatorSetChange['event'];
  const { header, certificate } = block;
  const proof = snapshot.eventProof(height, stored.index);
  return { fromHeight, validatorSet, header, certificate, event, proof };
}

const isChange = ({ type }: ChainEvent): boolean => type === 'ValidatorSetChanged';
