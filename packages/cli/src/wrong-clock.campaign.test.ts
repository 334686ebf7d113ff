/**
 * One of four validators has a clock that is an hour ahead, then an hour behind: netd's, and that of a CometBFT
 * that is built with a shifted `types/time.Now`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cometbftAddress, rawKeyFromPem } from '@netd/protocol';
import { readKeyFile } from '@netd/node/keys';
import { join } from 'node:path';
import { buildOfCometbft } from './testing/cometbft-build.ts';
import { FourValidators } from './testing/four-validators.ts';
import { during } from './testing/started-nodes.ts';

const WRONG = 3;
const HOUR = 3_600;
const PRELOAD = new URL('testing/shifted-clock.mjs', import.meta.url).href;

/** Changes of CometBFT's files that shift its clock. */
const SHIFTED = {
  'types/time/time.go': (text: string): string =>
    text.replace('Canonical(time.Now())', 'Canonical(time.Now().Add(shift))'),
  'types/time/shift.go': (): string =>
    [
      'package time',
      'import ("os"; "time")',
      'var shift, _ = time.ParseDuration(os.Getenv("NETD_TEST_CLOCK_SECONDS") + "s")',
    ].join('\n'),
  'state/validation.go': (text: string): string =>
    text
      .replaceAll('time.Now()', 'cmttime.Now()')
      .replace('import (', 'import (\n\tcmttime "github.com/cometbft/cometbft/types/time"'),
};

test('a clock an hour wrong is named, and dates no block', { timeout: 900_000 }, async (t) => {
  const it = await FourValidators.begin(t);
  if (!it) return;
  const { home } = it.nodes;
  const binary = await buildOfCometbft(t, { home, program: 'cometbft', changes: SHIFTED });
  if (binary === null) return;
  const restart = async (seconds: number): Promise<void> => {
    await it.down(WRONG);
    const env = {
      NETD_TEST_CLOCK_SECONDS: String(seconds),
      NODE_OPTIONS: `--import=${PRELOAD}`,
    };
    await during(it.up(WRONG, ['--binary', binary], { env }), () => it.pay(0));
  };
  const { publicKey } = readKeyFile(join(it.place(WRONG).dataDir, 'keys/validator.json'));
  const address = cometbftAddress(rawKeyFromPem(publicKey) ?? new Uint8Array());

  await restart(HOUR);
  const isNamed = Promise.all(
    [0, WRONG].map((index) =>
      it.untilHealth(index, /the clock of the validator validator-4 is 3[56]\d\d seconds ahead/),
    ),
  );
  await during(isNamed, () => it.pay(WRONG));
  // Its proposals are accepted, because the votes of all date a block.
  for (let round = 0; ; round++) {
    assert.ok(round < 100, 'it proposed no block');
    const before = Date.now();
    const { height } = await it.pay(WRONG);
    const { certificate, header } = await it
      .at(WRONG)
      .client.read('/v1/blocks/{height}', { height });
    const apart = Math.abs(Date.parse(header.timestamp) - before);
    assert.ok(apart < (HOUR / 2) * 1_000, `block ${height} is dated ${header.timestamp}`);
    assert.ok('commit' in certificate);
    if (certificate.commit.header.proposerAddress === address) break;
  }
  await it.agree();

  // CometBFT takes no block that is a minute ahead of its clock, so this validator is down.
  await it.down(WRONG);
  const { command } = await it.up(WRONG, ['--binary', binary], {
    env: { NETD_TEST_CLOCK_SECONDS: String(-HOUR), NODE_OPTIONS: `--import=${PRELOAD}` },
  });
  const isBehind = it.untilHealth(WRONG, /the clock of this machine is 3[56]\d\d seconds behind/);
  await during(isBehind, () => it.pay(0));
  command.child.kill('SIGINT');
  await command.ended;

  await during(it.up(WRONG), () => it.pay(0));
  await it.pay(WRONG);
  await it.agree();
  for (const index of [0, 1, 2, 3]) await it.untilHealth(index, null);
});
