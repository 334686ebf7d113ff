import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import {
  blockHash,
  bytesToBase64,
  canonicalize,
  eventHash,
  merkleRoot,
  sha256Hex,
} from '@netd/protocol';
import { ChainHarness } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import type { StoredBlock } from '../store/snapshot.ts';
import { position } from '../store/tables.ts';
import { validateBlock } from './block-check.ts';
import { BackgroundVerifier } from './background-verifier.ts';
import type { Clock } from './clock.ts';

/** A chain with four blocks of two transitions each. The tests damage the block of height 3. */
async function openHarness(t: TestContext): Promise<ChainHarness> {
  const harness = await ChainHarness.open({
    path: join(tempDir(t), 'chain'),
    idleBlockTime: 100_000_000,
  });
  t.after(() => harness.close());
  await harness.commit(harness.registration('alice'), harness.registration('bob'));
  await harness.commit(harness.gift('alice', 1), harness.gift('bob', 2));
  await harness.commit(harness.gift('alice', 3), harness.gift('bob', 4));
  await harness.commit(harness.gift('alice', 5), harness.gift('bob', 6));
  return harness;
}

function faultOf(
  harness: ChainHarness,
  change: (block: StoredBlock) => void,
  height = 3,
): string | null {
  const snapshot = harness.store.snapshot();
  try {
    const block = snapshot.blockAt(height)!;
    change(block);
    return validateBlock(
      snapshot,
      block,
      snapshot.blockAt(height - 1),
      harness.chain.validatorSetAt,
    );
  } finally {
    snapshot.close();
  }
}

describe('a stored block', () => {
  const changes: [string, (block: StoredBlock) => void, RegExp][] = [
    [
      'another time',
      ({ header }) => (header.timestamp = '2027-01-01T00:00:00.000Z'),
      /does not hash/,
    ],
    ['another root', ({ header }) => (header.stateRoot = 'ab'.repeat(32)), /does not hash/],
    ['another chain', ({ header }) => (header.chainId = 'net-other-1'), /does not hash/],
    ['another count', ({ header }) => (header.transitionCount = 1), /does not hash/],
    [
      'another hash',
      ({ certificate }) => (certificate.blockHash = 'ab'.repeat(32)),
      /does not hash/,
    ],
    [
      'a certificate of another height',
      ({ certificate }) => (certificate.height = 2),
      /another block/,
    ],
    [
      'a certificate of another root',
      ({ certificate }) => (certificate.stateRoot = 'ab'.repeat(32)),
      /another state/,
    ],
    [
      'a certificate of another set',
      ({ certificate }) => (certificate.validatorSetHash = 'ab'.repeat(32)),
      /different validator sets/,
    ],
    ['a renamed certificate', ({ certificate }) => (certificate.certificateHash = ''), /not valid/],
    ['no vote', ({ certificate }) => (certificate.votes = []), /not valid/],
    [
      'a vote without a valid signature',
      ({ certificate }) => (certificate.votes[0]!.signature = bytesToBase64(new Uint8Array(64))),
      /does not verify/,
    ],
  ];
  for (const [what, change, fault] of changes) {
    test(`with ${what} is at fault`, async (t) => {
      const harness = await openHarness(t);
      assert.equal(
        faultOf(harness, () => {}),
        null,
      );
      assert.match(faultOf(harness, change) ?? 'no fault', fault);
    });
  }

  test('that does not follow its predecessor is at fault', async (t) => {
    const harness = await openHarness(t);
    const snapshot = harness.store.snapshot();
    const [one, two, three] = [1, 2, 3].map((height) => snapshot.blockAt(height)!);
    const { validatorSetAt } = harness.chain;
    const fault = (previous: StoredBlock, block = three!): string | null =>
      validateBlock(snapshot, block, previous, validatorSetAt);
    assert.equal(fault(two!), null);
    assert.match(fault(one!) ?? '', /height does not follow/);
    const shifted = structuredClone(two!);
    shifted.header.proposerId = 'other';
    assert.match(fault(shifted) ?? '', /not the hash of the predecessor/);
    const later = structuredClone(two!);
    later.header.timestamp = three!.header.timestamp;
    const named = structuredClone(three!);
    named.header.previousBlockHash = blockHash(later.header);
    named.certificate.blockHash = blockHash(named.header);
    assert.match(fault(later, named) ?? '', /time does not move on/);
    snapshot.close();
  });

  const losses: [string, (harness: ChainHarness) => Promise<unknown>, RegExp][] = [
    [
      'a transition is missing',
      ({ store }) => store.tables.transitions.remove(position(3, 1)),
      /transitions are missing/,
    ],
    [
      'a transition is another',
      ({ store }) => store.tables.transitions.put(position(3, 1), '{}'),
      /do not hash to transitionsRoot/,
    ],
    [
      'an event is missing',
      ({ store }) => store.tables.events.remove(position(3, 0)),
      /do not hash to eventsRoot/,
    ],
    [
      'an event is another',
      ({ store }) =>
        store.tables.events.put(
          position(3, 0),
          canonicalize({ data: {}, transitionIndex: 0, type: 'Transferred' }),
        ),
      /do not hash to eventsRoot/,
    ],
    ['it is missing', ({ store }) => store.tables.blocks.remove(3), /missing/],
    ['it is not JSON', ({ store }) => store.tables.blocks.put(3, '{"header"'), /cannot be read/],
    ['it is another value', ({ store }) => store.tables.blocks.put(3, 'null'), /missing/],
    ['it is another object', ({ store }) => store.tables.blocks.put(3, '{}'), /cannot be read/],
    [
      'an event is not JSON',
      ({ store }) => store.tables.events.put(position(3, 0), '{'),
      /do not hash to eventsRoot/,
    ],
    [
      'the next one stands in its place',
      async ({ store }) => store.tables.blocks.put(3, store.tables.blocks.get(4)!),
      /height does not follow/,
    ],
  ];
  for (const [what, damage, reason] of losses) {
    test(`is found by the background verifier where ${what}, and the blocks below are good`, async (t) => {
      const harness = await openHarness(t);
      await damage(harness);
      const verifier = new BackgroundVerifier(harness.chain, harness.store, harness.clock);
      verifier.start();
      harness.clock.advance(1_000);
      verifier.stop();
      const { fault, verifiedHeight, lastFullPass } = verifier.current();
      assert.equal(fault?.height, 3);
      assert.match(fault.reason, reason);
      assert.equal(verifiedHeight, 2);
      assert.equal(lastFullPass?.height, 4);
    });
  }
});

test('transitions and events are hashed as they are stored', async (t) => {
  const harness = await openHarness(t);
  const snapshot = harness.store.snapshot();
  const { header } = snapshot.blockAt(2)!;
  const transitions = snapshot.transitionsOf(2).map(({ text }) => sha256Hex(text));
  assert.equal(merkleRoot(transitions), header.transitionsRoot);
  assert.equal(merkleRoot(snapshot.eventsOf(2).map(eventHash)), header.eventsRoot);
  snapshot.close();
});

describe('the background verifier', () => {
  test('has nothing to say before its first slice, and nothing after it was stopped', async (t) => {
    const harness = await openHarness(t);
    const verifier = new BackgroundVerifier(harness.chain, harness.store, harness.clock);
    verifier.start();
    verifier.stop();
    harness.clock.advance(10_000);
    assert.deepEqual(verifier.current(), {
      verifiedHeight: -1,
      fault: null,
      fullPasses: 0,
      lastFullPass: null,
    });
  });

  test('goes through all blocks, then follows the new ones', async (t) => {
    const harness = await openHarness(t);
    const verifier = new BackgroundVerifier(harness.chain, harness.store, harness.clock);
    verifier.start();
    t.after(() => verifier.stop());
    harness.clock.advance(250);
    assert.equal(verifier.current().verifiedHeight, 4);
    assert.equal(verifier.current().fullPasses, 1);
    await harness.commit(harness.gift('alice'));
    harness.clock.advance(250);
    assert.equal(verifier.current().verifiedHeight, 5);
    assert.equal(verifier.current().fullPasses, 1);
  });

  const waits: [string, number, number][] = [
    ['reads less often while it has to wait for its turn', 40, 30 * 40],
    ['takes a machine that slept for no busier than any', 7_200_000, 30 * 100],
  ];
  for (const [what, late, pause] of waits) {
    test(what, async (t) => {
      const harness = await openHarness(t);
      const { clock } = harness;
      const busy: Clock = {
        now: () => clock.now(),
        elapsed: () => clock.elapsed(),
        elapsedWithSleep: () => clock.elapsedWithSleep(),
        after: (milliseconds, callback) => clock.after(milliseconds + late, callback),
      };
      const verifier = new BackgroundVerifier(harness.chain, harness.store, busy);
      verifier.start();
      t.after(() => verifier.stop());
      clock.advance(250 + late);
      assert.equal(verifier.current().verifiedHeight, 4);
      const next = clock.elapsed() + pause + late;
      await harness.commit(harness.gift('alice'));
      clock.advance(next - 1 - clock.elapsed());
      assert.equal(verifier.current().verifiedHeight, 4);
      clock.advance(1);
      assert.equal(verifier.current().verifiedHeight, 5);
    });
  }

  test('reads everything again every hour, and so finds what has rotted since', async (t) => {
    const harness = await openHarness(t);
    const verifier = new BackgroundVerifier(harness.chain, harness.store, harness.clock);
    verifier.start();
    t.after(() => verifier.stop());
    harness.clock.advance(1_000);
    await harness.store.tables.transitions.put(position(2, 0), '{}');
    harness.clock.advance(3_590_000);
    assert.equal(verifier.current().fault, null);
    harness.clock.advance(20_000);
    assert.equal(verifier.current().fault?.height, 2);
    assert.equal(verifier.current().fullPasses, 2);
  });
});
