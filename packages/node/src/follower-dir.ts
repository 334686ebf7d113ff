import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { validateGenesis } from '@netd/ledger';
import { genesisHash, type Genesis } from '@netd/protocol';
import { hasPassword, printableUrl } from '@netd/protocol/printable-url';
import { asDataDirError, DataDirError, replaceFile, writeOnce } from '@netd/engine';
import {
  FOLLOWER_FACTS,
  GENESIS_FILE,
  placesIn,
  readGenesis,
  sweepLeftovers,
  type DataDir,
} from './data-dir.ts';
import {
  type AnchorBlock,
  type BlockTimes,
  contradicts,
  FollowError,
  isAnchored,
  isAway,
  lacksBlock,
  Origin,
  OriginUnavailableError,
  type Transport,
  type TrustAnchor,
} from '@netd/sync';

export interface FollowerDir extends DataDir {
  /** Default: those of the last start. */
  origins: string[];
  anchor: TrustAnchor;
  anchored: boolean;
  blockTimes: BlockTimes;
  forkPath: string;
  restorePath: string;
}

interface FollowerFacts {
  schema: 'NET-FOLLOWER/1';
  origins: string[];
  genesisHash: string;
  anchor: TrustAnchor;
  blockTimes: BlockTimes;
}

type AskOptions = Pick<FollowerDirOptions, 'originTimeout' | 'transport'>;

export interface FollowerDirOptions {
  /** If empty, those of the last start are used. */
  origins: readonly string[];
  genesisHash?: string | undefined;
  trustedBlock?: AnchorBlock | undefined;
  validatorSetHash?: string | undefined;
  /** Milliseconds per answer; default 30,000. */
  originTimeout?: number;
  transport?: Transport;
  /** Called before anything is written. Throws if this chain must not be followed. */
  requireChain?: (chainId: string) => void;
}

/**
 * Opens the directory, or creates it for the origins' chain. The caller holds the lock.
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
      `${root} holds a chain that this machine certifies itself: choose another --data-dir for a follower`,
    );
  }
  const named = distinct(options.origins);
  const origins = named.length > 0 ? named : (before?.origins ?? []);
  if (origins.length === 0) {
    throw new FollowError(
      'name at least one node to follow, for example: netd follow http://127.0.0.1:8420',
      'USAGE',
    );
  }
  const secret = origins.find(hasPassword);
  if (secret !== undefined) {
    throw new FollowError(
      `${printableUrl(secret)} is named with a password, which /health would show: name the nodes to follow without it`,
      'USAGE',
    );
  }
  const anchor = { ...before?.anchor, ...anchorIn(options) };
  const other = known && contradicts(known, anchor);
  if (other !== null) {
    throw new FollowError(
      `${root} follows ${other}, not the one you trust: check what you trust, or choose another --data-dir for another follower`,
    );
  }
  // Check before writing, because the next start uses the same origins.
  const renamed = origins.filter((url) => !before?.origins.includes(url));
  if (known && renamed.length > 0) await requireSameChain(root, known, renamed, options);
  const received = known ? null : await genesisFrom(origins, anchor, options);
  const genesis = known ?? (received as ReceivedGenesis).genesis;
  options.requireChain?.(genesis.chainId);
  const facts: FollowerFacts = {
    schema: 'NET-FOLLOWER/1',
    origins,
    genesisHash: genesisHash(genesis),
    anchor: known ? withBlock(anchor, before?.anchor.block) : anchor,
    blockTimes: received?.blockTimes ?? before?.blockTimes ?? UNKNOWN_TIMES,
  };
  if (JSON.stringify(facts) !== JSON.stringify(before)) writeFacts(factsPath, facts);
  // Write genesis after the facts: without them the directory would look like a validator's.
  if (!known) writeOnce(genesisPath, `${JSON.stringify(genesis, null, 2)}\n`, 0o644);
  return {
    ...placesIn(root),
    genesis,
    origins,
    anchor,
    anchored: isAnchored(anchor),
    blockTimes: facts.blockTimes,
    forkPath: join(root, 'fork.json'),
    restorePath: join(root, 'restore'),
  };
}

/**
 * Stores other origins for the next start.
 * @returns the origins
 * @throws FollowError if one of them serves another chain
 */
export async function keepOrigins(
  { path, genesis }: FollowerDir,
  named: readonly string[],
  options: AskOptions = {},
): Promise<readonly string[]> {
  const factsPath = join(path, FOLLOWER_FACTS);
  const facts = readFacts(factsPath);
  const origins = distinct(named);
  // Without origins, the stored ones remain, as at a start.
  if (!facts || origins.length === 0) return facts?.origins ?? [];
  const added = origins.filter((url) => !facts.origins.includes(url));
  if (added.length > 0) await requireSameChain(path, genesis, added, options);
  writeFacts(factsPath, { ...facts, origins });
  return origins;
}

/** Duplicates must not count twice. */
const distinct = (urls: readonly string[]): string[] => [
  ...new Set(urls.map((url) => url.replace(/\/+$/, ''))),
];

/** Stores the trusted block. Compare it with the chain first, because a wrong one must not stay. */
export function keepTrustedBlock({ path, anchor }: FollowerDir): void {
  const factsPath = join(path, FOLLOWER_FACTS);
  const facts = readFacts(factsPath);
  if (!facts || JSON.stringify(facts.anchor.block) === JSON.stringify(anchor.block)) return;
  writeFacts(factsPath, { ...facts, anchor: withBlock(facts.anchor, anchor.block) });
}

const withBlock = ({ block: _, ...others }: TrustAnchor, block?: AnchorBlock): TrustAnchor =>
  block === undefined ? others : { ...others, block };

const writeFacts = (path: string, facts: FollowerFacts): void =>
  replaceFile(path, `${JSON.stringify(facts, null, 2)}\n`, 0o644);

/** Older versions did not store the times. */
const UNKNOWN_TIMES: BlockTimes = { blockTime: 0, idleBlockTime: 0 };

function anchorIn(options: FollowerDirOptions): TrustAnchor {
  const { genesisHash: hash, trustedBlock, validatorSetHash } = options;
  return {
    ...(hash === undefined ? {} : { genesisHash: hash }),
    ...(trustedBlock === undefined ? {} : { block: trustedBlock }),
    ...(validatorSetHash === undefined ? {} : { validatorSetHash }),
  };
}

interface ReceivedGenesis {
  genesis: Genesis;
  blockTimes: BlockTimes;
}

/** Returns a genesis on which the origins agree, and which matches the anchor. */
async function genesisFrom(
  origins: readonly string[],
  anchor: TrustAnchor,
  { originTimeout, transport }: FollowerDirOptions,
): Promise<ReceivedGenesis> {
  const received = await Promise.all(
    origins.map(async (url) => {
      try {
        const origin = new Origin(url, originTimeout, transport);
        return { url, ...(await genesisOf(origin, anchor)) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : '';
        const isSilent =
          error instanceof OriginUnavailableError && error.status === null && error.reason === null;
        return { url, genesis: null, reason, isAway: isAway(error), isSilent };
      }
    }),
  );
  const found = new Map<string, ReceivedGenesis>();
  const others: string[] = [];
  const reasons: string[] = [];
  for (const { url, ...answer } of received) {
    if (answer.genesis === null) reasons.push(`${url}: ${answer.reason}`);
    else if ('other' in answer) others.push(`${url} serves ${answer.other}`);
    else {
      const hash = genesisHash(answer.genesis);
      if (!found.has(hash)) found.set(hash, answer);
    }
  }
  const [first, ...rest] = found.values();
  const areAway = received.every((answer) => 'isAway' in answer && answer.isAway);
  const code = areAway ? 'NODE_UNREACHABLE' : 'FOLLOW_REFUSED';
  if (!first && received.every((answer) => 'isSilent' in answer && answer.isSilent)) {
    throw new FollowError(
      `no node answers at ${origins.join(' or ')}: see that one runs there, and that the address is right`,
      code,
    );
  }
  if (!first && isAnchored(anchor)) {
    throw new FollowError(
      `no origin serves the chain you trust (${[...others, ...reasons].join('; ')}): check what you trust, or name other nodes`,
      code,
    );
  }
  if (!first) {
    throw new FollowError(
      `no origin answers with a genesis (${reasons.join('; ')}): name the address that a node shows behind "Open" when it starts`,
      code,
    );
  }
  if (rest.length > 0) {
    throw new FollowError(
      `the origins serve different chains (genesis hashes ${[...found.keys()].join(', ')}): name only nodes of the one you mean, or say with --genesis-hash which one you trust`,
    );
  }
  return first;
}

/** Milliseconds per origin. */
const LOOK_MILLISECONDS = 3_000;

/**
 * Ignores origins that do not answer in time.
 * @throws FollowError if an origin serves another chain
 */
async function requireSameChain(
  root: string,
  known: Genesis,
  origins: readonly string[],
  { originTimeout = LOOK_MILLISECONDS, transport }: AskOptions,
): Promise<void> {
  const own = genesisHash(known);
  const timeout = Math.min(originTimeout, LOOK_MILLISECONDS);
  const received = await Promise.all(
    origins.map(async (url) => {
      const genesis = new Origin(url, timeout, transport).genesis();
      return { url, genesis: await genesis.then(genesisHash).catch(() => null) };
    }),
  );
  const other = received.find(({ genesis }) => genesis !== null && genesis !== own);
  if (other === undefined) return;
  throw new FollowError(
    `${root} follows the chain with genesis hash ${own}, and ${other.url} serves another one, ${other.genesis}: choose another --data-dir, or leave that node out`,
  );
}

async function genesisOf(
  origin: Origin,
  anchor: TrustAnchor,
): Promise<
  ReceivedGenesis | { genesis: null; reason: string } | { genesis: Genesis; other: string }
> {
  const genesis = await origin.genesis();
  const fault = validateGenesisOf(genesis);
  if (fault !== null) return { genesis: null, reason: fault };
  const other =
    contradicts(genesis, anchor) ??
    (anchor.block ? await lacksBlock(origin, genesis, anchor.block) : null);
  if (other !== null) return { genesis, other };
  return { genesis, blockTimes: await origin.blockTimes() };
}

function validateGenesisOf(genesis: Genesis): string | null {
  try {
    const fault = validateGenesis(genesis);
    return fault && `its /v1/genesis is no genesis document (${fault.split('; ', 1)[0]})`;
  } catch (error) {
    return `its genesis cannot be read: ${(error as Error).message}`;
  }
}

function readFacts(path: string): FollowerFacts | null {
  if (!existsSync(path)) return null;
  try {
    const facts = JSON.parse(readFileSync(path, 'utf8')) as FollowerFacts & { anchored?: boolean };
    if (facts.schema === 'NET-FOLLOWER/1' && Array.isArray(facts.origins)) return withAnchor(facts);
  } catch {}
  throw new DataDirError(
    `${path} is not as a follower wrote it: put it back, or begin again in another --data-dir`,
  );
}

/** Older versions stored only whether the genesis hash was trusted. */
function withAnchor({ anchored, ...facts }: FollowerFacts & { anchored?: boolean }): FollowerFacts {
  if (anchored === undefined) return facts;
  return { ...facts, anchor: anchored ? { genesisHash: facts.genesisHash } : {} };
}
