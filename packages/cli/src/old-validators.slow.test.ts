/** Four validators that change their rules, with a CometBFT each. Some lack version 2 for a while. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDatabase } from '@netd/node/verify';
import { cometbftAddress, rawKeyFromPem, type Genesis } from '@netd/protocol';
import { inCampaign } from '@netd/protocol/testing';
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
/** An attempt fails if a slow machine needs a second round, or makes an idle block between two payments. */
const MOST_ATTEMPTS = 5;

// A build has `comet-ledger.test.ts` of the engine: it proposes no block under such rules, and halts.
test(
  'an old validator that is due to propose the first block of the new rules halts, and comes back',
  inCampaign,
  async (t) => {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const it = await beginWithVersion1(t, (index) => (index === 0 ? {} : NO_MEMPOOL));
      if (!it) return;
      // The first validator proposes all payments. The next two validators then propose at once: one
      // the block that decides the rules, the other the block that activates them.
      const { old, address } = secondAfterFirst(it);
      await it.down(old);
      await it.up(old, [], { ...OLD, ...NO_MEMPOOL });
      await schedule(it);
      const others = [...it.all.keys()].filter((index) => index !== old);
      await Promise.all(others.map((index) => announce(it, index)));
      const height = await activation(it);
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
    assert.fail('another validator proposed the block in each attempt');
  },
);

/** Pays until the rules take effect, and returns the height. A slow machine may postpone them first. */
async function activation(it: FourValidators): Promise<number> {
  for (;;) {
    const { height } = await it.pay(0);
    const { events } = await it.at(0).client.read('/v1/events', { type: 'RulesActivated' });
    const [first] = events;
    if (first) return first.height;
    assert.ok(height < 20 * AHEAD, 'the rules never took effect');
  }
}

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
