import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { makeSubmission, type Submission } from '@netd/ledger';
import { OPERATOR, signatureOf, testKey } from '@netd/ledger/testing';
import { MAX_BLOCK_TRANSITIONS, canonicalize, verifyStateProof } from '@netd/protocol';
import { chainFaults } from '../testing/chain-faults.ts';
import {
  ChainRig,
  receiptOf,
  RIG_GENESIS,
  verdictOf,
  type RigOptions,
} from '../testing/chain-rig.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { SimulatedCrash } from './failpoints.ts';
import { proveState } from './proofs.ts';

type Options = Partial<RigOptions>;

async function openRig(t: TestContext, options: Options = {}): Promise<ChainRig> {
  const rig = await ChainRig.open({ path: join(tempDir(t), 'chain'), ...options });
  t.after(() => rig.close());
  return rig;
}

async function verdicts(results: Promise<Parameters<typeof verdictOf>[0]>[]): Promise<string[]> {
  return (await Promise.all(results)).map(verdictOf);
}

function rotation(rig: ChainRig, actorId: string, nextName: string): Submission {
  const next = testKey(nextName);
  const nonce = `rotate-${nextName}`;
  return rig.intent(
    actorId,
    'rotateAgentKey',
    {
      agentId: actorId,
      newPublicKey: next.publicKey,
      newKeySignature: signatureOf(next, {
        schema: 'NET-KEY-ROTATION/1',
        chainId: rig.genesis.chainId,
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
    await (await ChainRig.open({ path })).close();
    const genesis = { ...RIG_GENESIS, genesisTime: '2026-01-02T00:00:00.000Z' };
    await assert.rejects(ChainRig.open({ path, genesis }), /another net-test-1/);
    await assert.rejects(
      ChainRig.open({ path, genesis: { ...RIG_GENESIS, chainId: 'net-other-1' } }),
      /the chain net-test-1/,
    );
  });

  test('whose tree says something else than its head is refused', async (t) => {
    const path = join(tempDir(t), 'chain');
    const rig = await ChainRig.open({ path });
    const { value } = [...rig.store.slots()][0]!;
    const { key } = [...rig.store.slots()][1]!;
    await rig.store.tables.tree.put(key, Buffer.from(value));
    await rig.close();
    await assert.rejects(ChainRig.open({ path }), /the state tree has root/);
  });
});

describe('when the disk refuses a block', () => {
  test('its senders hear "unavailable", and the chain goes on from the durable head', async (t) => {
    let full = true;
    const rig = await openRig(t, {
      at: (name, height) => {
        if (full && name === 'block.writing' && height === 1) throw new Error('ENOSPC');
      },
    });
    const alice = rig.registration('alice');
    const refused = rig.registration('alice', { nonce: 'again' });
    const first = rig.submit(alice, refused);
    await rig.advance(100);
    assert.deepEqual(await verdicts(first), ['unavailable', 'unavailable']);
    assert.deepEqual(
      rig.failures.map(({ height }) => height),
      [1],
    );
    assert.equal(rig.chain.height, 0);
    assert.equal(rig.chain.tree.root, rig.chain.head.stateRoot);
    full = false;
    const [receipt] = await rig.commit(alice);
    assert.equal(receipt?.height, 1);
    assert.deepEqual(chainFaults(rig.store), []);
  });

  test('the block that was executed on top of it falls with it', async (t) => {
    let late: ReturnType<ChainRig['submit']> = [];
    let full = true;
    const rig = await openRig(t, {
      blockTime: 0,
      at: (name, height, { chain }) => {
        if (!full || name !== 'block.writing' || height !== 3) return;
        // Into the next block, which is executed while this one is being written.
        late = rig.submit(rig.gift('alice', 2), rig.gift('nobody'));
        assert.equal(chain.height, 2);
      },
    });
    await rig.join('alice');
    const commitBlock = rig.store.commitBlock.bind(rig.store);
    rig.store.commitBlock = async (block) => {
      if (full && block.header.height === 3) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error('EIO');
      }
      await commitBlock(block);
    };
    const gift = rig.gift('alice', 1);
    const results = rig.submit(gift);
    await rig.settle();
    await rig.settle();
    assert.deepEqual(await verdicts([...results, ...late]), [
      'unavailable',
      'unavailable',
      'unavailable',
    ]);
    assert.ok(
      rig.trace.indexOf('block.built@4') > 0 && !rig.trace.includes('block.writing@4'),
      'the fourth block was built and never written',
    );
    assert.equal(rig.chain.height, 2);
    assert.equal(rig.chain.tree.root, rig.chain.head.stateRoot);
    full = false;
    const [receipt] = await rig.commit(gift);
    assert.equal(receipt?.height, 3);
    assert.deepEqual(chainFaults(rig.store), []);
  });

  test('but has written it all the same, the database is believed', async (t) => {
    const rig = await openRig(t, {
      afterCommit: (height) => {
        if (height === 1) throw new Error('EIO');
      },
    });
    const [receipt] = await rig.commit(rig.registration('alice'));
    assert.equal(receipt?.height, 1);
    assert.equal(rig.failures.length, 0);
    assert.deepEqual(chainFaults(rig.store), []);
  });

  test('a refusal that rests on it is no refusal', async (t) => {
    let results: ReturnType<ChainRig['submit']> = [];
    let fail = true;
    const rig = await openRig(t, {
      blockTime: 0,
      at: (name, height) => {
        if (fail && name === 'block.writing' && height === 1) {
          results = rig.submit(rig.registration('alice', { nonce: 'other' }));
        }
      },
    });
    const commitBlock = rig.store.commitBlock.bind(rig.store);
    rig.store.commitBlock = async (block) => {
      if (!fail) return commitBlock(block);
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error('EIO');
    };
    rig.post(rig.registration('alice'));
    await rig.settle();
    await rig.settle();
    assert.deepEqual(await verdicts(results), ['unavailable']);
    fail = false;
    await rig.commit(rig.registration('alice', { nonce: 'other' }));
  });
});

describe('when a rule breaks', () => {
  test('its envelope has failed, the others go on, and it leaves no trace', async (t) => {
    const rig = await openRig(t);
    const broken = {
      ...rig.gift('mallory'),
      envelope: {
        get actorId(): string {
          throw new TypeError('a bug');
        },
      },
    };
    const results = rig.submit(rig.registration('alice'), broken, rig.registration('bob'));
    await rig.settle();
    assert.deepEqual(await verdicts(results), ['committed', 'failed', 'committed']);
    await rig.advance(100);
    assert.deepEqual(chainFaults(rig.store), []);
  });

  test('in the block as a whole, there is no block, and the next one is sound', async (t) => {
    let broken = true;
    const rig = await openRig(t, {
      at: (name) => {
        if (broken && name === 'block.built') throw new Error('an invariant');
      },
    });
    const alice = rig.registration('alice');
    const results = rig.submit(alice);
    await rig.settle();
    assert.deepEqual(await verdicts(results), ['failed']);
    assert.equal(rig.chain.height, 0);
    assert.equal(rig.failures.length, 1);
    broken = false;
    await rig.commit(alice);
    assert.deepEqual(chainFaults(rig.store), []);
  });

  test('while its predecessor is being written, the predecessor stays', async (t) => {
    let results: ReturnType<ChainRig['submit']> = [];
    const rig = await openRig(t, {
      blockTime: 0,
      at: (name, height) => {
        if (name === 'block.writing' && height === 1) results = rig.submit(rig.registration('bob'));
        if (name === 'block.built' && height === 2 && results.length === 1) {
          results.push(...rig.submit(rig.registration('carol')));
          throw new Error('an invariant');
        }
      },
    });
    const [alice] = await rig.commit(rig.registration('alice'));
    await rig.advance(100);
    assert.equal(alice?.height, 1);
    assert.deepEqual(await verdicts(results), ['failed', 'committed']);
    assert.deepEqual(chainFaults(rig.store), []);
  });
});

describe('a crash', () => {
  for (const name of [
    'block.built',
    'block.certified',
    'block.writing',
    'block.durable',
  ] as const) {
    test(`at ${name} answers nobody, and the chain goes on where the database stands`, async (t) => {
      const path = join(tempDir(t), 'chain');
      const rig = await ChainRig.open({
        path,
        at: (reached, height) => {
          if (reached === name && height === 1) throw new SimulatedCrash();
        },
      });
      let answered = false;
      const alice = rig.registration('alice');
      void rig.chain.submit(alice).then(() => (answered = true));
      await rig.advance(100);
      assert.equal(rig.chain.crashed, true);
      assert.equal(answered, false);
      assert.deepEqual(await verdicts(rig.submit(rig.registration('bob'))), ['unavailable']);
      await rig.close();

      const again = await ChainRig.open({ path });
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
      assert.deepEqual(chainFaults(again.store), []);
    });
  }
});

describe('identical envelopes in one queue', () => {
  test('are executed once, and the second is answered with the receipt of the first', async (t) => {
    const rig = await openRig(t);
    const alice = rig.registration('alice');
    const gift = rig.gift('alice');
    const results = rig.submit(alice, alice, gift, gift);
    await rig.settle();
    const [first, second, third, fourth] = await Promise.all(results);
    assert.ok(first && third && second?.status === 'refused' && fourth?.status === 'refused');
    assert.equal(second.refusal.code, 'AGENT_EXISTS');
    assert.deepEqual(second.receipt, receiptOf(first));
    assert.equal(fourth.refusal.code, 'NONCE_REPLAYED');
    assert.deepEqual(fourth.receipt, receiptOf(third));
  });

  test('are recognised even where the first made the second wrong in another way', async (t) => {
    const rig = await openRig(t);
    await rig.join('alice');
    const rotate = rotation(rig, 'alice', 'alice-2');
    const results = rig.submit(rotate, rotate);
    await rig.advance(100);
    const [first, second] = await Promise.all(results);
    assert.ok(first && second?.status === 'refused');
    assert.equal(second.refusal.code, 'NONCE_REPLAYED');
    assert.deepEqual(second.receipt, receiptOf(first));
  });

  test('are recognised after their expiry', async (t) => {
    const rig = await openRig(t);
    await rig.join('alice');
    const gift = rig.gift('alice', 1, { expiresAtHeight: rig.chain.height + 1 });
    const [receipt] = await rig.commit(gift);
    await rig.commit(rig.gift('alice'));
    const results = rig.submit(gift);
    await rig.advance(100);
    const [result] = await Promise.all(results);
    assert.ok(result?.status === 'refused');
    assert.equal(result.refusal.code, 'NONCE_REPLAYED');
    assert.deepEqual(result.receipt, receipt);
  });

  test('another envelope under the same nonce gets no receipt', async (t) => {
    const rig = await openRig(t);
    await rig.join('alice');
    const results = rig.submit(
      rig.gift('alice', 1, { nonce: 'n' }),
      rig.gift('alice', 2, { nonce: 'n' }),
    );
    await rig.advance(100);
    const [, second] = await Promise.all(results);
    assert.ok(second?.status === 'refused');
    assert.equal(second.refusal.code, 'NONCE_REPLAYED');
    assert.equal(second.receipt, null);
  });
});

describe('block production', () => {
  test('takes everything that waits into one block, in order of arrival', async (t) => {
    const rig = await openRig(t);
    await rig.join('alice', 'bob');
    const beacon = (sequence: number): Submission =>
      rig.intent('alice', 'publishBeacon', {
        schema: 'NET-AGENT-BEACON/1',
        agentId: 'alice',
        indexable: true,
        endpoint: 'https://alice.example/a2a',
        capabilities: ['translate'],
        protocols: ['a2a/1.0'],
        metadataHash: 'ab'.repeat(32),
        expiresAtHeight: rig.chain.height + 50,
        sequence,
      });
    const receipts = await rig.commit(beacon(1), rig.gift('bob'), beacon(2), beacon(3));
    assert.deepEqual(
      receipts.map(({ height, index }) => [height, index]),
      [0, 1, 2, 3].map((index) => [3, index]),
    );
  });

  test('spends at most the permitted number of envelopes on one block', async (t) => {
    const rig = await openRig(t);
    await rig.join('alice');
    const gift = rig.gift('alice');
    const known = makeSubmission('intent', gift.envelope, testKey(OPERATOR).publicKey);
    const results = rig.submit(...Array.from({ length: MAX_BLOCK_TRANSITIONS }, () => known));
    const last = rig.submit(rig.gift('alice'));
    await rig.settle();
    await rig.advance(100);
    assert.equal(receiptOf((await Promise.all(results))[0]!).height, 3);
    assert.equal(rig.chain.waitingCount, 0);
    assert.equal(receiptOf((await Promise.all(last))[0]!).height, 4);
  });

  test('makes the first block at once, and none sooner than blockTime after the last', async (t) => {
    const rig = await openRig(t, { blockTime: 100 });
    rig.post(rig.registration('alice'));
    await rig.settle();
    assert.equal(rig.chain.height, 1);
    rig.post(rig.registration('bob'));
    await rig.advance(99);
    assert.equal(rig.chain.height, 1);
    rig.post(rig.registration('carol'));
    await rig.advance(1);
    assert.equal(rig.chain.height, 2);
    assert.equal(rig.store.snapshot().transitionsOf(2).length, 2);
  });

  test('makes an empty block every idleBlockTime, whose root does not move', async (t) => {
    const rig = await openRig(t, { idleBlockTime: 1_000 });
    await rig.commit(rig.registration('alice'));
    const { height, stateRoot } = rig.chain.head;
    for (let i = 0; i < 3; i++) await rig.advance(1_000);
    assert.equal(rig.chain.height, height + 3);
    assert.equal(rig.chain.head.stateRoot, stateRoot);
    assert.deepEqual(chainFaults(rig.store), []);
  });

  test('refusals alone make no block, and do not keep an idle chain from moving on', async (t) => {
    const rig = await openRig(t, { idleBlockTime: 1_000, blockTime: 100 });
    await rig.commit(rig.registration('alice'));
    const { height } = rig.chain;
    for (let i = 0; i < 9; i++) {
      const results = rig.submit(rig.gift('nobody'));
      await rig.advance(100);
      assert.deepEqual(await verdicts(results), ['RECIPIENT_UNKNOWN']);
    }
    assert.equal(rig.chain.height, height);
    for (let i = 0; i < 5; i++) {
      rig.post(rig.gift('nobody'));
      await rig.advance(100);
    }
    assert.equal(rig.chain.height, height + 1);
  });

  test('a clock that was set back does not stop the chain, and block time never runs back', async (t) => {
    const rig = await openRig(t);
    await rig.commit(rig.registration('alice'));
    const before = rig.chain.head.timestamp;
    rig.clock.set(rig.clock.now() - 3_600_000);
    await rig.commit(rig.registration('bob'));
    assert.ok(rig.chain.head.timestamp > before);
    await rig.commit(rig.registration('carol'));
    assert.deepEqual(chainFaults(rig.store), []);
  });
});

describe('while a block is being written', () => {
  test('the next one is executed, and written after it', async (t) => {
    const rig = await openRig(t, {
      blockTime: 0,
      at: (name, height) => {
        if (name === 'block.writing' && height < 6) rig.post(rig.gift('alice', height));
      },
    });
    await rig.commit(rig.registration('alice'));
    await rig.settle();
    await rig.settle();
    assert.equal(rig.chain.height, 6);
    const at = (event: string): number => rig.trace.indexOf(event);
    for (let height = 1; height < 6; height++) {
      assert.ok(at(`block.built@${height + 1}`) < at(`block.durable@${height}`));
      assert.ok(at(`block.durable@${height}`) < at(`block.writing@${height + 1}`));
    }
    assert.deepEqual(chainFaults(rig.store), []);
  });

  test('every key of the durable state can still be proved', async (t) => {
    let proofs = 0;
    const rig = await openRig(t, {
      blockTime: 0,
      at: (name, height, { store, chain }) => {
        if (name === 'block.writing' && height < 6) rig.post(rig.gift('alice', height));
        const snapshot = store.snapshot();
        for (const key of ['account/alice', 'commitment/latest', 'account/nobody']) {
          const proof = proveState(snapshot, chain.tree, key);
          const value = proof.leaf.kind === 'present' ? canonicalize(proof.value) : null;
          const verdict = verifyStateProof(key, value, proof, snapshot.block.header.stateRoot);
          assert.deepEqual(verdict, { ok: true, present: value !== null }, `${name}@${height}`);
          proofs++;
        }
        snapshot.close();
      },
    });
    await rig.commit(rig.registration('alice'));
    await rig.settle();
    await rig.settle();
    assert.deepEqual(rig.failures, []);
    assert.equal(rig.chain.height, 6);
    assert.equal(proofs, 6 * 5 * 3);
  });

  test('a refusal that rests on it waits until it is durable', async (t) => {
    let results: ReturnType<ChainRig['submit']> = [];
    let answeredAt = -1;
    const rig = await openRig(t, {
      blockTime: 0,
      at: (name, height, { chain }) => {
        if (name !== 'block.writing' || height !== 1) return;
        results = rig.submit(rig.registration('alice', { nonce: 'other' }));
        void results[0]?.then(() => (answeredAt = chain.height));
      },
    });
    await rig.commit(rig.registration('alice'));
    assert.deepEqual(await verdicts(results), ['AGENT_EXISTS']);
    assert.equal(answeredAt, 1);
    assert.equal(rig.chain.height, 1);
  });
});

describe('stopping and starting', () => {
  test('commits what waits, and takes nothing more', async (t) => {
    const path = join(tempDir(t), 'chain');
    const rig = await ChainRig.open({ path });
    await rig.join('alice');
    const results = rig.submit(rig.gift('alice'), rig.gift('alice'));
    const stopped = rig.close();
    assert.deepEqual(await verdicts(rig.submit(rig.gift('alice'))), ['unavailable']);
    await stopped;
    assert.deepEqual(await verdicts(results), ['committed', 'committed']);
  });

  test('goes on at the same head, and refuses what was spent before', async (t) => {
    const path = join(tempDir(t), 'chain');
    const rig = await ChainRig.open({ path });
    await rig.join('alice');
    const gift = rig.gift('alice', 5, { nonce: 'once' });
    const [receipt] = await rig.commit(gift);
    const other = rig.gift('alice', 6, { nonce: 'once' });
    const { head } = rig.chain;
    await rig.close();

    const again = await ChainRig.open({ path });
    t.after(() => again.close());
    assert.deepEqual(again.chain.head, head);
    assert.equal(again.chain.tree.root, head.stateRoot);
    const results = again.submit(gift, other);
    await again.advance(100);
    const [twin, replay] = await Promise.all(results);
    assert.ok(twin?.status === 'refused' && replay?.status === 'refused');
    assert.deepEqual(twin.receipt, receipt);
    assert.equal(replay.refusal.code, 'NONCE_REPLAYED');
    assert.equal(replay.receipt, null);
    await again.commit(again.gift('alice', 7));
    assert.deepEqual(chainFaults(again.store), []);
  });
});
