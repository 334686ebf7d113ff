/** A database with lists of another version cannot be opened until they are rebuilt. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { COLLECTIONS, EVENTS } from '@netd/ledger';
import {
  addSums,
  addToDetails,
  canonicalize,
  FRAME_SPANS,
  sha256Hex,
  sumsOf,
} from '@netd/protocol';
import { tempDir } from '@netd/testkit/temp-dir';
import {
  DERIVED_FINGERPRINTS,
  DERIVED_TEXT,
  FRAMES,
  collectionsWithOldLists,
  markRebuilding,
} from './derived-fingerprints.ts';
import { derivedNames, derivedOf } from './derived-writes.ts';
import { Store } from './store.ts';
import { STORE_FORMAT } from './tables.ts';

/** Records of the golden chains, see scripts/make-listed-records.ts. */
const SAMPLES = new URL('../../fixtures/listed-records.jsonl', import.meta.url);
const samples = readFileSync(SAMPLES, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as [collection: string, record: unknown]);

const derived = Object.keys(COLLECTIONS).filter((name) => derivedNames(name) !== null);
const entriesOf = (collection: string) =>
  samples
    .filter(([name]) => name === collection)
    .map(([, record]) => derivedOf(collection, record));

/** A frame of two blocks that have an event of each type. */
function frameText(): string {
  const data = Object.fromEntries(
    ['agentId', 'fromActorId', 'orderId', 'requesterId', 'toActorId', 'verifierId', 'workerId']
      .map((name): [string, unknown] => [name, name])
      .concat(
        ['amount', 'funding', 'paid', 'refund', 'verificationFee'].map((name, at) => [
          name,
          at + 1,
        ]),
      ),
  );
  const events = Object.keys(EVENTS).map((type) => ({ type, data }));
  const [first, last] = [7, 9].map((height) => ({
    height,
    time: `t${height}`,
    transitions: 2,
    events,
  }));
  assert.ok(first && last);
  const votes = ['ACCEPT', 'REJECT', 'ACCEPT', 'UNJUDGEABLE'].map((vote) => ({ vote }));
  const orderOf = () => ({
    acceptedAt: { height: 2 },
    verification: { votes },
    firstVerification: null,
  });
  return canonicalize({
    spans: FRAME_SPANS,
    ...addSums(sumsOf(first, orderOf), sumsOf(last, orderOf)),
    ...addToDetails(addToDetails(undefined, first), last),
  });
}

test('the fingerprints are those of the lists, sorted indexes, queues and their functions', () => {
  const changed = [...derived, FRAMES].flatMap((name) => {
    const text =
      name === FRAMES
        ? frameText()
        : canonicalize({ names: derivedNames(name), entries: entriesOf(name) });
    const computed = sha256Hex(text).slice(0, 16);
    return DERIVED_FINGERPRINTS[name] === computed ? [] : [`'${name}': '${computed}',`];
  });
  assert.equal(
    changed.join('\n'),
    '',
    'nodes rebuild the lists of these records at their next start: if you mean it, add these lines to DERIVED_FINGERPRINTS',
  );
  assert.deepEqual(Object.keys(DERIVED_FINGERPRINTS).toSorted(), [...derived, FRAMES].toSorted());
});

test('samples stand in every list, sorted index and queue, so that each function counts', () => {
  for (const name of derived) {
    const seen = new Set(entriesOf(name).flatMap((entries) => entries.map(([list]) => list)));
    const missing = (derivedNames(name) ?? []).filter(
      (list) => list !== 'queue' && !seen.has(list),
    );
    assert.deepEqual(missing, [], `${name}: run scripts/make-listed-records.ts`);
    assert.ok(seen.size > 0, name);
  }
});

const path = tempDir({ after });
const [collection = ''] = derived;
const other = JSON.stringify({ ...DERIVED_FINGERPRINTS, [collection]: 'other' });

async function write(work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = Store.open(path, { scratch: true });
  await work(store);
  await store.close();
}

test('refuses a database with records that were listed otherwise, and opens one without such records', async () => {
  await write((store) => store.tables.meta.put('format', String(STORE_FORMAT)));
  // Of commit c7bf6d42, and with records of other collections.
  await write((store) => store.tables.state.put(`${collection}/x`, '{}'));
  await write((store) => store.tables.meta.put('derived', DERIVED_TEXT));
  await write((store) => store.tables.state.remove(`${collection}/x`));
  await write((store) => store.tables.meta.put('derived', other));
  assert.deepEqual((await Store.describe(path)).outdatedLists, []);
  await write((store) => store.tables.state.put(`${collection}/x`, '{}'));
  for (const readOnly of [true, false]) {
    assert.throws(() => Store.open(path, { readOnly }), {
      name: 'StoreError',
      message: new RegExp(`has the lists of another version \\(${collection}\\)\\. Start its node`),
    });
  }
  assert.deepEqual((await Store.describe(path)).outdatedLists, [collection]);
});

test('knows nothing of the lists if the text is no record of fingerprints', () => {
  const state = () => ({ getKeysCount: () => 1 });
  for (const text of ['null', '7', '"x"', '[]', '{', '{"agent":null}']) {
    assert.ok(collectionsWithOldLists(text, state).includes(collection), text);
    assert.match(markRebuilding(text, [collection]), /"rebuilding"/);
  }
});
