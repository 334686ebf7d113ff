/** Finds the keys that `netd join` made: `<key dir>/<chain id>/<actor id>.json`. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readKeyFile, type KeyFile } from '@netd/node/keys';
import { CommandError } from './command-error.ts';

/** The key directory: $NET_HOME, else ~/.netd/keys. */
export function defaultKeyDir(): string {
  return process.env['NET_HOME'] ?? join(homedir(), '.netd', 'keys');
}

/** @throws CommandError where there is no such key, saying how to get one */
export function findKey(keyDir: string, chainId: string, actorId: string): KeyFile {
  const path = join(keyDir, chainId, `${actorId}.json`);
  try {
    return readKeyFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CommandError(
      `there is no key for ${actorId} on ${chainId} at ${path}; make one with: npx netd join ${actorId}`,
    );
  }
}
