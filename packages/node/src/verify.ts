import { join, resolve } from 'node:path';
import {
  type ChainPlace,
  checkpointsIn,
  forkBaseFrom,
  forkPointIn,
  replayDatabase,
  traceDatabase,
  verifyDatabase as verifyStore,
  type VerifyOptions,
  type VerifyReport,
} from '@netd/engine';
import { GENESIS_FILE, placesIn, readGenesis } from './data-dir.ts';

export function verifyDataDir(dataDir: string, options: VerifyOptions): Promise<VerifyReport> {
  const root = resolve(dataDir);
  const fork = readGenesis(join(root, GENESIS_FILE))?.fork;
  const putForkBase = fork && forkBaseFrom(root, fork);
  return verifyStore(placesIn(root).storePath, { ...options, putForkBase });
}

/** @throws as traceDatabase */
export const traceDataDir = async (
  dataDir: string,
  transitionHash: string,
): ReturnType<typeof traceDatabase> => traceDatabase(await chainIn(dataDir), transitionHash);

/** @throws as replayDatabase */
export const replayDataDir = async (
  dataDir: string,
  act: Parameters<typeof replayDatabase>[1],
): ReturnType<typeof replayDatabase> => replayDatabase(await chainIn(dataDir), act);

async function chainIn(dataDir: string): Promise<ChainPlace> {
  const root = resolve(dataDir);
  const { storePath: path, checkpointsPath } = placesIn(root);
  const fork = readGenesis(join(root, GENESIS_FILE))?.fork;
  const point = fork && forkPointIn(root, fork);
  const forked = point ? [{ directory: point.directory, checkpoint: point.point.checkpoint }] : [];
  return { path, states: [...forked, ...(await checkpointsIn(checkpointsPath))] };
}

export { type TraceReport, traceReport, verifyDatabase, type VerifyReport } from '@netd/engine';
export { verifyUrl } from '@netd/sync';
