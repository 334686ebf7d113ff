/** The golden chain: a source of blocks, and a node that continues it. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR, parseGolden, type GoldenChain } from '@netd/ledger/testing';
import { canonicalize, timestampToMs } from '@netd/protocol';
import { type BlockSource, Store, VerifierPool } from '@netd/engine';
import { Replay } from '@netd/engine/testing';
import type { ServeOptions } from '@netd/node';
import type { HttpNode } from './http-node.ts';
import { serveChain } from './populated-node.ts';

const FILES = new URL('../../../vectors/golden-chain/', import.meta.url);

/** @param name `validators` for the chain whose validator sets change, `rules` for the one whose rules do */
export const goldenChain = (name: 'secure' | 'validators' | 'rules' = 'secure'): GoldenChain =>
  parseGolden(readFileSync(new URL(`${name}.jsonl`, FILES), 'utf8'));

export function goldenSource({ genesis, blocks }: GoldenChain): BlockSource {
  return {
    genesis,
    height: blocks.length - 1,
    block: async (height) => {
      const block = blocks[height];
      if (!block) throw new Error('the golden chain ends before that');
      const { header, certificate, transitions } = block;
      if (!certificate) throw new Error('the block is of a quiet stretch');
      return { header, certificate, transitions: transitions.map(canonicalize) };
    },
  };
}

/** Writes the chain into a data directory that a node can open. */
export async function replayInto(dataDir: string, golden: GoldenChain): Promise<void> {
  const store = Store.open(join(dataDir, 'chain'));
  const verifier = new VerifierPool();
  try {
    await new Replay(goldenSource(golden), store, verifier, () => {}).run();
  } finally {
    await verifier.close();
    await store.close();
  }
}

/** Starts a node whose chain contains every action and system rule. */
export async function startGolden(options: Partial<ServeOptions> = {}): Promise<HttpNode> {
  const golden = goldenChain();
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-golden-'));
  await replayInto(dataDir, golden);
  const { genesis, blocks } = golden;
  const end = timestampToMs(blocks.at(-1)?.header.timestamp ?? genesis.genesisTime);
  return serveChain(dataDir, genesis, { operatorId: OPERATOR, now: end }, options);
}
