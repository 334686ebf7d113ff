/**
 * Writes `packages/engine/fixtures/listed-records.jsonl`: golden-chain records for fingerprints of queues, lists
 * and sorted indexes. Existing samples of a collection are kept, because a change alters its fingerprint; remove
 * its lines to replace them.
 * node scripts/make-listed-records.ts
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store, VerifierPool } from '@netd/engine';
import { derivedNames, derivedOf, Replay } from '@netd/engine/testing';
import { goldenChain, goldenSource } from '@netd/testkit/golden-chain';

const path = new URL('../packages/engine/fixtures/listed-records.jsonl', import.meta.url);
/** One line per sample: its collection and the record. */
const samples = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
const kept = new Set(samples.map((line) => (JSON.parse(line) as [string])[0]));
const seen = new Set<string>();

/** Keeps a record with a new status, queue or list. */
function collect(changes: ReadonlyMap<string, string | null>): void {
  for (const [key, text] of changes) {
    const collection = key.slice(0, key.indexOf('/'));
    if (text === null || derivedNames(collection) === null || kept.has(collection)) continue;
    const record = JSON.parse(text) as Record<string, unknown>;
    const names = derivedOf(collection, record).map(([name]) => name);
    const shape = JSON.stringify([collection, names, record['status']]);
    if (seen.has(shape)) continue;
    seen.add(shape);
    samples.push(JSON.stringify([collection, record]));
  }
}

for (const name of ['secure', 'validators', 'rules'] as const) {
  const directory = mkdtempSync(join(tmpdir(), 'netd-listed-'));
  const store = Store.open(directory, { scratch: true });
  const verifier = new VerifierPool();
  try {
    const initialise = store.initialise.bind(store);
    const commitBlock = store.commitBlock.bind(store);
    store.initialise = (genesis, block) => (collect(block.changes), initialise(genesis, block));
    store.commitBlock = (block) => (collect(block.changes), commitBlock(block));
    await new Replay(goldenSource(goldenChain(name)), store, verifier, () => {}).run();
  } finally {
    await verifier.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
writeFileSync(path, `${samples.join('\n')}\n`);
