/** The data directory of a follower: a genesis document that somebody else made, and whom it follows. No keys. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { validateGenesis } from '@netd/ledger';
import { genesisHash, type Genesis } from '@netd/protocol';
import { asDataDirError, DataDirError } from '../data-dir-error.ts';
import {
  FOLLOWER_FACTS,
  GENESIS_FILE,
  placesIn,
  readGenesis,
  sweepLeftovers,
  type DataDir,
} from '../data-dir.ts';
import { writeOnce } from '../keys.ts';
import { Origin } from './origin.ts';

export interface FollowerDir extends DataDir {
  /** Base addresses, those of the last time where none were named. */
  origins: string[];
  /** Whether the genesis hash is one that the operator named, now or before. */
  anchored: boolean;
  forkPath: string;
}

/** Following cannot begin; a sentence for the operator. */
export class FollowError extends Error {
  override name = 'FollowError';
}

interface FollowerFacts {
  schema: 'NET-FOLLOWER/1';
  origins: string[];
  genesisHash: string;
  anchored: boolean;
}

export interface FollowerDirOptions {
  /** Base addresses of nodes; none to go on with those of the last time. */
  origins: readonly string[];
  /** The genesis hash the operator trusts. */
  genesisHash?: string | undefined;
}

/**
 * Opens a follower's data directory, or makes one for the chain of the origins. The caller holds its lock.
 * @throws FollowError, DataDirError
 */
export async function openFollowerDir(
  path: string,
  options: FollowerDirOptions,
): Promise<FollowerDir> {
  const root = resolve(path);
  try {
    return await open(root, options);
  } catch (error) {
    throw asDataDirError(root, error);
  }
}

async function open(root: string, options: FollowerDirOptions): Promise<FollowerDir> {
  sweepLeftovers(root);
  const genesisPath = join(root, GENESIS_FILE);
  const factsPath = join(root, FOLLOWER_FACTS);
  const known = readGenesis(genesisPath);
  const before = readFacts(factsPath);
  if (known && !before) {
    throw new DataDirError(
      `${root} holds a chain that this machine certifies itself: choose another --data-dir for a copy`,
    );
  }
  const origins = options.origins.length > 0 ? [...options.origins] : (before?.origins ?? []);
  if (origins.length === 0) {
    throw new FollowError('name at least one node to follow, for example http://127.0.0.1:8420');
  }
  const trusted = options.genesisHash;
  if (known && trusted !== undefined && genesisHash(known) !== trusted) {
    throw new FollowError(
      `${root} holds a copy of the chain with the genesis hash ${genesisHash(known)}, not of the one you trust: choose another --data-dir`,
    );
  }
  const genesis = known ?? (await genesisFrom(origins, trusted));
  const anchored = trusted !== undefined || before?.anchored === true;
  const facts: FollowerFacts = {
    schema: 'NET-FOLLOWER/1',
    origins,
    genesisHash: genesisHash(genesis),
    anchored,
  };
  if (JSON.stringify(facts) !== JSON.stringify(before)) {
    rmSync(factsPath, { force: true });
    writeOnce(factsPath, `${JSON.stringify(facts, null, 2)}\n`, 0o644);
  }
  // After the facts: a directory with a genesis and without them would look like that of a validator.
  if (!known) writeOnce(genesisPath, `${JSON.stringify(genesis, null, 2)}\n`, 0o644);
  return { ...placesIn(root), genesis, origins, anchored, forkPath: join(root, 'fork.json') };
}

/** The genesis document that the origins agree on; where a hash is trusted, that of the first who has it. */
async function genesisFrom(
  origins: readonly string[],
  trusted: string | undefined,
): Promise<Genesis> {
  const told = await Promise.all(
    origins.map(async (url) => {
      try {
        return { url, genesis: await new Origin(url).genesis(), reason: '' };
      } catch (error) {
        return { url, genesis: null, reason: error instanceof Error ? error.message : '' };
      }
    }),
  );
  const found = new Map<string, Genesis>();
  const reasons: string[] = [];
  for (const { url, genesis, reason } of told) {
    const fault = genesis === null ? reason : faultOf(genesis);
    if (genesis === null || fault) reasons.push(`${url}: ${fault}`);
    else found.set(genesisHash(genesis), genesis);
  }
  if (trusted !== undefined) {
    const genesis = found.get(trusted);
    if (genesis) return genesis;
    const others = [...found.keys()].map((hash) => `a chain with the genesis hash ${hash}`);
    throw new FollowError(
      `no origin serves the chain you trust; ${[...others, ...reasons].join('; ')}`,
    );
  }
  const [first, ...others] = found.values();
  if (!first) throw new FollowError(`no origin answers with a genesis: ${reasons.join('; ')}`);
  if (others.length > 0) {
    throw new FollowError(
      `the origins serve different chains (genesis hashes ${[...found.keys()].join(', ')}): say with --genesis-hash which one you trust`,
    );
  }
  return first;
}

function faultOf(genesis: Genesis): string | null {
  try {
    return validateGenesis(genesis) ?? null;
  } catch (error) {
    return `its genesis cannot be read: ${(error as Error).message}`;
  }
}

function readFacts(path: string): FollowerFacts | null {
  if (!existsSync(path)) return null;
  try {
    const facts = JSON.parse(readFileSync(path, 'utf8')) as FollowerFacts;
    if (facts.schema === 'NET-FOLLOWER/1' && Array.isArray(facts.origins)) return facts;
  } catch {
    // Said below.
  }
  throw new DataDirError(`${path} is not as a follower wrote it: put it back, or remove the copy`);
}
