/** A testnet that changes to version 2 of the rules while some of its nodes lack it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { hashOfDigit } from '@netd/protocol/testing';
import { LAUNCHER } from './command.ts';
import { FourValidators } from './four-validators.ts';
import { insist, type StartedNodes } from './started-nodes.ts';

const HOOK = import.meta.resolve('@netd/testkit/without-version-2');
/** Runs netd without version 2. */
export const OLD = { program: [process.execPath, '--import', HOOK, LAUNCHER] } as const;
const ARTIFACT = hashOfDigit('a');
/** Heights between scheduling and the first block of the version, and of a postponement. */
export const AHEAD = 8;

/** Starts four validators with version 1 on a chain that can postpone by few heights. */
export const beginWithVersion1 = (
  t: TestContext,
  how?: (index: number) => NonNullable<Parameters<StartedNodes['start']>[2]>,
): Promise<FourValidators | null> =>
  FourValidators.begin(t, {
    ...(how && { how }),
    genesis: ({ rules: _, ...genesis }) => {
      const { governance, validatorSet } = genesis.policy;
      const policy = {
        ...genesis.policy,
        governance: { ...governance, timelock: { heights: 2, milliseconds: 1 } },
        ...(validatorSet ? { validatorSet: { ...validatorSet, termHeights: AHEAD } } : {}),
      };
      return { ...genesis, policy };
    },
  });

/** Returns the first height of version 2. */
export async function schedule(it: FourValidators, ahead = AHEAD): Promise<number> {
  const { client } = it.at(0);
  const height = (await client.network()).height + ahead;
  const payload = { version: 2, height, artifactHash: ARTIFACT };
  await insist(() => client.act(it.operator, 'scheduleRules', payload), 'RULES_ALREADY_SCHEDULED');
  return height;
}

export async function announce(it: FourValidators, index: number): Promise<void> {
  const owner = await it.nodes.owner(index);
  const payload = { validatorId: owner.actorId, version: 2, artifactHash: ARTIFACT };
  const { client } = it.at(0);
  await insist(() => client.act(owner, 'announceRules', payload), 'RULES_ALREADY_ANNOUNCED');
}

/** Pays through the first validator until it reaches this height. */
export async function payUntil(it: FourValidators, height: number): Promise<void> {
  while ((await it.pay(0)).height < height);
}

export const versionAt = async (it: FourValidators, index: number): Promise<number> =>
  (await it.at(index).client.network()).rules.version;

export const lacksRules = (height: number): RegExp =>
  new RegExp(
    `"title": "block ${height} has version 2 [^"]*${ARTIFACT}",\\s+"code": "RULES_UNKNOWN"`,
  );

interface ComingBack {
  index?: number;
  start?: () => Promise<unknown>;
}

/** Restarts the halted validator with the release. Asserts that it votes again and never signed twice. */
export async function comesBack(
  it: FourValidators,
  height: number,
  { index = 3, start = () => it.up(index, [], {}) }: ComingBack = {},
): Promise<void> {
  await it.pay(0);
  await start();
  const votes = async (): Promise<boolean | undefined> =>
    (await it.at(0).client.network()).finality.votes[index]?.signed;
  do await it.pay(index);
  while ((await votes()) !== true);
  assert.ok((await it.agree()) > height);
  for (const each of it.all.keys()) {
    assert.equal(await versionAt(it, each), 2);
    await it.holdsWhatWasAnswered(each);
    const { client } = it.at(each);
    const { events } = await client.read('/v1/events', { type: 'ValidatorDoubleSigned' });
    assert.deepEqual(events, []);
  }
}
