/** Verifies a data directory or another node from genesis: a door of its own, because `netd verify` needs nothing else. */
import { join, resolve } from 'node:path';
import { verifyDatabase as verifyStore, type VerifyOptions, type VerifyReport } from '@netd/engine';
import { forkBaseFrom } from '@netd/sync';
import { GENESIS_FILE, placesIn, readGenesis } from './data-dir.ts';

/** Replays the chain in a data directory; its node may be running. */
export function verifyDataDir(dataDir: string, options: VerifyOptions): Promise<VerifyReport> {
  const root = resolve(dataDir);
  const fork = readGenesis(join(root, GENESIS_FILE))?.fork;
  const putForkBase = fork && forkBaseFrom(root, fork);
  return verifyStore(placesIn(root).storePath, { ...options, putForkBase });
}

export { verifyDatabase, type VerifyReport } from '@netd/engine';
export { verifyUrl } from '@netd/sync';
