/** Undelegated stake returns on an idle chain, and a replay gives the same result. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DEVNET_POLICY, timerQueue } from '@netd/ledger';
import { OPERATOR, SELF_BOND, TestChain } from '@netd/ledger/testing';
import { UNET_PER_NET, type Genesis } from '@netd/protocol';
import { VerifierPool } from '../mempool/verifier-pool.ts';
import { Store } from '../store/store.ts';
import { ChainHarness, HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { snapshotSource } from './block-source.ts';
import { Replay } from './replay.ts';

const NET = UNET_PER_NET;
const GENESIS: Genesis = {
  ...HARNESS_GENESIS,
  policy: {
    ...DEVNET_POLICY,
    operators: {
      ...DEVNET_POLICY.operators,
      unbondingDelay: { heights: 3, milliseconds: 25_000 },
    },
  },
};
const root = mkdtempSync(join(tmpdir(), 'netd-stake-test-'));
let harness: ChainHarness;

before(async () => {
  harness = await ChainHarness.open({ path: join(root, 'chain'), genesis: GENESIS });
  await harness.join('alice', 'bob');
  await harness.commit(harness.gift('alice', SELF_BOND), harness.gift('bob', 100 * NET));
  const people = new TestChain({ policy: GENESIS.policy });
  await harness.commit(people.application('alice', 'VALIDATOR'));
  const applicationId = 'app-alice-VALIDATOR';
  const [invited] = await harness.commit(
    harness.intent(OPERATOR, 'createOperatorInvitation', { applicationId }),
  );
  await harness.commit(people.claim('alice', invited?.transitionHash ?? ''));
  const actions = ['delegate', 'undelegate'];
  await harness.commit(
    harness.intent('bob', 'extendAgentCapabilities', { agentId: 'bob', actions }),
  );
});
after(async () => {
  await harness.close();
  rmSync(root, { recursive: true, force: true });
});

const balance = (): number => (harness.store.get('account/bob') as { balance: number }).balance;

test('undelegated stake comes back on an idle chain when heights and time have passed', async () => {
  const payload = { validatorId: 'alice', amount: 10 * NET };
  await harness.commit(harness.intent('bob', 'delegate', payload));
  const [first] = await harness.commit(
    harness.intent('bob', 'undelegate', { ...payload, amount: NET }),
  );
  const [second] = await harness.commit(
    harness.intent('bob', 'undelegate', { validatorId: 'alice' }),
  );
  assert.ok(first && second);
  await harness.advance(10_000);
  await harness.advance(10_000);
  assert.equal(balance(), 90 * NET, 'twenty seconds are not enough');
  for (let i = 0; i < 3; i++) await harness.advance(10_000);
  assert.equal(balance(), 100 * NET);
  for (const awaits of ['TIME', 'HEIGHT'] as const) {
    const queue = timerQueue('releaseStake', awaits);
    assert.deepEqual(harness.store.due(queue, Number.MAX_SAFE_INTEGER - 1, 9), []);
  }
  const snapshot = harness.store.snapshot();
  const released = snapshot.eventsAfter(-1, 9, 'type:StakeReleased');
  assert.deepEqual(
    released.map(({ data }) => data['unbondingId']),
    [first.transitionHash, second.transitionHash],
  );
  assert.deepEqual(
    snapshot.eventsAfter(-1, 99, 'agent:alice').filter(({ type }) => type === 'StakeReleased')
      .length,
    2,
    'events are found by the validator too',
  );
  snapshot.close();
});

test('a replay from genesis ends in the same state', async () => {
  const snapshot = harness.store.snapshot();
  const scratch = Store.open(mkdtempSync(join(root, 'scratch-')), { scratch: true });
  const pool = new VerifierPool(1);
  await new Replay(snapshotSource(snapshot, GENESIS), scratch, pool, () => {}).run();
  const replayed = scratch.snapshot();
  assert.equal(replayed.block.header.stateRoot, snapshot.block.header.stateRoot);
  assert.equal(replayed.stateText('account/bob'), snapshot.stateText('account/bob'));
  replayed.close();
  snapshot.close();
  await scratch.close();
});
