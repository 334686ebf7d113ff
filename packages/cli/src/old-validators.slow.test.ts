/** Four validators that change their rules, with a CometBFT each. Some lack version 2 for a while. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDatabase } from '@netd/node/verify';
import type { FourValidators } from './testing/four-validators.ts';
import { done } from './testing/run-here.ts';
import {
  AHEAD,
  announce,
  beginWithVersion1,
  comesBack,
  lacksRules,
  OLD,
  payUntil,
  schedule,
  versionAt,
} from './testing/rules-crossing.ts';

/** Schedules by command, with enough time before the height for a slow machine. */
async function scheduleIsReversible(it: FourValidators): Promise<void> {
  await schedule(it, 100_000);
  const upgrade = async (...words: string[]): Promise<readonly string[]> => {
    const at = ['-d', it.place(0).dataDir, '--url', it.at(0).url, '--json'];
    const { scheduled } = JSON.parse(await done(['upgrade', ...words, ...at])) as {
      scheduled: { ready: { validators: { validatorId: string; ready: boolean }[] } } | null;
    };
    return (scheduled?.ready.validators ?? [])
      .filter(({ ready }) => ready)
      .map(({ validatorId }) => validatorId);
  };
  assert.deepEqual(await upgrade('--ready'), ['validator-1']);
  assert.deepEqual(await upgrade('--ready', '--withdraw'), []);
  await upgrade('--cancel');
}

test('rules wait for a quorum of new validators, three continue without an old one, and it comes back', async (t) => {
  const it = await beginWithVersion1(t, OLD);
  if (!it) return;
  await it.replace(0, {});
  await it.replace(1, {});
  await scheduleIsReversible(it);

  const first = await schedule(it);
  await announce(it, 0);
  await announce(it, 1);
  await payUntil(it, first);
  const { client } = it.at(3);
  await it.agree();
  const { events } = await client.read('/v1/events', { type: 'RulesPostponed' });
  const second = first + AHEAD;
  assert.deepEqual(
    events.map(({ height, data }) => [height, (data as { height: number }).height]),
    [[first - 1, second]],
  );
  assert.equal(await versionAt(it, 3), 1);

  await announce(it, 2);
  await it.agree();
  const { faults } = await it.at(2).client.read('/health');
  assert.match(String(faults), /version 2 .* the owner of validator-3 announced .*: install/);
  // These payments may reach the height, at which the old validator halts.
  await it.replace(2, {});
  await payUntil(it, second);

  const { code, stdout, stderr } = await it.at(3).command.ended;
  assert.equal(code, 4, stderr);
  assert.match(stdout, lacksRules(second));
  const { genesisHash } = await it.at(0).client.network();
  const report = await verifyDatabase(join(it.place(3).dataDir, 'chain'), { genesisHash });
  assert.deepEqual([report.height, report.fault], [second - 1, null]);
  await comesBack(it, second);
});
