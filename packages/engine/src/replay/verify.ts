import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnknownRulesError, validateGenesis } from '@netd/ledger';
import { blockHash, genesisHash, type Genesis, type GenesisFork } from '@netd/protocol';
import { VerifierPool } from '../mempool/verifier-pool.ts';
import { StoreError } from '../store/store-error.ts';
import { Store } from '../store/store.ts';
import { snapshotSource, type BlockSource, type PutForkBase } from './block-source.ts';
import { firstDifference } from './compare.ts';
import { InvalidChainError } from './block-replay.ts';
import { Replay, type ReplayProgress } from './replay.ts';

export interface VerifyOptions {
  /** If undefined, the chain is only checked for consistency. */
  genesisHash?: string;
  /** Guards against a node that hides its newest blocks. Default 0. */
  minHeight?: number;
  /** Needed only if the source cannot provide a fork's state. */
  putForkBase?: PutForkBase | undefined;
  onStart?: (height: number) => void;
  onProgress?: (progress: ReplayProgress) => void;
}

export interface VerifyFailure {
  height: number | null;
  reason: string;
}

export interface VerifyReport {
  ok: boolean;
  fault: VerifyFailure | null;
  chainId: string;
  genesisHash: string;
  laboratory: boolean;
  fork: GenesisFork | null;
  anchored: boolean;
  height: number;
  blockHash: string;
  stateRoot: string;
  transitions: number;
  milliseconds: number;
}

export async function verifyDatabase(path: string, options: VerifyOptions): Promise<VerifyReport> {
  const store = Store.open(path, { readOnly: true });
  try {
    const genesis = store.genesis();
    if (!genesis) throw new InvalidChainError(0, 'the database holds no genesis document');
    const snapshot = store.snapshot();
    try {
      const { from, source } = snapshot.history;
      if (from > 0) {
        throw new StoreError(
          `this node began with the state of a checkpoint and has the blocks from height ${from} on so far. A follower fetches the others: verify it when netd follow has them all. A node that began with --state-sync does without them: netd verify --url ${source} replays those of the node that it began with`,
        );
      }
      return await verifySource(
        snapshotSource(snapshot, genesis, options.putForkBase),
        options,
        (scratch) => {
          const replayed = scratch.snapshot();
          try {
            const difference = firstDifference(snapshot, replayed);
            if (!difference) return null;
            const { table, key, height, reason } = difference;
            return { height, reason: `table ${table}: the entry ${key} ${reason}` };
          } finally {
            replayed.close();
          }
        },
      );
    } finally {
      snapshot.close();
    }
  } finally {
    await store.close();
  }
}

/**
 * Returns what is wrong with the chain.
 * @throws the error if it says nothing about the chain
 */
function faultOf(error: unknown): VerifyFailure {
  if (error instanceof UnknownRulesError) {
    const { height, message } = error;
    return { height, reason: `verified up to block ${height - 1}: ${message}` };
  }
  if (!(error instanceof InvalidChainError)) throw error;
  return { height: error.height, reason: error.message };
}

export async function verifySource(
  source: BlockSource,
  options: VerifyOptions,
  compare: (scratch: Store) => VerifyFailure | null,
): Promise<VerifyReport> {
  const startedAt = performance.now();
  const directory = mkdtempSync(join(tmpdir(), 'netd-verify-'));
  const scratch = Store.open(directory, { scratch: true });
  const verifier = new VerifierPool();
  let transitions = 0;
  let fault: VerifyFailure | null = null;
  let head = { blockHash: '', stateRoot: '', height: -1 };
  try {
    options.onStart?.(source.height);
    requireGenesis(source.genesis, options.genesisHash);
    requireHeight(source.height, options.minHeight ?? 0);
    const replay = new Replay(source, scratch, verifier, (progress) =>
      options.onProgress?.(progress),
    );
    transitions = await replay.run();
    fault = compare(scratch);
  } catch (error) {
    fault = faultOf(error);
  } finally {
    if (scratch.headHeight() !== null) {
      const snapshot = scratch.snapshot();
      const { header } = snapshot.block;
      head = { blockHash: blockHash(header), stateRoot: header.stateRoot, height: header.height };
      snapshot.close();
    }
    await verifier.close();
    await scratch.close();
    rmSync(directory, { recursive: true, force: true });
  }
  return {
    ok: fault === null,
    fault,
    chainId: source.genesis.chainId,
    genesisHash: genesisHash(source.genesis),
    laboratory: source.genesis.laboratory === true,
    fork: source.genesis.fork ?? null,
    anchored: options.genesisHash !== undefined,
    ...head,
    transitions,
    milliseconds: Math.round(performance.now() - startedAt),
  };
}

function requireHeight(height: number, minHeight: number): void {
  if (height >= minHeight) return;
  throw new InvalidChainError(height, `the chain ends here, ${minHeight} is asked for at least`);
}

function requireGenesis(genesis: Genesis, trustedHash: string | undefined): void {
  const found = validateGenesis(genesis);
  if (found) throw new InvalidChainError(0, `the genesis document is not valid: ${found}`);
  if (trustedHash !== undefined && genesisHash(genesis) !== trustedHash) {
    throw new InvalidChainError(
      0,
      `the genesis hash is ${genesisHash(genesis)}, not the trusted one`,
    );
  }
}
