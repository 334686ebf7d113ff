/** The network between four validators is cut in two, and mended. Relays stand for the cables. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDatabase } from '@netd/node/verify';
import { NetError } from '@netd/sdk';
import { Store } from '@netd/engine';
import { validateChain } from '@netd/testkit/validate-chain';
import { Command } from './testing/command.ts';
import { FourValidators } from './testing/four-validators.ts';
import { during } from './testing/started-nodes.ts';

test('cut in halves it stops and says so; one cut off alone says so and catches up', async (t) => {
  const it = await FourValidators.begin(t, { wired: true });
  if (!it) return;
  const { wires } = it.nodes;
  assert.ok(wires);
  const lacks = (names: string): RegExp =>
    new RegExp(`no blocks are decided here: this node waits for votes of ${names},`);
  const heightOf = async (index: number): Promise<number> =>
    (await it.at(index).client.network()).height;

  await it.agree();
  wires.isolate([2, 3]);
  // A block may be in flight. Two of four decide none after it.
  const refused = (error: unknown): boolean =>
    error instanceof NetError && error.code === 'NO_QUORUM';
  await Promise.all([0, 2].map((index) => assert.rejects(it.payOnce(index), refused)));
  await Promise.all([
    it.untilHealth(0, lacks('validator-3, validator-4')),
    it.untilHealth(2, lacks('validator-1, validator-2')),
  ]);
  const rests = await Promise.all([0, 1, 2, 3].map(heightOf));
  const { code, stdout } = await new Command(['status', '--url', it.at(1).url], it.nodes.home)
    .ended;
  assert.equal(code, 1);
  assert.match(stdout, /waits for votes of validator-3, validator-4/);
  assert.match(stdout, /validator-3 .* down/);
  assert.match(stdout, /validator-2 .* votes/);
  assert.deepEqual(await Promise.all([0, 1, 2, 3].map(heightOf)), rests);
  wires.mend();
  await it.pay(1);
  await it.agree();
  await Promise.all([0, 1, 2, 3].map((index) => it.untilHealth(index, null)));

  wires.isolate([3]);
  const before = await heightOf(3);
  // It may have got one vote before the cut.
  const alone = it.untilHealth(3, lacks('(validator-[123], ){1,2}validator-[123]'));
  await during(alone, () => it.pay(0));
  await it.untilHealth(0, /validator-4 has not voted since/);
  assert.ok((await heightOf(3)) <= before + 1);
  assert.ok((await heightOf(0)) > before + 1);
  wires.mend();
  await it.pay(3);
  const last = await it.agree();
  // The health of another node names a validator until its votes are in a block.
  await Promise.all([0, 1, 2, 3].map((index) => it.untilHealth(index, null)));
  for (const index of [0, 1, 2, 3]) await it.holdsWhatWasAnswered(index);

  const { genesisHash } = await it.at(0).client.network();
  for (const index of [0, 1, 2, 3]) await it.down(index);
  for (const index of [0, 1, 2, 3]) {
    const path = join(it.place(index).dataDir, 'chain');
    const report = await verifyDatabase(path, { genesisHash });
    assert.equal(report.fault, null);
    assert.ok(report.height >= last - 1);
    const store = Store.open(path);
    assert.deepEqual(validateChain(store), []);
    await store.close();
  }
});
