import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirError } from '../data-dir-error.ts';
import { syncDirectory } from '../durable-file.ts';
import { Store } from '../store/store.ts';
import { clearPlace, DATABASE_ENTRIES, removeWritten } from '../written-entries.ts';
import { hashAt, placesIn, type Head } from './convert.ts';

export type SwapStep = 'kept' | 'placed' | 'cleared';

/**
 * Puts the converted database into place. The caller holds the data directory's lock, and the database is
 * closed. A crash leaves either the old one or the new one.
 */
export function swap(storePath: string, onStep: (step: SwapStep) => void = () => {}): void {
  const { next, before } = placesIn(storePath);
  clearPlace(before, DATABASE_ENTRIES);
  mkdirSync(before, { mode: 0o700 });
  linkSync(join(storePath, 'data.mdb'), join(before, 'data.mdb'));
  syncDirectory(before);
  onStep('kept');
  renameSync(join(next, 'data.mdb'), join(storePath, 'data.mdb'));
  syncDirectory(storePath);
  onStep('placed');
  clearAfterSwap(storePath);
  onStep('cleared');
}

/** Deletes the old database's table of readers, which would point LMDB at a wrong last transaction. */
function clearAfterSwap(storePath: string): void {
  rmSync(join(storePath, 'lock.mdb'), { force: true });
  removeWritten(placesIn(storePath).next, DATABASE_ENTRIES);
}

/**
 * Removes the old database after the first new block. The caller holds the lock.
 * @param isDue true to keep drafts for a conversion that follows
 */
export async function sweepConversion(storePath: string, isDue: boolean): Promise<void> {
  const { copy, next, before } = placesIn(storePath);
  const has = (place: string): boolean => existsSync(join(place, 'data.mdb'));
  // Clear only after a crash between rename and clearing. At other times, a reader may be registered in
  // lock.mdb.
  if (existsSync(next) && !has(next) && has(before)) clearAfterSwap(storePath);
  if (!isDue) for (const draft of [copy, next]) removeWritten(draft, DATABASE_ENTRIES);
  if (!has(before)) return;
  const [here, old] = [await Store.describe(storePath), await Store.describe(before)];
  if ((here.height ?? 0) > (old.height ?? 0)) removeWritten(before, DATABASE_ENTRIES);
}

/** True if `convert` has prepared a database that is not in its place yet. */
export const isPrepared = (storePath: string): boolean =>
  existsSync(join(placesIn(storePath).next, 'data.mdb'));

/**
 * Puts the old database back, and leaves keys and records of signatures alone. The caller holds the lock.
 * @throws DataDirError if no old database is left, or a block was made since
 */
export async function swapBack(storePath: string): Promise<Head> {
  const { before } = placesIn(storePath);
  const kept = join(before, 'data.mdb');
  if (!existsSync(kept)) {
    throw new DataDirError(
      `${storePath} has no database from before a conversion: it was never converted, or a block was made since. Go on with this version, or restore a backup (netd restore)`,
    );
  }
  const head = await headOfBoth(storePath, before);
  renameSync(kept, join(storePath, 'data.mdb'));
  syncDirectory(storePath);
  clearAfterSwap(storePath);
  removeWritten(before, DATABASE_ENTRIES);
  return head;
}

async function headOfBoth(storePath: string, before: string): Promise<Head> {
  const options = { readOnly: true, anyFormat: true, anyLists: true };
  const [here, old] = [Store.open(storePath, options), Store.open(before, options)];
  try {
    const [now, height] = [here.headHeight() ?? 0, old.headHeight() ?? 0];
    const hash = hashAt(old, height);
    if (now === height && hash !== null && hashAt(here, now) === hash) {
      return { height, blockHash: hash };
    }
    throw new DataDirError(
      `block ${now} was made since the conversion at block ${height}, and may be signed: going back would lose it. Go on with this version`,
    );
  } finally {
    await here.close();
    await old.close();
  }
}
