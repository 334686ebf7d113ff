import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { testKey } from '@netd/ledger/testing';
import { BlockExecutor } from '../executor/block-executor.ts';
import { ChainHarness, verdictOf } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import { UnexpectedHeadError } from './chain.ts';
import { SoloSigner, statementOf } from './signer.ts';

async function verdicts(results: ReturnType<ChainHarness['submit']>): Promise<string[]> {
  return (await Promise.all(results)).map(verdictOf);
}

/** Writes a block that this chain has not decided. */
async function writeForeignBlock(harness: ChainHarness): Promise<void> {
  const { chain, store, clock } = harness;
  const other = BlockExecutor.load(chain.identity, store, chain.head);
  const open = other.open(chain.head, clock.now() + 1);
  assert.ok(open.execution.execute(harness.gift('alice', 77)).ok);
  const { hash, write } = other.seal(open);
  const signer = new SoloSigner('validator-1', testKey('validator').privateKeyPem);
  const certificate = signer.certify(statementOf(write.header, hash), chain.validatorSetAt(1));
  await store.commitBlock({ ...write, certificate });
}

describe('when another process has written to the database', () => {
  test('the chain stops, says so, and overwrites nothing', async (t) => {
    const path = join(tempDir(t), 'chain');
    const harness = await ChainHarness.open({ path });
    await harness.join('alice');
    const { height } = harness.chain;
    await writeForeignBlock(harness);
    const results = harness.submit(harness.gift('alice', 1), harness.gift('nobody', 1));
    await harness.advance(100);
    assert.deepEqual(await verdicts(results), ['unavailable', 'unavailable']);
    assert.ok(harness.halted instanceof UnexpectedHeadError);
    assert.match(
      harness.halted.message,
      new RegExp(`stands at block ${height + 1} .* left it at block ${height} .*another process`),
    );
    assert.deepEqual(await verdicts(harness.submit(harness.gift('alice'))), ['unavailable']);
    await harness.advance(60_000);
    assert.equal(harness.store.headHeight(), height + 1, 'and makes no further block');
    assert.deepEqual(harness.failures, [], 'the disk is not to blame');
    await harness.close();

    const again = await ChainHarness.open({ path });
    t.after(() => again.close());
    assert.equal(again.chain.height, height + 1);
    await again.commit(again.gift('alice', 2));
    assert.deepEqual(validateChain(again.store), []);
  });

  test('between the look at the head and the write, it is not written over', async (t) => {
    const harness = await ChainHarness.open({ path: join(tempDir(t), 'chain') });
    t.after(() => harness.close());
    await harness.join('alice');
    const { height } = harness.chain;
    const commitBlock = harness.store.commitBlock.bind(harness.store);
    harness.store.commitBlock = async (block) => {
      harness.store.commitBlock = commitBlock;
      await writeForeignBlock(harness);
      await commitBlock(block);
    };
    const results = harness.submit(harness.gift('alice', 1));
    await harness.advance(100);
    assert.deepEqual(await verdicts(results), ['unavailable']);
    assert.ok(harness.halted instanceof UnexpectedHeadError);
    assert.equal(harness.store.headHeight(), height + 1);
    assert.deepEqual(validateChain(harness.store), []);
  });

  test('while a block was on its way to disk, the one executed meanwhile falls too', async (t) => {
    let late: ReturnType<ChainHarness['submit']> = [];
    const harness = await ChainHarness.open({
      path: join(tempDir(t), 'chain'),
      blockTime: 0,
      at: (name, height, running) => {
        if (name === 'block.writing' && height === 3)
          late = running.submit(running.gift('alice', 2));
      },
    });
    t.after(() => harness.close());
    await harness.join('alice');
    const commitBlock = harness.store.commitBlock.bind(harness.store);
    harness.store.commitBlock = async () => {
      harness.store.commitBlock = commitBlock;
      await writeForeignBlock(harness);
      throw new Error('EIO');
    };
    const results = harness.submit(harness.gift('alice', 1));
    await harness.settle();
    await harness.settle();
    assert.deepEqual(await verdicts([...results, ...late]), ['unavailable', 'unavailable']);
    assert.ok(harness.halted instanceof UnexpectedHeadError);
    assert.ok(
      harness.trace.includes('block.built@4') && !harness.trace.includes('block.writing@4'),
    );
    assert.deepEqual(validateChain(harness.store), []);
  });
});
