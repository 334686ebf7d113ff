/** Four validators that change their rules, with a CometBFT each. Some lack version 2 for a while. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDatabase } from '@netd/node/verify';
import { hashOfDigit, inCampaign } from '@netd/protocol/testing';
import { LAUNCHER } from './testing/command.ts';
import { FourValidators } from './testing/four-validators.ts';
import { insist } from './testing/started-nodes.ts';

const HOOK = import.meta.resolve('@netd/testkit/without-version-2');
const OLD = { program: [process.execPath, '--import', HOOK, LAUNCHER] } as const;
const YOUNG = {};
const ARTIFACT = hashOfDigit('a');
/** Heights between a schedule and its first block, and of a postponement. */
const AHEAD = 8;
const TIMEOUT = 900_000;

type Policy = Parameters<typeof FourValidators.begin>[1];

const SHORT: Policy = {
  policy: ({ governance, validatorSet }) => ({
    governance: { ...governance, timelock: { heights: 2, milliseconds: 1 } },
    ...(validatorSet ? { validatorSet: { ...validatorSet, termHeights: AHEAD } } : {}),
  }),
};

/** Returns the first height of version 2. */
async function schedule(it: FourValidators): Promise<number> {
  const { client } = it.at(0);
  const height = (await client.network()).height + AHEAD;
  const payload = { version: 2, height, artifactHash: ARTIFACT };
  await insist(() => client.act(it.operator, 'scheduleRules', payload), 'RULES_ALREADY_SCHEDULED');
  return height;
}

async function announce(it: FourValidators, index: number): Promise<void> {
  const owner = await it.nodes.owner(index);
  const payload = { validatorId: owner.actorId, version: 2, artifactHash: ARTIFACT };
  const { client } = it.at(0);
  await insist(() => client.act(owner, 'announceRules', payload), 'RULES_ALREADY_ANNOUNCED');
}

/** Pays at the first validator until it has this height. */
async function payUntil(it: FourValidators, height: number): Promise<void> {
  while ((await it.pay(0)).height < height);
}

const versionAt = async (it: FourValidators, index: number): Promise<number> =>
  (await it.at(index).client.network()).rules.version;

const lacksRules = (height: number): RegExp =>
  new RegExp(
    `"title": "block ${height} has version 2 [^"]*${ARTIFACT}",\\s+"code": "RULES_UNKNOWN"`,
  );

/** The last one has halted. It comes back with the release, votes again, and has never signed twice. */
async function comesBack(it: FourValidators, height: number): Promise<void> {
  await it.pay(0);
  await it.up(3, [], YOUNG);
  const votes = async (): Promise<boolean | undefined> =>
    (await it.at(0).client.network()).finality.votes[3]?.signed;
  do await it.pay(3);
  while ((await votes()) !== true);
  assert.ok((await it.agree()) > height);
  for (const index of it.all.keys()) {
    assert.equal(await versionAt(it, index), 2);
    await it.holdsWhatWasAnswered(index);
    const { client } = it.at(index);
    const { events } = await client.read('/v1/events', { type: 'ValidatorDoubleSigned' });
    assert.deepEqual(events, []);
  }
}

test(
  'rules wait for a quorum of new validators, three continue without an old one, and it comes back',
  { timeout: TIMEOUT },
  async (t) => {
    const it = await FourValidators.begin(t, { ...SHORT, how: OLD });
    if (!it) return;
    await it.replace(0, YOUNG);
    await it.replace(1, YOUNG);

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
    await it.replace(2, YOUNG);
    await payUntil(it, second);

    const { code, stdout, stderr } = await it.at(3).command.ended;
    assert.equal(code, 4, stderr);
    assert.match(stdout, lacksRules(second));
    const { genesisHash } = await it.at(0).client.network();
    const report = await verifyDatabase(join(it.place(3).dataDir, 'chain'), { genesisHash });
    assert.deepEqual([report.height, report.fault], [second - 1, null]);
    await comesBack(it, second);
  },
);

/** From the last known block on; `decision.committed` is a node that votes for nothing. */
const MOMENTS = [
  'decision.executed',
  'decision.committing',
  'decision.committed',
  'block.writing',
  'block.durable',
] as const;

for (const moment of MOMENTS) {
  test(
    `an old validator killed at ${moment} halts and comes back`,
    { ...inCampaign, timeout: TIMEOUT },
    async (t) => {
      const it = await FourValidators.begin(t, SHORT);
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
    },
  );
}
