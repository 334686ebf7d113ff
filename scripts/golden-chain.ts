/**
 * Writes the golden chains, with blocks, events and state by height. A change needs an entry in
 * vectors/golden-chain/CHANGES.md with the new last block, as a test enforces.
 * node scripts/golden-chain.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { blockHash } from '@netd/protocol';
import { goldenChainOf, goldenText, GOLDEN_PLAYS } from '@netd/ledger/testing';

const folder = new URL('../vectors/golden-chain/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, play] of Object.entries(GOLDEN_PLAYS)) {
  const chain = goldenChainOf(play().ledger);
  writeFileSync(new URL(`${name}.jsonl`, folder), goldenText(chain));
  const last = chain.blocks.at(-1);
  if (last) console.log(`${name}: ${blockHash(last.header)} at height ${last.header.height}`);
}
