/** The golden chain as a source of blocks, and as a node that goes on from its end. */
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

/** @param name `validators` is that of sets that change */
export const goldenChain = (name: 'secure' | 'validators' = 'secure'): GoldenChain =>
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

/** Puts the chain where a node that opens the data directory finds it. */
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

/** A node on whose chain every action and every system rule has happened. */
export async function startGolden(options: Partial<ServeOptions> = {}): Promise<HttpNode> {
  const golden = goldenChain();
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-golden-'));
  await replayInto(dataDir, golden);
  const { genesis, blocks } = golden;
  const end = timestampToMs(blocks.at(-1)?.header.timestamp ?? genesis.genesisTime);
  return serveChain(dataDir, genesis, { operatorId: OPERATOR, now: end }, options);
}
