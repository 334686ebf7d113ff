import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { makeSubmission, type Submission } from '@netd/ledger';
import { OPERATOR, signatureOf, testKey } from '@netd/ledger/testing';
import { canonicalize, sha256, verifyStateProof } from '@netd/protocol';
import { BATCH_LIMITS } from '../consensus.ts';
import { proveState } from '../../chain/proofs.ts';
import { bucketOf, BUCKETS } from '../../store/tree/tree-records.ts';
import { validateChain } from '@netd/testkit/validate-chain';
import {
  ChainHarness,
  receiptOf,
  HARNESS_GENESIS,
  verdictOf,
  type HarnessOptions,
} from '@netd/testkit/chain-harness';
import type { SubmissionResult } from '../../mempool/mempool.ts';
import { tempDir } from '@netd/testkit/temp-dir';
import { SimulatedCrash } from '@netd/testkit/simulated-process';

type Options = Partial<HarnessOptions>;

async function openHarness(t: TestContext, options: Options = {}): Promise<ChainHarness> {
  const harness = await ChainHarness.open({ path: join(tempDir(t), 'chain'), ...options });
  t.after(() => harness.close());
  return harness;
}

async function verdicts(results: Promise<Parameters<typeof verdictOf>[0]>[]): Promise<string[]> {
  return (await Promise.all(results)).map(verdictOf);
}

function rotation(harness: ChainHarness, actorId: string, nextName: string): Submission {
  const next = testKey(nextName);
  const nonce = `rotate-${nextName}`;
  return harness.intent(
    actorId,
    'rotateAgentKey',
    {
      agentId: actorId,
      newPublicKey: next.publicKey,
      newKeySignature: signatureOf(next, {
        schema: 'NET-KEY-ROTATION/1',
        chainId: harness.genesis.chainId,
        actorId,
        oldKeyHash: testKey(actorId).publicKeyHash,
        newPublicKey: next.publicKey,
        nonce,
      }),
    },
    { nonce },
  );
}

describe('a database that does not fit', () => {
  test('of another genesis with the same chain id is refused', async (t) => {
    const path = join(tempDir(t), 'chain');
    await (await ChainHarness.open({ path })).close();
    const genesis = { ...HARNESS_GENESIS, genesisTime: '2026-01-02T00:00:00.000Z' };
    await assert.rejects(ChainHarness.open({ path, genesis }), /another net-test-1/);
    await assert.rejects(
      ChainHarness.open({ path, genesis: { ...HARNESS_GENESIS, chainId: 'net-other-1' } }),
      /the chain net-test-1/,
    );
  });

  test('whose tree says something else than its head is refused', async (t) => {
    const path = join(tempDir(t), 'chain');
    const harness = await ChainHarness.open({ path });
    const [one, other] = [...harness.store.treePages()].slice(-2);
    await harness.store.tables.treePages.put(other!.key, Buffer.from(one!.value));
    await harness.close();
    await assert.rejects(ChainHarness.open({ path }), {
      name: 'StoreError',
      message: /^the state tree has root .*, block 0 says .*; run netd verify$/,
    });
  });

  test('whose tree has a page that is none is refused', async (t) => {
    const path = join(tempDir(t), 'chain');
    const harness = await ChainHarness.open({ path });
    const [{ key, value }] = [...harness.store.treePages()] as [{ key: number; value: Uint8Array }];
    await harness.store.tables.treePages.put(key, Buffer.from(value.subarray(0, 40)));
    await harness.close();
    await assert.rejects(ChainHarness.open({ path }), {
      name: 'StoreError',
      message: `page ${key} of the state tree is damaged; run netd verify`,
    });
  });

  test('whose buckets are not those of its pages says so when one is used, and writes nothing', async (t) => {
    const path = join(tempDir(t), 'chain');
    const harness = await ChainHarness.open({ path });
    await harness.commit(harness.registration('alice'));
    const bucket = bucketOf(sha256('account/alice'));
    const { value } = [...harness.store.buckets(bucket + 1, BUCKETS)][0]!;
    await harness.store.tables.tree.put(bucket, Buffer.from(value));
    await harness.close();
    const again = await ChainHarness.open({ path });
    t.after(() => again.close());
    const results = again.submit(again.gift('alice', 1));
    await again.advance(100);
    assert.deepEqual(await verdicts(results), ['failed']);
    assert.match(
      String(again.failures[0]?.error),
      /^StoreError: the buckets \d+ to \d+ of the state tree are not those of block \d+; run netd verify$/,
    );
    assert.equal(again.chain.height, 1);
  });
});

describe('when the disk refuses a block', () => {
  test('its senders hear "unavailable", and the chain goes on from the durable head', async (t) => {
    let full = true;
    const harness = await openHarness(t, {
      at: (name, height) => {
        if (full && name === 'block.writing' && height === 1) throw new Error('ENOSPC');
      },
    });
    const alice = harness.registration('alice');
    const refused = harness.registration('alice', { nonce: 'again' });
    const first = harness.submit(alice, refused);
    await harness.advance(100);
    assert.deepEqual(await verdicts(first), ['unavailable', 'unavailable']);
    assert.deepEqual(
      harness.failures.map(({ height }) => height),
      [1],
    );
    assert.equal(harness.chain.height, 0);
    assert.equal(harness.executor.tree.root, harness.chain.head.stateRoot);
    full = false;
    const [receipt] = await harness.commit(alice);
    assert.equal(receipt?.height, 1);
    assert.deepEqual(validateChain(harness.store), []);
  });

  test('the tree goes back from memory: nothing is read again, however large the state is', async (t) => {
    let full = false;
    let reads = 0;
    const harness = await openHarness(t, {
      at: (name) => {
        if (!full || name !== 'block.writing') return;
        reads = 0;
        throw new Error('ENOSPC');
      },
    });
    await harness.join('alice');
    const { store } = harness;
    for (const name of ['treePages', 'buckets'] as const) {
      const read = store[name].bind(store) as (...range: number[]) => never;
      Object.assign(store, { [name]: (...range: number[]) => (reads++, read(...range)) });
    }
    full = true;
    for (let attempt = 0; attempt < 3; attempt++) {
      const { root } = harness.executor.tree;
      const results = harness.submit(harness.gift('alice', 1), harness.registration('bob'));
      await harness.advance(100);
      assert.deepEqual(await verdicts(results), ['unavailable', 'unavailable']);
      assert.equal(harness.executor.tree.root, root);
      assert.equal(reads, 0);
    }
    assert.equal(harness.failures.length, 3);
    full = false;
    await harness.commit(harness.gift('alice', 1), harness.registration('bob'));
    assert.deepEqual(validateChain(store), []);
  });

  test('the block that was executed on top of it falls with it', async (t) => {
    let late: ReturnType<ChainHarness['submit']> = [];
    let full = true;
    const harness = await openHarness(t, {
      blockTime: 0,
      at: (name, height, { chain }) => {
        if (!full || name !== 'block.writing' || height !== 3) return;
        // For the next block, which is executed while this one is being written.
        late = harness.submit(harness.gift('alice', 2), harness.gift('nobody'));
        assert.equal(chain.height, 2);
      },
    });
    await harness.join('alice');
    const commitBlock = harness.store.commitBlock.bind(harness.store);
    harness.store.commitBlock = async (block) => {
      if (full && block.header.height === 3) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error('EIO');
      }
      await commitBlock(block);
    };
    const gift = harness.gift('alice', 1);
    const results = harness.submit(gift);
    await harness.settle();
    await harness.settle();
    assert.deepEqual(await verdicts([...results, ...late]), [
      'unavailable',
      'unavailable',
      'unavailable',
    ]);
    assert.ok(
      harness.trace.indexOf('block.built@4') > 0 && !harness.trace.includes('block.writing@4'),
      'the fourth block was built and never written',
    );
    assert.equal(harness.chain.height, 2);
    assert.equal(harness.executor.tree.root, harness.chain.head.stateRoot);
    full = false;
    const [receipt] = await harness.commit(gift);
    assert.equal(receipt?.height, 3);
    assert.deepEqual(validateChain(harness.store), []);
  });

  test('but has written it all the same, the database is believed', async (t) => {
    const harness = await openHarness(t, {
      afterCommit: (height) => {
        if (height === 1) throw new Error('EIO');
      },
    });
    const [receipt] = await harness.commit(harness.registration('alice'));
    assert.equal(receipt?.height, 1);
    assert.equal(harness.failures.length, 0);
    assert.deepEqual(validateChain(harness.store), []);
  });

  test('a refusal that rests on it is no refusal', async (t) => {
    let results: ReturnType<ChainHarness['submit']> = [];
    let fail = true;
    const harness = await openHarness(t, {
      blockTime: 0,
      at: (name, height) => {
        if (fail && name === 'block.writing' && height === 1) {
          results = harness.submit(harness.registration('alice', { nonce: 'other' }));
        }
      },
    });
    const commitBlock = harness.store.commitBlock.bind(harness.store);
    harness.store.commitBlock = async (block) => {
      if (!fail) return commitBlock(block);
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error('EIO');
    };
    harness.post(harness.registration('alice'));
    await harness.settle();
    await harness.settle();
    assert.deepEqual(await verdicts(results), ['unavailable']);
    fail = false;
    await harness.commit(harness.registration('alice', { nonce: 'other' }));
  });
});

describe('when a rule breaks', () => {
  test('its envelope has failed, the others go on, and it leaves no trace', async (t) => {
    const harness = await openHarness(t);
    const get = harness.store.get.bind(harness.store);
    harness.store.get = (key) => {
      if (key.endsWith('/mallory')) throw new TypeError('a bug');
      return get(key);
    };
    const results = harness.submit(
      harness.registration('alice'),
      harness.gift('mallory'),
      harness.registration('bob'),
    );
    await harness.settle();
    assert.deepEqual(await verdicts(results), ['committed', 'failed', 'committed']);
    await harness.advance(100);
    assert.deepEqual(validateChain(harness.store), []);
  });

  test('in the block as a whole, there is no block, and the next one is valid', async (t) => {
    let broken = true;
    const harness = await openHarness(t, {
      at: (name) => {
        if (broken && name === 'block.built') throw new Error('an invariant');
      },
    });
    const alice = harness.registration('alice');
    const results = harness.submit(alice);
    await harness.settle();
    assert.deepEqual(await verdicts(results), ['failed']);
    assert.equal(harness.chain.height, 0);
    assert.equal(harness.failures.length, 1);
    broken = false;
    await harness.commit(alice);
    assert.deepEqual(validateChain(harness.store), []);
  });

  test('while its predecessor is being written, the predecessor stays', async (t) => {
    let results: ReturnType<ChainHarness['submit']> = [];
    const harness = await openHarness(t, {
      blockTime: 0,
      at: (name, height) => {
        if (name === 'block.writing' && height === 1)
          results = harness.submit(harness.registration('bob'));
        if (name === 'block.built' && height === 2 && results.length === 1) {
          results.push(...harness.submit(harness.registration('carol')));
          throw new Error('an invariant');
        }
      },
    });
    const [alice] = await harness.commit(harness.registration('alice'));
    await harness.advance(100);
    assert.equal(alice?.height, 1);
    assert.deepEqual(await verdicts(results), ['failed', 'committed']);
    assert.deepEqual(validateChain(harness.store), []);
  });
});

describe('a crash', () => {
  for (const name of [
    'block.built',
    'block.certified',
    'block.writing',
    'block.durable',
  ] as const) {
    test(`at ${name} answers no request, and the chain continues from its database`, async (t) => {
      const path = join(tempDir(t), 'chain');
      const harness = await ChainHarness.open({
        path,
        at: (reached, height) => {
          if (reached === name && height === 1) throw new SimulatedCrash();
        },
      });
      let answered = false;
      const alice = harness.registration('alice');
      void harness.submit(alice)[0]?.then(() => (answered = true));
      await harness.advance(100);
      assert.equal(harness.crashed, true);
      assert.equal(answered, false);
      assert.deepEqual(await verdicts(harness.submit(harness.registration('bob'))), [
        'unavailable',
      ]);
      await harness.close();

      const again = await ChainHarness.open({ path });
      t.after(() => again.close());
      assert.equal(again.chain.height, name === 'block.durable' ? 1 : 0);
      const results = again.submit(alice);
      await again.advance(100);
      const [result] = await Promise.all(results);
      if (name === 'block.durable') {
        assert.ok(result?.status === 'refused' && result.receipt?.height === 1);
        assert.equal(result.refusal.code, 'AGENT_EXISTS');
      } else {
        assert.equal(result?.status, 'committed');
      }
      assert.deepEqual(validateChain(again.store), []);
    });
  }
});

describe('identical envelopes in one queue', () => {
  test('are executed once, and the second is answered with the receipt of the first', async (t) => {
    const harness = await openHarness(t);
    const alice = harness.registration('alice');
    const gift = harness.gift('alice');
    const results = harness.submit(alice, alice, gift, gift);
    await harness.settle();
    const [first, second, third, fourth] = await Promise.all(results);
    assert.ok(first && third && second?.status === 'refused' && fourth?.status === 'refused');
    assert.equal(second.refusal.code, 'AGENT_EXISTS');
    assert.deepEqual(second.receipt, receiptOf(first));
    assert.equal(fourth.refusal.code, 'NONCE_REPLAYED');
    assert.deepEqual(fourth.receipt, receiptOf(third));
  });

  test('are recognized even if the first made the second wrong in another way', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    const rotate = rotation(harness, 'alice', 'alice-2');
    const results = harness.submit(rotate, rotate);
    await harness.advance(100);
    const [first, second] = await Promise.all(results);
    assert.ok(first && second?.status === 'refused');
    assert.equal(second.refusal.code, 'NONCE_REPLAYED');
    assert.deepEqual(second.receipt, receiptOf(first));
  });

  test('are recognized after their expiry', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    const gift = harness.gift('alice', 1, { expiresAtHeight: harness.chain.height + 1 });
    const [receipt] = await harness.commit(gift);
    await harness.commit(harness.gift('alice'));
    const results = harness.submit(gift);
    await harness.advance(100);
    const [result] = await Promise.all(results);
    assert.ok(result?.status === 'refused');
    assert.equal(result.refusal.code, 'NONCE_REPLAYED');
    assert.deepEqual(result.receipt, receipt);
  });

  test('another envelope under the same nonce gets no receipt', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    const results = harness.submit(
      harness.gift('alice', 1, { nonce: 'n' }),
      harness.gift('alice', 2, { nonce: 'n' }),
    );
    await harness.advance(100);
    const [, second] = await Promise.all(results);
    assert.ok(second?.status === 'refused');
    assert.equal(second.refusal.code, 'NONCE_REPLAYED');
    assert.equal(second.receipt, null);
  });
});

describe('block production', () => {
  test('takes everything that waits into one block, in order of arrival', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice', 'bob');
    const beacon = (sequence: number): Submission =>
      harness.intent('alice', 'publishBeacon', {
        schema: 'NET-AGENT-BEACON/1',
        agentId: 'alice',
        indexable: true,
        endpoint: 'https://alice.example/a2a',
        capabilities: ['translate'],
        protocols: ['a2a/1.0'],
        metadataHash: 'ab'.repeat(32),
        expiresAtHeight: harness.chain.height + 50,
        sequence,
      });
    const receipts = await harness.commit(beacon(1), harness.gift('bob'), beacon(2), beacon(3));
    assert.deepEqual(
      receipts.map(({ height, index }) => [height, index]),
      [0, 1, 2, 3].map((index) => [3, index]),
    );
  });

  test('spends at most the permitted number of envelopes on one block', async (t) => {
    const harness = await openHarness(t);
    await harness.join('alice');
    const gift = harness.gift('alice');
    const known = makeSubmission('intent', gift.envelope, testKey(OPERATOR).publicKey);
    const results = harness.submit(...Array.from({ length: BATCH_LIMITS.count }, () => known));
    const last = harness.submit(harness.gift('alice'));
    await harness.settle();
    await harness.advance(100);
    assert.equal(receiptOf((await Promise.all(results))[0]!).height, 3);
    assert.equal(harness.mempool.readyCount, 0);
    assert.equal(receiptOf((await Promise.all(last))[0]!).height, 4);
  });

  test('makes the first block at once, and none sooner than blockTime after the last', async (t) => {
    const harness = await openHarness(t, { blockTime: 100 });
    harness.post(harness.registration('alice'));
    await harness.settle();
    assert.equal(harness.chain.height, 1);
    harness.post(harness.registration('bob'));
    await harness.advance(99);
    assert.equal(harness.chain.height, 1);
    harness.post(harness.registration('carol'));
    await harness.advance(1);
    assert.equal(harness.chain.height, 2);
    assert.equal(harness.store.snapshot().transitionsOf(2).length, 2);
  });

  test('of a crowd makes one block, not one of the first and one of the rest', async (t) => {
    const harness = await openHarness(t);
    const crowd = ['alice', 'bob', 'carol'].map((name) => ({
      place: harness.mempool.reserve(name, 1),
      registration: harness.registration(name),
    }));
    const results: Promise<SubmissionResult>[] = [];
    for (const { place, registration } of crowd) {
      if (place) results.push(place.submit(registration));
      // Takes as long as a verification.
      await harness.settle();
    }
    await harness.advance(100);
    assert.deepEqual(
      (await Promise.all(results)).map(receiptOf).map(({ height }) => height),
      [1, 1, 1],
    );
  });

  test('waits no longer than blockTime for arriving envelopes', async (t) => {
    const harness = await openHarness(t, { blockTime: 100 });
    const first = harness.mempool.reserve('alice', 1)?.submit(harness.registration('alice'));
    const hangs = harness.mempool.reserve('bob', 1);
    await harness.settle();
    await harness.advance(99);
    assert.equal(harness.chain.height, 0);
    await harness.advance(1);
    assert.equal((await first)?.status, 'committed');
    hangs?.release();
  });

  test('makes an empty block every idleBlockTime, whose root does not move', async (t) => {
    const harness = await openHarness(t, { idleBlockTime: 1_000 });
    await harness.commit(harness.registration('alice'));
    const { height, stateRoot } = harness.chain.head;
    for (let i = 0; i < 3; i++) await harness.advance(1_000);
    assert.equal(harness.chain.height, height + 3);
    assert.equal(harness.chain.head.stateRoot, stateRoot);
    assert.deepEqual(validateChain(harness.store), []);
  });

  test('refusals alone make no block, and do not keep an idle chain from moving on', async (t) => {
    const harness = await openHarness(t, { idleBlockTime: 1_000, blockTime: 100 });
    await harness.commit(harness.registration('alice'));
    const { height } = harness.chain;
    for (let i = 0; i < 9; i++) {
      const results = harness.submit(harness.gift('nobody'));
      await harness.advance(100);
      assert.deepEqual(await verdicts(results), ['RECIPIENT_UNKNOWN']);
    }
    assert.equal(harness.chain.height, height);
    for (let i = 0; i < 5; i++) {
      harness.post(harness.gift('nobody'));
      await harness.advance(100);
    }
    assert.equal(harness.chain.height, height + 1);
  });
});

describe('while a block is being written', () => {
  test('the next one is executed, and written after it', async (t) => {
    const harness = await openHarness(t, {
      blockTime: 0,
      at: (name, height) => {
        if (name === 'block.writing' && height < 6) harness.post(harness.gift('alice', height));
      },
    });
    await harness.commit(harness.registration('alice'));
    await harness.settle();
    await harness.settle();
    assert.equal(harness.chain.height, 6);
    const at = (event: string): number => harness.trace.indexOf(event);
    for (let height = 1; height < 6; height++) {
      assert.ok(at(`block.built@${height + 1}`) < at(`block.durable@${height}`));
      assert.ok(at(`block.durable@${height}`) < at(`block.writing@${height + 1}`));
    }
    assert.deepEqual(validateChain(harness.store), []);
  });

  test('every key of the durable state can still be proved', async (t) => {
    let proofs = 0;
    const harness = await openHarness(t, {
      blockTime: 0,
      at: (name, height, { store }) => {
        if (name === 'block.writing' && height < 6) harness.post(harness.gift('alice', height));
        const snapshot = store.snapshot();
        for (const key of ['account/alice', 'commitment/latest', 'account/nobody']) {
          const proof = proveState(snapshot, key);
          const value = proof.leaf.kind === 'present' ? canonicalize(proof.value) : null;
          const verdict = verifyStateProof(key, value, proof, snapshot.block.header.stateRoot);
          assert.deepEqual(verdict, { ok: true, present: value !== null }, `${name}@${height}`);
          proofs++;
        }
        snapshot.close();
      },
    });
    await harness.commit(harness.registration('alice'));
    await harness.settle();
    await harness.settle();
    assert.deepEqual(harness.failures, []);
    assert.equal(harness.chain.height, 6);
    assert.equal(proofs, 6 * 5 * 3);
  });

  test('a refusal that rests on it waits until it is durable', async (t) => {
    let results: ReturnType<ChainHarness['submit']> = [];
    let answeredAt = -1;
    const harness = await openHarness(t, {
      blockTime: 0,
      at: (name, height, { chain }) => {
        if (name !== 'block.writing' || height !== 1) return;
        results = harness.submit(harness.registration('alice', { nonce: 'other' }));
        void results[0]?.then(() => (answeredAt = chain.height));
      },
    });
    await harness.commit(harness.registration('alice'));
    assert.deepEqual(await verdicts(results), ['AGENT_EXISTS']);
    assert.equal(answeredAt, 1);
    assert.equal(harness.chain.height, 1);
  });
});

describe('stopping and starting', () => {
  test('commits what waits, and takes nothing more', async (t) => {
    const path = join(tempDir(t), 'chain');
    const harness = await ChainHarness.open({ path });
    await harness.join('alice');
    const results = harness.submit(harness.gift('alice'), harness.gift('alice'));
    const stopped = harness.close();
    assert.deepEqual(await verdicts(harness.submit(harness.gift('alice'))), ['unavailable']);
    await stopped;
    assert.deepEqual(await verdicts(results), ['committed', 'committed']);
  });

  test('goes on at the same head, and refuses what was spent before', async (t) => {
    const path = join(tempDir(t), 'chain');
    const harness = await ChainHarness.open({ path });
    await harness.join('alice');
    const gift = harness.gift('alice', 5, { nonce: 'once' });
    const [receipt] = await harness.commit(gift);
    const other = harness.gift('alice', 6, { nonce: 'once' });
    const { head } = harness.chain;
    await harness.close();

    const again = await ChainHarness.open({ path });
    t.after(() => again.close());
    assert.deepEqual(again.chain.head, head);
    assert.equal(again.executor.tree.root, head.stateRoot);
    const results = again.submit(gift, other);
    await again.advance(100);
    const [duplicate, replay] = await Promise.all(results);
    assert.ok(duplicate?.status === 'refused' && replay?.status === 'refused');
    assert.deepEqual(duplicate.receipt, receipt);
    assert.equal(replay.refusal.code, 'NONCE_REPLAYED');
    assert.equal(replay.receipt, null);
    await again.commit(again.gift('alice', 7));
    assert.deepEqual(validateChain(again.store), []);
  });
});
