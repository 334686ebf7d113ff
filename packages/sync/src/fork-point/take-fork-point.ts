import { mkdirSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { validateGenesis } from '@netd/ledger';
import { genesisHash, ValidatorSets, type Genesis, type GenesisFork } from '@netd/protocol';
import { INTERFACE_VERSION } from '@netd/protocol/version';
import {
  ChunkFiles,
  type Clock,
  FORK_POINT,
  identityOf,
  isIntact,
  type RestoreProgress,
} from '@netd/engine';
import { Origin, OriginFaultError, OriginUnavailableError, isAway } from '../origin.ts';
import { choosePoint, DISK_FACTOR } from '../restore/checkpoint-offers.ts';
import { downloadChunks, NoChunksError } from '../restore/chunk-download.ts';
import type { Transport } from '../transport.ts';
import { ForkPointError } from './fork-point-error.ts';

export interface ForkSource {
  url: string;
  /** Height at or below which to take the newest checkpoint; default: the newest of all. */
  at?: number | undefined;
  genesisHash?: string | undefined;
}

export interface TakeOptions extends ForkSource {
  dataDir: string;
  chainId?: string | undefined;
  clock: Clock;
  /** Milliseconds per answer; default 30,000. */
  originTimeout?: number | undefined;
  transport?: Transport | undefined;
  /** Aborts the download; its chunks stay for the next start. */
  signal?: AbortSignal | undefined;
  onProgress: (progress: RestoreProgress) => void;
  /** Called if an earlier download is discarded. */
  onNotice: (sentence: string) => void;
}

export interface TakenPoint {
  files: ChunkFiles;
  genesis: Genesis;
  fork: GenesisFork;
  /** Time of the block at the fork, milliseconds since 1970. */
  time: number;
}

const MAX_NETWORK_BYTES = 262_144;
const ATTEMPTS = 3;

/**
 * Downloads a checkpoint into `fork-point/` of the data directory, or resumes a download.
 * @throws ForkPointError
 */
export async function takeForkPoint(options: TakeOptions): Promise<TakenPoint> {
  const origin = new Origin(options.url, options.originTimeout, options.transport);
  const genesis = await genesisOf(origin, options);
  const path = join(options.dataDir, FORK_POINT);
  let reason = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const files = resumed(path, genesis, options) ?? (await begun(path, origin, genesis, options));
    const lies: string[] = [];
    try {
      await downloadChunks({
        ...options,
        files,
        patience: null,
        origins: [origin],
        onLeave: (_, why, isFault) => {
          if (isFault) lies.push(why);
        },
      });
      return taken(files, genesis);
    } catch (error) {
      if (!(error instanceof NoChunksError)) throw error;
      if (lies.length > 0) throw liesError(options.url, lies);
      reason = error.message;
      // If the origin merely fails to answer, the chunks stay for the next start.
      if (!/answers 404/.test(reason)) break;
      files.remove();
      options.onNotice('the checkpoint is no longer served: the download begins anew');
    }
  }
  throw new ForkPointError(
    'NODE_UNREACHABLE',
    `the state of ${options.url} could not be had (${reason}): start again with the same --fork-from, which continues`,
  );
}

function taken(files: ChunkFiles, genesis: Genesis): TakenPoint {
  const [block] = files.point.blocks;
  if (!block) throw new Error('the checkpoint came without its block');
  const { height, blockHash, stateRoot } = files.point.checkpoint;
  const { chainId } = genesis;
  return {
    files: files.keeping(),
    genesis,
    fork: { chainId, genesisHash: genesisHash(genesis), height, blockHash, stateRoot },
    time: Date.parse(block.header.timestamp),
  };
}

/** @throws ForkPointError if a fork cannot use the origin's state */
async function genesisOf(origin: Origin, options: TakeOptions): Promise<Genesis> {
  const { url, at, signal } = options;
  let received: { interfaceVersion?: unknown; height?: unknown };
  let genesis: Genesis;
  try {
    received = await origin.get('/v1/network', signal, MAX_NETWORK_BYTES);
    genesis = await origin.genesis(signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw originError(url, error);
  }
  const { interfaceVersion, height } = received;
  if (typeof interfaceVersion !== 'string' || lineOf(interfaceVersion) !== OWN_LINE) {
    throw new ForkPointError(
      'FORK_OTHER_VERSION',
      `${url} speaks version ${JSON.stringify(interfaceVersion)} of the interface, and this netd ${INTERFACE_VERSION}, whose rules are others: fork it with the netd that it runs`,
    );
  }
  const fault = faultOf(genesis);
  if (fault !== null) {
    throw new ForkPointError(
      'FORK_OTHER_CHAIN',
      `${url} answers with no genesis document (${fault}): name the address that a node shows behind "Open" when it starts`,
    );
  }
  const hash = genesisHash(genesis);
  if (options.genesisHash !== undefined && options.genesisHash !== hash) {
    throw new ForkPointError(
      'FORK_OTHER_CHAIN',
      `${url} serves ${genesis.chainId} with the genesis hash ${hash}, not the one you trust: check --genesis-hash, or name a node of the network you mean`,
    );
  }
  if (options.chainId === genesis.chainId) {
    throw new ForkPointError(
      'FORK_SAME_ID',
      `a fork has an id of its own, so that nothing that is signed for it counts on its origin: choose another --chain-id than ${genesis.chainId}`,
    );
  }
  if (at === undefined) return genesis;
  if (!Number.isSafeInteger(height) || at > (height as number)) {
    throw new ForkPointError(
      'FORK_BEYOND_HEAD',
      `${genesis.chainId} is at block ${String(height)}, and block ${at} is not there yet: name an earlier one with --at, or leave it out for the newest checkpoint`,
    );
  }
  const { firstHeight } = identityOf(genesis);
  if (at < firstHeight) {
    throw new ForkPointError(
      'FORK_TOO_OLD',
      `${genesis.chainId} is a fork itself and begins with block ${firstHeight}: name that one or a later one with --at, or fork ${genesis.fork?.chainId}`,
    );
  }
  return genesis;
}

/** Returns the compatible part of a version: below 1.0 a minor version breaks compatibility. */
const lineOf = (version: string): string =>
  version.split('.', version.startsWith('0.') ? 2 : 1).join('.');
const OWN_LINE = lineOf(INTERFACE_VERSION);

function faultOf(genesis: Genesis): string | null {
  try {
    return validateGenesis(genesis)?.split('; ', 1)[0] ?? null;
  } catch (error) {
    return (error as Error).message;
  }
}

function resumed(path: string, genesis: Genesis, { at, onNotice }: TakeOptions): ChunkFiles | null {
  const files = ChunkFiles.resume(path);
  if (!files) return null;
  const { point } = files;
  const [block] = point.blocks;
  const isTheOne =
    isIntact(point, genesis.chainId) &&
    block !== undefined &&
    block.header.stateRoot === point.checkpoint.stateRoot &&
    point.wanted === at;
  if (isTheOne) return files;
  onNotice('a download of another state was there, and is gone: this one begins anew');
  files.remove();
  return null;
}

async function begun(
  path: string,
  origin: Origin,
  genesis: Genesis,
  options: TakeOptions,
): Promise<ChunkFiles> {
  const { at, clock, signal, url } = options;
  const lies: string[] = [];
  const identity = identityOf(genesis);
  const { point, reasons } = await choosePoint([origin], {
    ...identity,
    sets: new ValidatorSets(identity.genesisSet),
    height: at,
    blocksBehind: 0,
    clock,
    signal,
    failureScore: new Map(),
    onFault: (_, reason) => lies.push(reason),
  });
  if (!point) {
    if (lies.length > 0) throw liesError(url, lies);
    if (at !== undefined && reasons.every((reason) => /answers 404/.test(reason))) {
      throw new ForkPointError(
        'FORK_TOO_OLD',
        `${url} has no checkpoint at or below block ${at} any more, only the last few are kept: name a later one with --at, or leave it out for the newest`,
      );
    }
    throw new ForkPointError(
      'FORK_NO_CHECKPOINT',
      `${url} has no checkpoint that can be had (${reasons.join('; ')}): try again in a minute`,
    );
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { byteLength } = point.checkpoint;
  const { bavail, bsize } = statfsSync(dirname(path));
  if (byteLength * DISK_FACTOR > bavail * bsize) {
    throw new ForkPointError(
      'FORK_NO_ROOM',
      `the state has ${byteLength} bytes, for which this disk has no room: choose another --data-dir`,
    );
  }
  return ChunkFiles.begin(path, { ...point, ...(at === undefined ? {} : { wanted: at }) });
}

const liesError = (url: string, lies: readonly string[]): ForkPointError =>
  new ForkPointError(
    'FORK_ORIGIN_LIES',
    `${url} tells what its validators did not certify (${lies.join('; ')}): fork from another node of the network`,
  );

function originError(url: string, error: unknown): unknown {
  if (error instanceof OriginFaultError) {
    return new ForkPointError(
      'FORK_OTHER_CHAIN',
      `${url} is no node of a network: ${error.message}`,
    );
  }
  if (!(error instanceof OriginUnavailableError)) return error;
  return isAway(error)
    ? new ForkPointError(
        'NODE_UNREACHABLE',
        `no node answers at ${url}: see that one runs there, and that the address is right`,
        { cause: error },
      )
    : new ForkPointError('FORK_OTHER_CHAIN', `${url} is no node of a network: ${error.message}`);
}
