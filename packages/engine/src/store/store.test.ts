import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import {
  COLLECTIONS,
  eventSubjects,
  hasExpired,
  queueEntry,
  parseStateKey,
  TIMER_LIMITS,
  type AgentRecord,
  type ListEntry,
  type ListName,
  type SortedIndexEntry,
  type Submission,
} from '@netd/ledger';
import { beaconOf, OPERATOR, testKey, tokenOf, workOrderOf } from '@netd/ledger/testing';
import {
  eventHash,
  merkleProof,
  merkleRoot,
  nonceHash,
  sha256Hex,
  SUBTREE_LEAVES,
  verifyMerkleProof,
  type JsonObject,
} from '@netd/protocol';
import { SoloSigner, statementOf } from '../chain/signer.ts';
import { identityOf } from '../executor/chain-identity.ts';
import { genesisBlock } from '../executor/genesis-block.ts';
import { validateChain } from '@netd/testkit/validate-chain';
import { ChainHarness, HARNESS_GENESIS, type HarnessOptions } from '@netd/testkit/chain-harness';
import { dump } from '@netd/testkit/dump-store';
import { tempDir } from '@netd/testkit/temp-dir';
import type { Page, Snapshot } from './snapshot.ts';
import { EMPTY_SOURCE, StateTree } from './tree/state-tree.ts';
import { StoreError } from './store-error.ts';
import { Store, type BlockWrite } from './store.ts';
import { Writes } from './writes.ts';
import { listValue, position, type TableName } from './tables.ts';

async function openHarness(
  t: TestContext,
  options: Partial<HarnessOptions> = {},
): Promise<ChainHarness> {
  const harness = await ChainHarness.open({ path: join(tempDir(t), 'chain'), ...options });
  t.after(() => harness.close());
  return harness;
}

const keysOf = (store: Store, name: TableName): string[] =>
  (dump(store).get(name) ?? []).map((entry) => JSON.stringify((JSON.parse(entry) as unknown[])[0]));

function beacon(
  harness: ChainHarness,
  agentId: string,
  { sequence, lifetime }: { sequence: number; lifetime: number },
  members: JsonObject = {},
): Submission {
  const expiresAtHeight = harness.chain.height + lifetime;
  return harness.intent(
    agentId,
    'publishBeacon',
    beaconOf(agentId, harness.chain.height, { sequence, expiresAtHeight, ...members }),
  );
}

describe('opening', () => {
  test('another format is refused, and nothing is written into its database', async (t) => {
    const path = join(tempDir(t), 'chain');
    const store = Store.open(path);
    await store.tables.meta.put('format', '99');
    await store.tables.lists.drop();
    await store.close();
    assert.throws(() => Store.open(path), StoreError);
    assert.throws(
      () => Store.open(path),
      /has format 99, this version reads \d+: go on with the version that wrote it; netd upgrade --check says/,
    );
  });

  test('an empty database has no genesis and no head', async (t) => {
    const store = Store.open(join(tempDir(t), 'chain'), { scratch: true });
    assert.equal(store.genesis(), null);
    assert.equal(store.headHeight(), null);
    await store.close();
  });
});

describe('one block is one transaction', () => {
  function blockOne(store: Store): BlockWrite {
    const { write, hash } = genesisBlock(HARNESS_GENESIS, new StateTree(EMPTY_SOURCE));
    assert.ok(store);
    const signer = new SoloSigner('validator-1', testKey('validator').privateKeyPem);
    const validatorSet = identityOf(HARNESS_GENESIS).genesisSet;
    const certificate = signer.certify(statementOf(write.header, hash), validatorSet);
    return { ...write, certificate };
  }

  test('writes nothing if a block turns out to be broken half-way', async (t) => {
    const store = Store.open(join(tempDir(t), 'chain'), { scratch: true });
    t.after(() => store.close());
    await store.initialise(HARNESS_GENESIS, blockOne(store));
    const before = dump(store);
    const good = blockOne(store);
    const broken: BlockWrite[] = [
      {
        ...good,
        header: { ...good.header, height: 1 },
        changes: new Map([...good.changes, ['agent/alice', '{}']]),
        after: (key) => {
          if (key === 'agent/alice') throw new Error('broken');
          return good.after(key);
        },
      },
      {
        ...good,
        header: { ...good.header, height: 1 },
        changes: new Map([
          ['agent/alice', '{}'],
          ['agent/bob', undefined as unknown as string],
        ]),
        after: () => undefined,
        before: () => ({ registeredAt: { height: 0, index: 0 } }),
        events: [{ type: 'Broken', transitionIndex: 0, data: { n: 1n } }],
      },
    ];
    for (const block of broken) {
      await assert.rejects(store.commitBlock(block));
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(dump(store), before);
    }
  });

  test('readers see all of it or none, at every moment', async (t) => {
    const harness = await openHarness(t, { blockTime: 0 });
    await harness.join('alice');
    const state = { done: false };
    const seen = new Set<number>();
    const watch = (async (): Promise<void> => {
      while (!state.done) {
        const snapshot = harness.store.snapshot();
        seen.add(snapshot.height);
        const { header, certificate } = snapshot.block;
        assert.equal(snapshot.blockAt(snapshot.height + 1), null);
        assert.equal(snapshot.transitionsOf(snapshot.height).length, header.transitionCount);
        assert.equal(snapshot.heightOfCertificate(certificate.certificateHash), header.height);
        const commitment = snapshot.get('commitment', 'latest');
        if (header.transitionCount > 0)
          assert.equal(commitment?.transitionsRoot, header.transitionsRoot);
        snapshot.close();
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let i = 0; i < 10; i++) {
      await harness.commit(...Array.from({ length: 5 }, () => harness.gift('alice')));
    }
    state.done = true;
    await watch;
    assert.ok(seen.size > 3, `saw only ${seen.size} heights`);
  });

  test('a block of many thousand entries too', async (t) => {
    const store = Store.open(join(tempDir(t), 'chain'), { scratch: true });
    t.after(() => store.close());
    const good = blockOne(store);
    await store.initialise(HARNESS_GENESIS, good);
    const changes = new Map(
      Array.from({ length: 20_000 }, (_, i) => [`commitment/${i}`, '"x"'] as const),
    );
    const before = store.pairCount();
    const commit = store.commitBlock({
      ...good,
      header: { ...good.header, height: 1 },
      changes,
      before: () => undefined,
      after: () => 'x',
    });
    const state = { finished: false };
    void commit.finally(() => (state.finished = true));
    const counts = new Set<string>();
    while (!state.finished) {
      const snapshot = store.snapshot();
      counts.add(`${snapshot.height} ${[...snapshot.pairs()].length - before}`);
      snapshot.close();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await commit;
    counts.add(`${store.headHeight()} ${store.pairCount() - before}`);
    // The first reader may come after all writes.
    counts.add('0 0');
    assert.deepEqual([...counts].toSorted(), ['0 0', '1 20000']);
  });
});

describe('a snapshot', () => {
  test('stays as it was while blocks are committed', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    const snapshot = harness.store.snapshot();
    const { height } = snapshot;
    const before = [...snapshot.pairs()];
    await harness.commit(harness.gift('alice'), harness.registration('bob'));
    const fresh = harness.store.snapshot();
    assert.equal(fresh.height, height + 1);
    assert.equal(snapshot.height, height);
    assert.deepEqual([...snapshot.pairs()], before);
    assert.equal(snapshot.get('agent', 'bob'), undefined);
    assert.equal(fresh.get('agent', 'bob')?.agentId, 'bob');
    assert.equal(snapshot.get('account', 'alice')?.balance, 0);
    assert.equal(fresh.get('account', 'alice')?.balance, 1);
    snapshot.close();
    fresh.close();
  });

  test('finds nothing under keys that were never written', async (t) => {
    const harness = await openHarness(t);
    const snapshot = harness.store.snapshot();
    assert.equal(snapshot.stateText('x'.repeat(100_000)), undefined);
    assert.equal(snapshot.stateText(''), undefined);
    assert.equal(snapshot.receipt('ab'.repeat(32)), null);
    assert.equal(snapshot.transitionAt(99, 0), null);
    assert.equal(snapshot.blockAt(99), null);
    assert.equal(snapshot.heightOfCertificate('ab'.repeat(32)), null);
    snapshot.close();
  });

  test('gives receipts and proven transitions as they were answered', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice', 'bob');
    const gifts = ['alice', 'bob', 'alice'].map((to) => harness.gift(to, 3));
    const receipts = await harness.commit(...gifts);
    const snapshot = harness.store.snapshot();
    for (const [i, receipt] of receipts.entries()) {
      assert.deepEqual(snapshot.receipt(receipt.transitionHash), receipt);
      assert.equal(receipt.events.length, 1);
      const proven = snapshot.provenTransition(receipt.transitionHash)!;
      assert.deepEqual(proven.envelope, gifts[i]?.envelope);
      const { proof, transitionsRoot } = proven;
      assert.ok(verifyMerkleProof(receipt.transitionHash, proof, transitionsRoot));
    }
    snapshot.close();
  });

  test('lists events by agent and by type, after a position', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice', 'bob');
    await harness.commit(
      harness.gift('alice', 1),
      harness.gift('bob', 2),
      harness.gift('alice', 3),
    );
    const snapshot = harness.store.snapshot();
    const after = position(3, 0);
    const amounts = (subject?: string, limit = 10): unknown[] =>
      snapshot.eventsAfter(after, limit, subject).map(({ data }) => data['amount']);
    assert.deepEqual(amounts(), [2, 3]);
    assert.deepEqual(amounts('agent:alice'), [3]);
    assert.deepEqual(amounts('agent:bob'), [2]);
    assert.deepEqual(amounts('type:Transferred', 1), [2]);
    assert.deepEqual(amounts('order:o-1'), []);
    const newest = (limit: number, subject = 'agent:alice'): unknown[] =>
      snapshot.latestEvents(subject, limit).map(({ data }) => data['amount']);
    assert.deepEqual(newest(2), [3, 1]);
    assert.deepEqual(newest(1), [3]);
    assert.deepEqual(newest(9).length, snapshot.eventsAfter(-1, 9, 'agent:alice').length);
    assert.deepEqual(newest(9, 'agent:nobody'), []);
    snapshot.close();
  });

  for (const size of [1, SUBTREE_LEAVES, SUBTREE_LEAVES + 1, 2 * SUBTREE_LEAVES + 2]) {
    test(`proves each event and each transition of a block of ${size}`, async (t) => {
      const harness = await openHarness(t);
      await harness.join('alice');
      const gifts = Array.from({ length: size }, (_, i) => harness.gift('alice', i + 1));
      const [receipt] = await harness.commit(...gifts);
      const height = receipt?.height ?? 0;
      const snapshot = harness.store.snapshot();
      const events = snapshot.eventsOf(height);
      assert.deepEqual([events.length, snapshot.eventCount(height)], [size, size]);
      assert.equal(snapshot.eventCount(height + 1), 0);
      const hashes = events.map(eventHash);
      for (const index of hashes.keys()) {
        assert.deepEqual(snapshot.eventProof(height, index), merkleProof(hashes, index));
      }
      assert.equal(merkleRoot(hashes), snapshot.blockAt(height)?.header.eventsRoot);
      const transitions = snapshot.transitionsOf(height).map(({ text }) => sha256Hex(text));
      assert.equal(transitions.length, size);
      for (const [index, hash] of transitions.entries()) {
        const proven = snapshot.provenTransition(hash);
        assert.deepEqual(proven?.proof, merkleProof(transitions, index));
      }
      for (const index of [-1, size]) {
        assert.throws(() => snapshot.eventProof(height, index), RangeError);
      }
      snapshot.close();
    });
  }

  test('reads no more than one subtree of a block to prove a transition', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    const size = 2 * SUBTREE_LEAVES + 1;
    const gifts = Array.from({ length: size }, (_, i) => harness.gift('alice', i + 1));
    const receipts = await harness.commit(...gifts);
    const { height, transitionHash } = receipts[SUBTREE_LEAVES]!;
    for (const elsewhere of [0, SUBTREE_LEAVES - 1, 2 * SUBTREE_LEAVES]) {
      await harness.store.tables.transitions.remove(position(height, elsewhere));
    }
    const snapshot = harness.store.snapshot();
    const { proof, transitionsRoot } = snapshot.provenTransition(transitionHash)!;
    assert.ok(verifyMerkleProof(transitionHash, proof, transitionsRoot));
    snapshot.close();
  });
});

describe('a list', () => {
  test('pages newest first, without gap or repetition', async (t) => {
    const harness = await openHarness(t);
    const names = Array.from({ length: 11 }, (_, i) => `agent-${i}`);
    await harness.commit(...names.slice(0, 4).map((name) => harness.registration(name)));
    await harness.commit(...names.slice(4).map((name) => harness.registration(name)));
    const snapshot = harness.store.snapshot();
    for (const limit of [1, 2, 3, 10, 11, 12]) {
      const found: string[] = [];
      let below: number | null = null;
      let pages = 0;
      do {
        const page: Page<AgentRecord> = snapshot.list('agent', 'agents', { below, limit });
        assert.ok(page.items.length <= limit);
        found.push(...page.items.map(({ agentId }) => agentId));
        below = page.next;
        pages++;
      } while (below !== null);
      assert.deepEqual(found, names.toReversed());
      assert.equal(pages, Math.ceil(11 / limit));
    }
    snapshot.close();
  });

  test('is empty if no record matches its value, however strange the value', async (t) => {
    const harness = await openHarness(t);
    const snapshot = harness.store.snapshot();
    for (const value of ['', 'nobody', '\u0000', '\u00e4', 'x'.repeat(5_000)]) {
      const page = snapshot.list('beacon', 'beacons-by-capability', { value, limit: 5 });
      assert.deepEqual(page, { items: [], next: null });
    }
    snapshot.close();
  });

  test('lets go of a beacon in the block that tells of its expiry', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice', 'bob');
    await harness.commit(beacon(harness, 'alice', { sequence: 1, lifetime: 3 }));
    await harness.commit(beacon(harness, 'bob', { sequence: 1, lifetime: 50 }));
    const listed = (list: ListName<'beacon'>, value = ''): string[] => {
      const snapshot = harness.store.snapshot();
      const { items } = snapshot.list('beacon', list, {
        value,
        limit: 10,
        keep: ({ beacon: current }) => current!.expiresAtHeight >= snapshot.height,
      });
      snapshot.close();
      return items.map(({ agentId }) => agentId);
    };
    // alice's ends with height 5, the next one, and the block after it tells of that.
    assert.equal(harness.chain.height, 4);
    assert.deepEqual(listed('beacons'), ['bob', 'alice']);
    assert.deepEqual(listed('beacons-by-capability', 'translate'), ['bob', 'alice']);
    assert.deepEqual(listed('beacons-by-protocol', 'a2a/1.0'), ['bob', 'alice']);
    await harness.advance(10_000);
    assert.equal(harness.chain.height, 5);
    assert.deepEqual(listed('beacons'), ['bob', 'alice']);
    await harness.advance(1_000);
    assert.equal(harness.chain.height, 6);
    assert.deepEqual(listed('beacons'), ['bob']);
    assert.ok(!keysOf(harness.store, 'lists').some((key) => key.includes('beacon/alice')));
    assert.ok(!keysOf(harness.store, 'due').some((key) => key.includes('beacon/alice')));
    assert.ok(keysOf(harness.store, 'due').some((key) => key.includes('beacon/bob')));
  });

  test('keeps a beacon that is renewed in the very block that tells of its expiry', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    await harness.commit(beacon(harness, 'alice', { sequence: 1, lifetime: 1 }));
    await harness.commit(beacon(harness, 'alice', { sequence: 2, lifetime: 50 }));
    const snapshot = harness.store.snapshot();
    const { items } = snapshot.list('beacon', 'beacons', { limit: 10 });
    assert.deepEqual(
      items.map(({ lastSequence }) => lastSequence),
      [2],
    );
    snapshot.close();
  });

  test('hides a beacon whose turn to expire has not come, and lets go of it a block later', async (t) => {
    const harness = await openHarness(t, { blockTime: 1_000, idleBlockTime: 1_000 });
    const limit = TIMER_LIMITS.expireBeacon;
    const names = Array.from(
      { length: limit + 1 },
      (_, i) => `agent-${String(i).padStart(3, '0')}`,
    );
    await harness.commit(...names.map((name) => harness.registration(name)));
    const last = harness.chain.height + 9;
    const members = { expiresAtHeight: last };
    await harness.commit(
      ...names.map((name) => beacon(harness, name, { sequence: 1, lifetime: 0 }, members)),
    );
    const found = (all: boolean): string[] => {
      const snapshot = harness.store.snapshot();
      const { items } = snapshot.list('beacon', 'beacons', {
        limit: 1_000,
        keep: ({ beacon: its }) => all || !hasExpired(its!.expiresAtHeight, snapshot.height),
      });
      snapshot.close();
      return items.map(({ agentId }) => agentId);
    };
    while (harness.chain.height < last) await harness.advance(1_000);
    assert.equal(found(false).length, names.length);
    await harness.advance(1_000);
    assert.deepEqual([found(true), found(false)], [names.slice(limit), []]);
    assertFollowsFromRecords(harness.store);
    await harness.advance(1_000);
    assert.deepEqual(found(true), []);
    assert.ok(!keysOf(harness.store, 'due').some((key) => key.includes('beacon/')));
    assertFollowsFromRecords(harness.store);
  });

  test('drops what is withdrawn', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    await harness.commit(beacon(harness, 'alice', { sequence: 1, lifetime: 50 }));
    await harness.commit(harness.intent('alice', 'withdrawBeacon', { agentId: 'alice' }));
    assert.ok(!keysOf(harness.store, 'lists').some((key) => key.includes('beacon')));
    assert.ok(!keysOf(harness.store, 'due').some((key) => key.includes('beacon')));
  });
});

test('values of lists stand in keys as they are where short and plain, hashed otherwise', () => {
  assert.equal(listValue('a2a:1.0_x-y'), 'a2a:1.0_x-y');
  for (const value of ['a/b', 'ä', 'x'.repeat(65), '\u0000', 'a b']) {
    assert.match(listValue(value), /^[a-f0-9]{64}$/);
  }
});

describe('spent nonces', () => {
  test('leave with their leaf, in a later block, when all of the block have expired', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    const spend = (nonce: string, lifetime: number): Submission =>
      harness.gift('alice', 1, { nonce, expiresAtHeight: harness.chain.height + lifetime });
    await harness.commit(spend('short', 1), spend('long', 3));
    const { height } = harness.chain;
    const expiryOf = (nonce: string): number | undefined =>
      harness.store.spentNonceExpiry(nonceHash('operator', nonce));
    assert.equal(expiryOf('short'), height);
    assert.equal(expiryOf('long'), height + 2);
    for (let i = 0; i < 2; i++) await harness.commit(harness.gift('alice'));
    assert.deepEqual(harness.store.due('prune:nonce', harness.chain.height, 9), []);
    assert.ok(harness.store.get(`nonce/${height}`));
    await harness.commit(harness.gift('alice'));
    assert.equal(harness.store.get(`nonce/${height}`), undefined);
    assert.equal(expiryOf('short'), undefined);
    assert.equal(expiryOf('long'), undefined);
  });

  test('stay if they have been spent again since', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    const spend = (nonce: string, lifetime: number): Submission =>
      harness.gift('alice', 1, { nonce, expiresAtHeight: harness.chain.height + lifetime });
    await harness.commit(spend('twice', 1), spend('thrice', 1), spend('other', 3));
    const first = harness.chain.height;
    await harness.commit(spend('twice', 40));
    await harness.commit(harness.gift('alice'));
    // In the block that removes the leaf.
    await harness.commit(spend('thrice', 40));
    assert.equal(harness.store.get(`nonce/${first}`), undefined);
    const expiryOf = (nonce: string): number | undefined =>
      harness.store.spentNonceExpiry(nonceHash('operator', nonce));
    assert.equal(expiryOf('twice'), first + 40);
    assert.equal(expiryOf('thrice'), first + 42);
    assert.equal(expiryOf('other'), undefined);
  });
});

test('records that wait in a queue come in order of height and key, as many as asked for', async (t) => {
  const harness = await openHarness(t);
  await harness.join('alice');
  for (const lifetime of [9, 7, 5]) {
    const expiresAtHeight = harness.chain.height + lifetime;
    await harness.commit(harness.gift('alice', 1, { expiresAtHeight }));
  }
  assert.deepEqual(harness.store.due('prune:nonce', 9, 9), []);
  assert.deepEqual(harness.store.due('prune:nonce', 10, 9), ['nonce/5']);
  assert.deepEqual(harness.store.due('prune:nonce', 12, 9), ['nonce/5', 'nonce/4', 'nonce/3']);
  assert.deepEqual(harness.store.due('prune:nonce', 12, 2), ['nonce/5', 'nonce/4']);
});

interface ListedCollection {
  lists?: (record: unknown) => ListEntry[];
  sortedIndexes?: (record: unknown) => SortedIndexEntry[];
}

test('a sorted index gives the highest first, equals by key, and follows every change', async (t) => {
  const harness = await openHarness(t);
  await harness.join('alice', 'bob', 'carol');
  const give = (to: string, amount: number): Submission =>
    harness.intent(OPERATOR, 'transferToken', { tokenId: 'tok-gold', to, amount });
  const top = (limit = 10): string[] => {
    const snapshot = harness.store.snapshot();
    const options = { value: 'tok-gold', limit };
    const items = snapshot.top('token-holder', 'token-holders', options);
    snapshot.close();
    return items.map(({ actorId, amount }) => `${actorId} ${amount}`);
  };
  assert.deepEqual(top(), []);
  const supplyCap = Number.MAX_SAFE_INTEGER;
  const created = { supplyCap, initialSupply: supplyCap, mintAuthority: OPERATOR };
  await harness.commit(harness.intent(OPERATOR, 'createToken', tokenOf(created)));
  assert.deepEqual(top(), [`${OPERATOR} ${supplyCap}`]);
  await harness.commit(give('carol', 1), give('alice', 10), give('bob', 10));
  const rest = `${OPERATOR} ${supplyCap - 21}`;
  assert.deepEqual(top(), [rest, 'alice 10', 'bob 10', 'carol 1']);
  assert.deepEqual(top(2), [rest, 'alice 10']);
  await harness.commit(give('bob', 1));
  assert.deepEqual(top().slice(1), ['bob 11', 'alice 10', 'carol 1']);
  const all = { tokenId: 'tok-gold', amount: supplyCap - 22 };
  await harness.commit(harness.intent(OPERATOR, 'burnToken', all));
  assert.deepEqual(top(), ['bob 11', 'alice 10', 'carol 1']);
});

/** Orders that are created, accepted and cancelled, with requirements that are equal once normalized. */
function workCommands(harness: ChainHarness, round: number): Submission[] {
  const order = (members: JsonObject = {}): Submission => {
    const payload = workOrderOf(`o-${round}`, {
      requirements: ['A b', 'a_b', 'c'],
      jury: 'none',
      ...members,
    });
    return harness.intent(OPERATOR, 'createWorkOrder', payload);
  };
  const last = { orderId: `o-${round - 1}` };
  switch (round % 4) {
    case 0:
      return [harness.intent(OPERATOR, 'cancelWorkOrder', last), order({ requirements: [] })];
    case 1:
      return [order()];
    case 2:
      // The agent does no paid work here, so it may hold two orders at most.
      const agentId = ['alice', 'bob', 'carol'][round % 3] ?? 'alice';
      return [harness.intent(agentId, 'acceptWork', { ...last, agentId })];
    default:
      return [order({ agentId: 'bob' })];
  }
}

/** Queues, lists and spent nonces hold exactly what the state's records say. */
function assertFollowsFromRecords(store: Store): void {
  const snapshot = store.snapshot();
  const lists: string[] = [];
  const due: string[] = [];
  const nonces = new Map<string, number>();
  for (const { key, text } of snapshot.pairs()) {
    const record: unknown = JSON.parse(text);
    const { collection } = parseStateKey(key)!;
    const info = COLLECTIONS[collection] as ListedCollection;
    for (const entry of info.lists?.(record) ?? []) {
      const at = position(entry.position.height, entry.position.index);
      lists.push(JSON.stringify([entry.list, listValue(entry.value), at, key]));
    }
    for (const { list, value, rank } of info.sortedIndexes?.(record) ?? []) {
      lists.push(JSON.stringify([list, listValue(value), -rank, key]));
    }
    const entry = queueEntry(key, record);
    if (entry) due.push(JSON.stringify([entry.queue, entry.at, key]));
    if (collection === 'nonce') {
      for (const { hash, expiry } of record as { hash: string; expiry: number }[]) {
        nonces.set(hash, Math.max(expiry, nonces.get(hash) ?? 0));
      }
    }
  }
  assert.deepEqual(keysOf(store, 'lists').toSorted(), lists.toSorted());
  assert.deepEqual(keysOf(store, 'due').toSorted(), due.toSorted());
  const stored = dump(store).get('nonces')!;
  assert.deepEqual(
    stored.toSorted(),
    [...nonces].map(([hash, expiry]) => JSON.stringify([hash, String(expiry)])).toSorted(),
  );
  snapshot.close();
}

test('queues and lists follow from the records, however beacons are published, renewed, withdrawn and expire', async (t) => {
  const agents = ['alice', 'bob', 'carol'];
  const step = fc.record({
    agentId: fc.constantFrom(...agents),
    lifetime: fc.integer({ min: 1, max: 3 }),
    what: fc.constantFrom('publish', 'publish', 'withdraw', 'wait'),
  });
  const plays = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 30 }),
    async (steps) => {
      const harness = await openHarness(t, { blockTime: 1_000, idleBlockTime: 1_000 });
      await harness.join(...agents);
      for (const [at, { agentId, lifetime, what }] of steps.entries()) {
        if (what === 'publish')
          harness.post(beacon(harness, agentId, { sequence: at + 1, lifetime }));
        // Refused if there is none, which is one of the cases.
        if (what === 'withdraw')
          harness.post(harness.intent(agentId, 'withdrawBeacon', { agentId }));
        await harness.advance(1_000);
        assertFollowsFromRecords(harness.store);
      }
      for (let height = 0; height < 5; height++) await harness.advance(1_000);
      assertFollowsFromRecords(harness.store);
      const left = [...keysOf(harness.store, 'lists'), ...keysOf(harness.store, 'due')];
      assert.ok(!left.some((key) => key.includes('beacon/')));
      // All that was published has ended once.
      const snapshot = harness.store.snapshot();
      const told = snapshot.eventsAfter(-1, 1_000).map(({ type, data }) => [type, data['agentId']]);
      snapshot.close();
      for (const agentId of agents) {
        const types = told.filter(([, id]) => id === agentId).map(([type]) => type);
        const last = types.findLast((type) => String(type).startsWith('Beacon'));
        if (types.includes('BeaconPublished')) assert.notEqual(last, 'BeaconPublished');
      }
    },
  );
  await fc.assert(plays, { numRuns: 12 });
});

test('the derived tables are what the state and the chain say', async (t) => {
  const harness = await openHarness(t);
  await harness.join('alice', 'bob', 'carol');
  for (let round = 1; round < 12; round++) {
    await harness.commit(
      beacon(harness, 'alice', { sequence: round, lifetime: 1 + (round % 4) }),
      ...(round % 3 === 0
        ? [
            beacon(
              harness,
              'bob',
              { sequence: round, lifetime: 40 },
              { capabilities: ['A b', 'a_b', 'c'] },
            ),
          ]
        : []),
      ...workCommands(harness, round),
      ...(round === 7 ? [harness.intent('bob', 'withdrawBeacon', { agentId: 'bob' })] : []),
      harness.gift('carol', round, { expiresAtHeight: harness.chain.height + 1 + (round % 5) }),
      harness.registration(`agent-${round}`, { referrerAgentId: 'alice' }),
      ...(round === 1
        ? [harness.intent(OPERATOR, 'createToken', tokenOf({ mintAuthority: OPERATOR }))]
        : [
            harness.intent(OPERATOR, 'transferToken', {
              tokenId: 'tok-gold',
              to: ['alice', 'bob', 'carol'][round % 3] ?? 'alice',
              amount: round,
            }),
          ]),
    );
  }
  const { store } = harness;
  const snapshot = store.snapshot();
  assertFollowsFromRecords(store);
  const bySubject = new Map<string, string[]>();
  for (const event of snapshot.eventsAfter(-1, 10_000)) {
    const { actors, order } = eventSubjects(event);
    const subjects = [`type:${event.type}`, ...actors.map((id) => `agent:${id}`)];
    for (const subject of order === null ? subjects : [...subjects, `order:${order}`]) {
      bySubject.set(subject, [...(bySubject.get(subject) ?? []), placeOf(event)]);
    }
  }
  assert.equal(
    dump(store).get('eventIndex')!.length,
    new Set([...bySubject].flatMap(([name, at]) => at.map((place) => name + place.split('.')[0])))
      .size,
    'a row for each subject and block',
  );
  for (const [subject, places] of bySubject) {
    for (const limit of [1, 2, 1_000]) {
      assert.deepEqual(pagesOf(snapshot, subject, limit), places, `${subject} by ${limit}`);
      const newest = places.toReversed().slice(0, limit);
      assert.deepEqual(snapshot.latestEvents(subject, limit).map(placeOf), newest, subject);
      const count = Math.min(limit, places.filter((place) => parseInt(place) >= 5).length);
      assert.equal(snapshot.eventCountFrom(5, subject, limit), count, subject);
    }
  }
  snapshot.close();
  assert.deepEqual(validateChain(store), []);
});

// Without prepareCopy, LMDB crashes the process.
test('a prepared copy takes a large first transaction', async (t) => {
  const [from, to] = [tempDir(t), tempDir(t)];
  const fill = async (store: Store, count: number, text: string): Promise<void> => {
    const writes = new Writes();
    for (let at = 0; at < count; at++) writes.put(store.tables.state, `x/${10_000 + 2 * at}`, text);
    await store.writeAll(writes);
  };
  const original = Store.open(from, { scratch: true });
  await fill(original, 3_000, 'v'.repeat(1_500));
  await original.copyTo(to);
  await original.close();
  const copy = Store.open(to, { scratch: true });
  await copy.prepareCopy();
  await fill(copy, 400, 'w'.repeat(1_500));
  assert.equal(copy.pairCount(), 3_000);
  await copy.close();
});

const placeOf = ({ height, index }: { height: number; index: number }) => `${height}.${index}`;

function pagesOf(snapshot: Snapshot, subject: string, limit: number): string[] {
  const places: string[] = [];
  for (let after = -1; ;) {
    const page = snapshot.eventsAfter(after, limit, subject);
    places.push(...page.map(placeOf));
    const last = page.at(-1);
    if (!last) return places;
    after = position(last.height, last.index);
  }
}
