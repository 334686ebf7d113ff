/** Old validators die, or are too many, before version 2 of the rules. New nodes join after it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '@netd/testkit/free-port';
import type { FourValidators } from './testing/four-validators.ts';
import { MovedSigner, signerProgram } from './testing/remote-signer.ts';
import {
  announce,
  beginWithVersion1,
  comesBack,
  lacksRules,
  OLD,
  payUntil,
  schedule,
} from './testing/rules-crossing.ts';

/** Failpoints after the last known block. `decision.committed` is a node that casts no vote. */
const MOMENTS = [
  'decision.executed',
  'decision.committing',
  'decision.committed',
  'block.writing',
  'block.durable',
] as const;

for (const moment of MOMENTS) {
  test(`an old validator killed at ${moment} halts and comes back`, async (t) => {
    const it = await beginWithVersion1(t);
    if (!it) return;
    const height = await schedule(it);
    for (const index of [0, 1, 2]) await announce(it, index);
    const failpoint = { NET_FAILPOINT: `${moment}@${height - 1}` };
    await it.down(3);
    const { command } = await it.up(3, [], { ...OLD, env: failpoint });
    await payUntil(it, height);
    await command.ended;
    assert.equal(command.child.signalCode, 'SIGKILL', command.stderr);
    const { code, stdout, stderr } = await it.nodes.begin(it.place(3), [], OLD).ended;
    assert.equal(code, 4, stderr);
    assert.match(stdout, lacksRules(height));
    await comesBack(it, height);
  });
}

test('rules that half of the validators lack, against their word, rest the chain until they have them', async (t) => {
  const it = await beginWithVersion1(t);
  if (!it) return;
  await it.replace(2, OLD);
  await it.replace(3, OLD);
  const height = await schedule(it);
  for (const index of [0, 1, 2, 3]) await announce(it, index);
  // The last block under the old rules waits for its certificate.
  const rests = async (): Promise<boolean> => {
    try {
      await it.payOnce(0);
      return false;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'NO_QUORUM') throw error;
      return (await it.at(0).client.network()).height === height - 2;
    }
  };
  while (!(await rests()));
  assert.deepEqual(
    it.all.map(({ command }) => command.child.exitCode),
    [null, null, null, null],
  );
  assert.equal((await it.nodes.stop(it.at(3))).code, 0);
  await it.up(3);
  await payUntil(it, height);
  // The other old validator is alone now.
  const { code } = await it.at(2).command.ended;
  assert.equal(code, 4);
  await it.up(2);
  await it.pay(2);
  assert.ok((await it.agree()) > height);
  for (const index of [0, 1, 2, 3]) await it.holdsWhatWasAnswered(index);
});

test('a node that begins with a state after the activation needs the rules', async (t) => {
  const it = await beginWithVersion1(t);
  if (!it) return;
  const height = await schedule(it);
  for (const index of [0, 1, 2]) await announce(it, index);
  await payUntil(it, height + 2);
  const place = await it.nodes.another('late');
  const from = [
    '--genesis',
    it.nodes.genesisPath,
    '--full-node',
    '--state-sync',
    `${it.at(0).url},${it.at(1).url}`,
  ];
  const { code, stdout, stderr } = await it.nodes.begin(place, from, OLD).ended;
  assert.equal(code, 4, stderr);
  assert.match(stdout, /version 2 of the rules/);
  const node = await it.nodes.start(place, from);
  await it.pay(0);
  await it.agree([...it.all, node]);
});

test('an old validator with a remote signer halts, and comes back with the same signer', async (t) => {
  const it = await beginWithVersion1(t);
  if (!it) return;
  const program = await signerProgram(t, it.nodes.home);
  if (program === null) return;
  await it.down(3);
  const { dataDir } = it.place(3);
  const { chainId } = it.nodes.testnet;
  const vault = join(it.nodes.home, 'vault');
  const signer = MovedSigner.move(program, { dataDir, vault, chainId, port: await freePort() });
  t.after(() => signer.stop());
  const up = async (how: Parameters<FourValidators['up']>[2], ...more: string[]): Promise<void> => {
    const node = it.up(3, [...signer.flags, ...more], how);
    await Promise.all([node, signer.sign(node)]);
  };
  await up(OLD, '--only-here');
  const height = await schedule(it);
  for (const index of [0, 1, 2]) await announce(it, index);
  await payUntil(it, height);
  const { code, stdout, stderr } = await it.at(3).command.ended;
  assert.equal(code, 4, stderr);
  assert.match(stdout, lacksRules(height));
  await comesBack(it, height, { start: () => up({}) });
});
