/** The bound that replaces a lost record of signatures. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ManualClock } from '@netd/testkit/manual-clock';
import { tempDir } from '@netd/testkit/temp-dir';
import { openCometDir } from './comet-dir.ts';
import { beginChainOfMany, makeValidatorKeys } from './founders.ts';
import { recoverValidator, watchHeights } from './recover-validator.ts';

/** Watches a source that reports these heights in turn, and the last one forever. Polls are a second apart. */
function watch(
  heights: readonly number[],
  age = 0,
): { result: ReturnType<typeof watchHeights>; told: number[] } {
  const clock = new ManualClock();
  const told: number[] = [];
  let poll = 0;
  const result = watchHeights(
    () => {
      const height = heights[Math.min(poll++, heights.length - 1)] ?? 0;
      setImmediate(() => clock.advance(1_000));
      return Promise.resolve({ height, time: clock.now() - age });
    },
    { clock, patience: 5_000, onHeight: (height) => told.push(height) },
  );
  return { result, told };
}

describe('the highest certified height', () => {
  it('counts once it has advanced twice', async () => {
    const { result, told } = watch([70, 70, 71, 69, 71, 75, 80]);
    assert.deepEqual(await result, { height: 75, hasAdvanced: true });
    assert.deepEqual(told, [70, 71, 75]);
  });

  it('does not count while the chain stays, or advances only once', async () => {
    for (const heights of [[70], [70, 71], [71, 70]]) {
      const { height, hasAdvanced } = await watch(heights).result;
      assert.deepEqual([height, hasAdvanced], [Math.max(...heights), false]);
    }
  });

  it('is refused if its header is far from the clock', async () => {
    for (const age of [121_000, -121_000]) {
      await assert.rejects(watch([1, 2, 3], age).result, /height 3 of CometBFT.* set the clock/);
    }
    assert.ok((await watch([1, 2, 3], 119_000).result).hasAdvanced);
  });
});

const RECORD = 'cometbft/data/priv_validator_state.json';

function founded(t: TestContext): { root: string; genesisFile: string } {
  const home = tempDir(t);
  const root = join(home, 'alpha');
  const facts = { chainId: 'net-one', validatorId: 'alpha', faultDomain: 'here', address: 'a:1' };
  const card = makeValidatorKeys(root, facts);
  beginChainOfMany(join(home, 'desk'), [{ file: 'alpha.json', card }], { now: Date.now() });
  return { root, genesisFile: join(home, 'desk/genesis.json') };
}

describe('a validator that lost everything but its key', () => {
  it('begins an empty record by the word of its operator before the first block', async (t) => {
    const { root, genesisFile } = founded(t);
    rmSync(join(root, 'cometbft'), { recursive: true });
    rmSync(join(root, 'keys/signs-here.json'));
    assert.throws(() => openCometDir(root, { genesisFile }), /is here without its record/);
    const found = await recoverValidator({ dataDir: root, genesisFile, from: [], asIs: true });
    assert.deepEqual([found.certifiedHeight, found.recordHeight], [0, 0]);
    assert.equal(openCometDir(root, {}).validator?.actorId, 'alpha');
  });

  it('gets no empty record if the key has signed here', async (t) => {
    const { root, genesisFile } = founded(t);
    const word = { dataDir: root, genesisFile, from: [], asIs: true };
    writeFileSync(join(root, RECORD), '{"height": "7", "round": 0, "step": 3}');
    await assert.rejects(recoverValidator(word), /has signed up to height 7 .* --from URL,URL/);
    rmSync(join(root, RECORD));
    mkdirSync(join(root, 'cometbft/data/blockstore.db'), { recursive: true });
    await assert.rejects(recoverValidator(word), /is missing.* could vote twice/);
  });

  it('is refused if a remote signer has the key', async (t) => {
    const { root, genesisFile } = founded(t);
    renameSync(join(root, 'keys/validator.json'), join(root, 'key'));
    openCometDir(root, { genesisFile, remoteSigner: 'tcp://127.0.0.1:1', onlyHere: true });
    renameSync(join(root, 'key'), join(root, 'keys/validator.json'));
    const recovering = recoverValidator({ dataDir: root, from: [], asIs: true });
    await assert.rejects(recovering, /the record is the signer's/);
    assert.match(readFileSync(join(root, RECORD), 'utf8'), /"height": "0"/);
  });

  it('writes nothing if no node answers', async (t) => {
    const { root, genesisFile } = founded(t);
    rmSync(join(root, 'cometbft'), { recursive: true });
    const from = ['http://127.0.0.1:9'];
    const faults: string[] = [];
    const onFault = (url: string): number => faults.push(url);
    await assert.rejects(recoverValidator({ dataDir: root, genesisFile, from, onFault }), {
      code: 'NODE_UNREACHABLE',
      message: /no node reports a certified height \(http:\/\/127\.0\.0\.1:9: /,
    });
    assert.deepEqual(faults, from);
    assert.ok(!existsSync(join(root, RECORD)) && !existsSync(join(root, 'genesis.json')));
  });
});
