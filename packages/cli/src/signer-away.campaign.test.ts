/** The remote signer of one of four validators is killed, and started again. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '@netd/testkit/free-port';
import { FourValidators } from './testing/four-validators.ts';
import { MovedSigner, signerProgram } from './testing/remote-signer.ts';
import { during } from './testing/started-nodes.ts';

const SIGNS_ELSEWHERE = 3;
const NAME = 'validator-4';

test('a validator says that its signer is away, misses blocks and signs again, never twice', async (t) => {
  const it = await FourValidators.begin(t);
  if (!it) return;
  const program = await signerProgram(t, it.nodes.home);
  if (program === null) return;
  await it.down(SIGNS_ELSEWHERE);
  const { dataDir } = it.place(SIGNS_ELSEWHERE);
  const { chainId } = it.nodes.testnet;
  const vault = join(it.nodes.home, 'vault');
  const signer = MovedSigner.move(program, { dataDir, vault, chainId, port: await freePort() });
  t.after(() => signer.stop());
  const flags = [...signer.flags, '--only-here'];
  const recorded = (): number => {
    const text = readFileSync(join(vault, 'state.json'), 'utf8');
    return Number((JSON.parse(text) as { height: string }).height);
  };
  const node = it.up(SIGNS_ELSEWHERE, flags);
  const starting = Promise.all([node, signer.sign(node)]);
  await during(starting, () => it.pay(0));
  await it.untilVoteOf(NAME);

  signer.stop();
  const signed = recorded();
  const isAway = it.untilHealth(SIGNS_ELSEWHERE, /the remote signer is not connected to tcp:/);
  await during(isAway, () => it.pay(0));
  const metrics = await (await fetch(`${it.at(SIGNS_ELSEWHERE).url}/metrics`)).text();
  assert.match(metrics, /^netd_health_issue\{kind="signer"\} 1$/m);
  const isMissed = it.untilHealth(0, new RegExp(`${NAME} has not voted since`));
  await during(isMissed, () => it.pay(0));
  assert.equal(recorded(), signed);

  await signer.sign(it.at(SIGNS_ELSEWHERE).command.lost());
  assert.ok((await it.untilVoteOf(NAME)) > signed);
  await it.untilHealth(SIGNS_ELSEWHERE, null);
  await it.untilHealth(0, null);
  assert.ok(recorded() > signed);
  await it.agree();
  const { events } = await it.at(0).client.read('/v1/events', { type: 'ValidatorDoubleSigned' });
  assert.deepEqual(events, []);
});
