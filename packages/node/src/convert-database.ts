/** Converts a database at the start of its node, or beforehand, beside a running node. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  asDataDirError,
  convert,
  type ConvertProgress,
  DataDirError,
  forkBaseFrom,
  isPrepared,
  type PutForkBase,
  removeWritten,
  Store,
  STORE_FORMAT,
  swap,
  swapBack,
  sweepConversion,
  UPGRADE,
  UPGRADE_ENTRIES,
  wayOf,
} from '@netd/engine';
import { asDatabaseError, GENESIS_FILE, placesIn, readGenesis } from './data-dir.ts';
import { lockDataDir } from './data-dir-lock.ts';

export type ConversionStep = `convert.${ConvertProgress['phase'] | 'kept' | 'placed' | 'cleared'}`;

export interface ConvertDatabaseOptions {
  onConversion?: ((progress: ConvertProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
  reach?: (step: ConversionStep, done: number) => void;
}

/** The caller holds the lock of the data directory. */
export async function convertAtStart(
  dataDir: string,
  options: ConvertDatabaseOptions,
): Promise<void> {
  const { path, storePath } = placesIn(resolve(dataDir));
  if (!existsSync(join(storePath, 'data.mdb'))) return;
  const facts = await Store.describe(storePath);
  const isOlder = facts.format !== null && facts.format !== STORE_FORMAT;
  // If only lists are outdated, they are rebuilt in place, unless a database with new lists is prepared.
  const isDue = wayOf(facts) !== null && (isOlder || isPrepared(storePath));
  if (!isDue && !existsSync(join(storePath, UPGRADE))) return;
  await whileLocked(storePath, async () => {
    await sweepConversion(storePath, isDue);
    if (isDue) {
      await convert(storePath, conversion(path, options));
      swap(storePath, (step) => options.reach?.(`convert.${step}`, 0));
    }
  });
}

export interface Prepared {
  height: number;
  blockHash: string;
}

/**
 * Converts beside a node that may run. Its next start puts the result into place.
 * @returns null if there is nothing to convert
 * @throws DataDirError, StoreError; the database in use stays as it is
 */
export async function prepareDatabase(
  dataDir: string,
  options: ConvertDatabaseOptions = {},
): Promise<Prepared | null> {
  const { path, storePath } = placesIn(resolve(dataDir));
  try {
    const facts = await Store.describe(storePath);
    if (wayOf(facts) === null && facts.format === STORE_FORMAT) return null;
    return await whileLocked(storePath, () => convert(storePath, conversion(path, options)));
  } catch (error) {
    throw asDataDirError(path, asDatabaseError(path, error));
  }
}

/**
 * Puts back the database from before the conversion.
 * @throws DataDirError if the node runs, or a block was made since
 */
export async function undoConversion(dataDir: string): Promise<Prepared> {
  const { path, storePath } = placesIn(resolve(dataDir));
  if (!existsSync(join(storePath, 'data.mdb'))) {
    throw new DataDirError(`there is no chain in ${path}: name its data directory with -d`);
  }
  const unlock = lockDataDir(path);
  try {
    return await whileLocked(storePath, () => swapBack(storePath));
  } catch (error) {
    throw asDataDirError(path, asDatabaseError(path, error));
  } finally {
    unlock();
  }
}

/** Allows one conversion at a time; the node may hold the data directory's own lock. */
async function whileLocked<Result>(
  storePath: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = join(storePath, UPGRADE);
  const unlock = lockDataDir(folder, 'upgrade');
  try {
    return await work();
  } finally {
    unlock();
    const isEmpty = !['copy', 'next', 'before'].some((name) => existsSync(join(folder, name)));
    if (isEmpty) removeWritten(folder, UPGRADE_ENTRIES);
  }
}

function conversion(
  dataDir: string,
  { onConversion, signal, reach }: ConvertDatabaseOptions,
): Parameters<typeof convert>[1] {
  const fork = readGenesis(join(dataDir, GENESIS_FILE))?.fork;
  const putForkBase: PutForkBase | undefined = fork && forkBaseFrom(dataDir, fork);
  return {
    putForkBase,
    signal,
    onProgress: (progress) => {
      onConversion?.(progress);
      reach?.(`convert.${progress.phase}`, progress.done);
    },
  };
}
