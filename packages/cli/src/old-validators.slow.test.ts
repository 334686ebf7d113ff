/** Four validators that change their rules, with a CometBFT each. Some lack version 2 for a while. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDatabase } from '@netd/node/verify';
import { cometbftAddress, rawKeyFromPem, type Genesis } from '@netd/protocol';
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
  const it = await beginWithVersion1(t, () => OLD);
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

  await halts(it, 3, second);
  await comesBack(it, second);
});

/** Asserts that an old validator stopped before this height with an intact database. */
async function halts(it: FourValidators, index: number, height: number): Promise<void> {
  const { code, stdout, stderr } = await it.at(index).command.ended;
  assert.equal(code, 4, stderr);
  assert.match(stdout, lacksRules(height));
  const { genesisHash } = await it.at(0).client.network();
  const report = await verifyDatabase(join(it.place(index).dataDir, 'chain'), { genesisHash });
  assert.deepEqual([report.height, report.fault], [height - 1, null]);
}

/** CometBFT refuses all transactions, so that only another validator proposes some. */
const NO_MEMPOOL = { env: { CMT_MEMPOOL_SIZE: '0' } };
/** An attempt fails if CometBFT needs a second round, for example because a process was too slow. */
const MOST_ATTEMPTS = 3;

test('an old validator whose turn it is to propose the first block of the rules halts, and comes back', async (t) => {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const it = await beginWithVersion1(t, (index) => (index === 0 ? {} : NO_MEMPOOL));
    if (!it) return;
    // The first validator proposes all payments. The two blocks after the last one, which decide and
    // activate the rules, are due at once, and so the turns of the next two validators.
    const { old, address } = secondAfterFirst(it);
    await it.down(old);
    await it.up(old, [], { ...OLD, ...NO_MEMPOOL });
    const height = await schedule(it);
    for (const index of it.all.keys()) if (index !== old) await announce(it, index);
    await payUntil(it, height);
    await halts(it, old, height);
    // CometBFT certifies a block of the ledger with its own next header.
    const { certificate } = await it.at(0).client.read('/v1/blocks/{height}', {
      height: height - 1,
    });
    assert.equal(certificate.scheme, 'cometbft-commit-v0.38');
    const { header, round } = certificate.commit;
    if (header.proposerAddress === address && round === 0) {
      await comesBack(it, height, { index: old });
      return;
    }
    await it.nodes.end();
  }
  assert.fail('a round failed in each attempt');
});

/** Validators of equal power take turns in the order of their addresses. */
function secondAfterFirst({ nodes }: FourValidators): { old: number; address: string } {
  const { validators } = JSON.parse(readFileSync(nodes.genesisPath, 'utf8')) as Genesis;
  const addresses = validators.map(({ consensusPublicKey }) =>
    cometbftAddress(rawKeyFromPem(consensusPublicKey) ?? new Uint8Array()),
  );
  const turns = addresses.toSorted();
  const address = turns[(turns.indexOf(addresses[0] ?? '') + 2) % turns.length] ?? '';
  return { old: addresses.indexOf(address), address };
}
