import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { DEVNET_POLICY } from '../../genesis.ts';
import { accepted, refused, verdictOf } from '../../testing/expectations.ts';
import { ACTOR, AMOUNT, assertLimits, HASH, type Limits } from '../../testing/limits.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import {
  addCandidate,
  evidenceOf,
  PURSE,
  readyToStake,
  SELF_BOND,
  validatorHeartbeatOf,
  VALIDATOR,
} from '../../testing/staking.ts';
import { TIMER_LIMITS } from '../../timer-queue.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import { afterFaults, MAX_DELEGATIONS, MAX_UNBONDINGS, redeem, stakeOf, worthOf } from './stake.ts';

const NET = UNET_PER_NET;
const DELAY = DEVNET_POLICY.operators.unbondingDelay;
const { rewardInterval: INTERVAL, maximumReward, rewardPpm } = DEVNET_POLICY.staking;

const balance = (chain: TestChain, id: string): number => chain.record('account', id)?.balance ?? 0;
const stake = (chain: TestChain, id: string): number =>
  stakeOf({ get: (name, key) => chain.record(name, key) }, id);
const candidate = (chain: TestChain, id = VALIDATOR) => chain.record('validator-candidate', id)!;

const stakes = (chain: TestChain, actorId: string, amount: number, validatorId = VALIDATOR) =>
  chain.does(actorId, 'delegate', { validatorId, amount });

const ready = (): TestChain => readyToStake(standardChain());

/** An unrelated block, which executes what is due. */
const blockGoesBy = (chain: TestChain, milliseconds = 100): void => {
  chain.block([], milliseconds);
};

const beat = (chain: TestChain) =>
  chain.act(VALIDATOR, 'submitValidatorHeartbeat', validatorHeartbeatOf(chain, VALIDATOR));

describe('a delegation', () => {
  test('moves the amount into stake and counts as the stake of the delegator', () => {
    const chain = ready();
    const outcome = chain.act('bob', 'delegate', { validatorId: VALIDATOR, amount: 5 * NET });
    assert.deepEqual(accepted(outcome), [
      {
        type: 'StakeDelegated',
        data: { actorId: 'bob', validatorId: VALIDATOR, amount: 5 * NET, shares: 5 * NET },
      },
    ]);
    assert.equal(balance(chain, 'bob'), PURSE - 5 * NET);
    assert.equal(balance(chain, 'net:stake'), 5 * NET);
    assert.equal(chain.record('supply', 'stake'), 5 * NET);
    assert.equal(stake(chain, 'bob'), 5 * NET);
    assert.equal(stake(chain, VALIDATOR), SELF_BOND);
    assert.equal(stake(chain, 'nobody'), 0);
    const { delegated, shares, delegators } = candidate(chain);
    assert.deepEqual([delegated, shares, delegators], [5 * NET, 5 * NET, 1]);
    assert.equal(chain.record('counter', 'delegations'), 1);
    assert.equal(chain.record('counter', 'delegators'), 1);
  });
  test('grows, keeps its place in time, and is one of its delegator', () => {
    const chain = stakes(ready(), 'bob', NET);
    const { since } = chain.record('delegator', 'bob')!.positions[0]!;
    stakes(chain, 'bob', 2 * NET);
    assert.deepEqual(chain.record('delegator', 'bob'), {
      actorId: 'bob',
      positions: [{ validatorId: VALIDATOR, shares: 3 * NET, since }],
      unbondings: 0,
    });
    assert.equal(candidate(chain).delegators, 1);
    assert.equal(chain.record('counter', 'delegations'), 1);
  });
  test('goes to 16 candidates, and more of it to one of them still', () => {
    const chain = ready();
    for (let i = 1; i < MAX_DELEGATIONS; i++) {
      stakes(addCandidate(chain, `val-${i}`), 'bob', NET, `val-${i}`);
    }
    stakes(chain, 'bob', NET);
    stakes(chain, 'bob', NET);
    assert.equal(stake(chain, 'bob'), (MAX_DELEGATIONS + 1) * NET);
    addCandidate(chain, 'val-late');
    const late = { validatorId: 'val-late', amount: NET };
    assert.equal(verdictOf(chain.act('bob', 'delegate', late)), 'DELEGATION_LIMIT');
    chain.does('bob', 'undelegate', { validatorId: 'val-1' });
    assert.equal(verdictOf(chain.act('bob', 'delegate', late)), 'accepted');
    assert.equal(chain.record('counter', 'delegations'), MAX_DELEGATIONS);
  });
  test('of a candidate to itself counts beside its bond', () => {
    const chain = ready().fund(VALIDATOR, NET);
    chain.does(VALIDATOR, 'extendAgentCapabilities', { agentId: VALIDATOR, actions: ['delegate'] });
    assert.equal(stake(stakes(chain, VALIDATOR, NET), VALIDATOR), SELF_BOND + NET);
  });
});

describe('an unbonding', () => {
  const undelegated = (): TestChain =>
    stakes(ready(), 'bob', 5 * NET).does('bob', 'undelegate', {
      validatorId: VALIDATOR,
      amount: 2 * NET,
    });

  test('leaves the stake at once and goes back when both height and time have passed', () => {
    const chain = undelegated();
    assert.equal(stake(chain, 'bob'), 3 * NET);
    assert.equal(balance(chain, 'net:stake'), 5 * NET);
    assert.equal(candidate(chain).unbonding, 2 * NET);
    chain.ledger.advance(DELAY.heights - 2, DELAY.milliseconds);
    blockGoesBy(chain);
    assert.equal(balance(chain, 'bob'), PURSE - 5 * NET, 'one height is missing');
    blockGoesBy(chain);
    assert.equal(balance(chain, 'bob'), PURSE - 3 * NET);
    assert.equal(candidate(chain).unbonding, 0);
    assert.equal(chain.record('counter', 'unbondings'), 0);
  });
  test('waits for its time even if heights are pushed', () => {
    const chain = undelegated();
    chain.ledger.advance(10 * DELAY.heights, DELAY.milliseconds - 2);
    blockGoesBy(chain, 1);
    assert.equal(balance(chain, 'bob'), PURSE - 5 * NET, 'one millisecond is missing');
    blockGoesBy(chain, 1);
    assert.equal(balance(chain, 'bob'), PURSE - 3 * NET);
  });
  test('is released by a system transition of an otherwise empty block, for all to see', () => {
    const chain = undelegated();
    const unbondingId = [...chain.ledger.pairs().keys()]
      .find((key) => key.startsWith('unbonding/'))!
      .slice('unbonding/'.length);
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    const { executed } = chain.ledger.execute([]);
    assert.deepEqual(
      executed.events.map(({ type, data }) => ({ type, data })),
      [
        {
          type: 'StakeReleased',
          data: {
            actorId: 'bob',
            validatorId: VALIDATOR,
            unbondingId,
            amount: 2 * NET,
            slashed: 0,
          },
        },
      ],
    );
    assert.equal(chain.record('unbonding', unbondingId), undefined);
  });
  test('those that wait together are released some a block, oldest first', () => {
    const chain = ready();
    const names = Array.from({ length: 13 }, (_, i) => `del-${i}`);
    const all = names.length * MAX_UNBONDINGS;
    assert.ok(all > TIMER_LIMITS.releaseStake);
    chain.join(names, ['delegate', 'undelegate']);
    for (const name of names) stakes(chain.fund(name, NET), name, NET);
    for (let i = 0; i < MAX_UNBONDINGS; i++) {
      chain.block(
        names.map((name) =>
          chain.intent(name, 'undelegate', { validatorId: VALIDATOR, amount: 1 }),
        ),
      );
    }
    assert.equal(chain.record('counter', 'unbondings'), all);
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    blockGoesBy(chain);
    assert.equal(chain.record('counter', 'unbondings'), all - TIMER_LIMITS.releaseStake);
    assert.ok(names.every((name) => balance(chain, name) >= 14));
    blockGoesBy(chain);
    assert.equal(chain.record('counter', 'unbondings'), 0);
    assert.ok(names.every((name) => balance(chain, name) === 16));
  });
  test('a seventeenth waits until one is released', () => {
    const chain = stakes(ready(), 'bob', NET);
    const once = { validatorId: VALIDATOR, amount: 1 };
    for (let i = 0; i < MAX_UNBONDINGS; i++) chain.does('bob', 'undelegate', once);
    assert.equal(verdictOf(chain.act('bob', 'undelegate', once)), 'UNBONDING_LIMIT');
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    assert.equal(verdictOf(chain.act('bob', 'undelegate', once)), 'accepted');
  });
  test('of everything leaves no trace of the delegator after its release', () => {
    const chain = stakes(ready(), 'bob', NET).does('bob', 'undelegate', { validatorId: VALIDATOR });
    assert.deepEqual(chain.record('delegator', 'bob'), {
      actorId: 'bob',
      positions: [],
      unbondings: 1,
    });
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    blockGoesBy(chain);
    assert.equal(chain.record('delegator', 'bob'), undefined);
    assert.equal(balance(chain, 'bob'), PURSE);
    const { delegated, shares, delegators } = candidate(chain);
    assert.deepEqual([delegated, shares, delegators], [0, 0, 0]);
  });
  test('from a revoked candidate is always possible, after its bond has gone back too', () => {
    const chain = stakes(ready(), 'bob', NET);
    chain.does(OPERATOR, 'revokeAuthority', { actorId: VALIDATOR });
    assert.equal(stake(chain, VALIDATOR), 0, 'a bond on its way back does not count');
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    chain.fund('bob', 1);
    assert.equal(balance(chain, VALIDATOR), SELF_BOND);
    chain.does('bob', 'undelegate', { validatorId: VALIDATOR });
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    blockGoesBy(chain);
    assert.equal(balance(chain, 'bob'), PURSE + 1);
    assert.equal(balance(chain, 'net:stake'), 0);
  });
});

describe('evidence', () => {
  test('takes a tenth of the bond, of every delegation, and of unbonding stake at its release', () => {
    const chain = stakes(stakes(ready(), 'bob', 40 * NET), 'carol', 60 * NET);
    chain.does('bob', 'undelegate', { validatorId: VALIDATOR, amount: 10 * NET });
    const pool = balance(chain, 'net:reward-pool');
    const outcome = chain.act(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain));
    assert.deepEqual(accepted(outcome), [
      {
        type: 'ValidatorSlashed',
        data: {
          validatorId: VALIDATOR,
          operatorId: OPERATOR,
          height: 7,
          slashedBond: SELF_BOND / 10,
          slashedStake: 9 * NET,
        },
      },
    ]);
    assert.equal(stake(chain, 'bob'), 27 * NET);
    assert.equal(stake(chain, 'carol'), 54 * NET);
    assert.equal(stake(chain, VALIDATOR), (9 * SELF_BOND) / 10);
    assert.equal(balance(chain, 'net:reward-pool'), pool + SELF_BOND / 10 + 9 * NET);
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    blockGoesBy(chain);
    assert.equal(balance(chain, 'bob'), PURSE - 40 * NET + 9 * NET);
    assert.equal(balance(chain, 'net:reward-pool'), pool + SELF_BOND / 10 + 10 * NET);
    assert.equal(chain.record('cumulative-total', 'slashed'), SELF_BOND / 10 + 10 * NET);
    assert.equal(chain.record('cumulative-total', 'released'), 9 * NET);
  });
  test('of another height counts again, also for stake that began to unbond in between', () => {
    const chain = stakes(ready(), 'bob', 100 * NET);
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain));
    chain.does('bob', 'undelegate', { validatorId: VALIDATOR });
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain, VALIDATOR, 8));
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    blockGoesBy(chain);
    assert.equal(balance(chain, 'bob'), PURSE - 100 * NET + 81 * NET);
    assert.equal(chain.record('counter', 'validator-faults'), 2);
  });
  test('does not reach stake released before', () => {
    const chain = stakes(ready(), 'bob', 100 * NET);
    chain.does('bob', 'undelegate', { validatorId: VALIDATOR });
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    blockGoesBy(chain);
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain));
    assert.equal(balance(chain, 'bob'), PURSE);
  });
  test('does not reach another candidate', () => {
    const chain = stakes(addCandidate(ready(), 'dave'), 'bob', NET, 'dave');
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain));
    assert.equal(stake(chain, 'bob'), NET);
    assert.equal(candidate(chain, 'dave').faults, 0);
  });
  test('reaches a revoked candidate while its bond is on its way back', () => {
    const chain = ready().does(OPERATOR, 'revokeAuthority', { actorId: VALIDATOR });
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain));
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    chain.fund('bob', 1);
    assert.equal(balance(chain, VALIDATOR), (9 * SELF_BOND) / 10);
  });
  test('counts even if only unbonding stake is left to slash', () => {
    const chain = stakes(ready(), 'bob', NET);
    chain.does(OPERATOR, 'revokeAuthority', { actorId: VALIDATOR });
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    chain.does('bob', 'undelegate', { validatorId: VALIDATOR });
    assert.equal(candidate(chain).selfBond + candidate(chain).delegated, 0);
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain));
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    blockGoesBy(chain);
    assert.equal(balance(chain, 'bob'), PURSE - NET / 10);
  });
});

describe('a reward', () => {
  const passed = (chain: TestChain): void =>
    chain.ledger.advance(INTERVAL.heights - 1, INTERVAL.milliseconds);

  test('comes with a heartbeat when the interval has passed, shared by bond and delegations', () => {
    const chain = stakes(ready(), 'bob', 3 * SELF_BOND);
    const pool = balance(chain, 'net:reward-pool');
    assert.deepEqual(
      accepted(beat(chain)).map(({ type }) => type),
      ['ValidatorHeartbeatReceived'],
      'the first heartbeat starts the interval',
    );
    passed(chain);
    const reward = (4 * SELF_BOND * rewardPpm) / 1_000_000;
    assert.deepEqual(accepted(beat(chain))[1], {
      type: 'ValidatorRewarded',
      data: { validatorId: VALIDATOR, toValidator: reward / 4, toDelegators: (3 * reward) / 4 },
    });
    assert.equal(balance(chain, VALIDATOR), reward / 4);
    assert.equal(stake(chain, 'bob'), 3 * SELF_BOND + (3 * reward) / 4);
    assert.equal(balance(chain, 'net:reward-pool'), pool - reward);
    assert.equal(chain.record('cumulative-total', 'delegator-rewards'), (3 * reward) / 4);
    assert.equal(accepted(beat(chain)).length, 1, 'the interval begins anew');
  });
  test('waits for the heights and for the time of its interval', () => {
    const chain = ready();
    beat(chain);
    chain.ledger.advance(INTERVAL.heights - 2, INTERVAL.milliseconds);
    assert.equal(accepted(beat(chain)).length, 1, 'one height is missing');
    assert.equal(accepted(beat(chain)).length, 2);
    chain.ledger.advance(10 * INTERVAL.heights, INTERVAL.milliseconds - 101);
    assert.equal(accepted(beat(chain)).length, 1, 'one millisecond is missing');
    assert.equal(accepted(beat(chain)).length, 2);
  });
  test('is one, however many intervals were missed, and bounded by the policy', () => {
    const staking = { ...DEVNET_POLICY.staking, maximumReward: 7 };
    const chain = stakes(readyToStake(standardChain({ staking })), 'bob', 2 * SELF_BOND);
    beat(chain);
    chain.ledger.advance(50 * INTERVAL.heights, 50 * INTERVAL.milliseconds);
    assert.deepEqual(accepted(beat(chain))[1]?.data, {
      validatorId: VALIDATOR,
      toValidator: 3,
      toDelegators: 4,
    });
    assert.equal(accepted(beat(chain)).length, 1);
    assert.ok(maximumReward > 7);
  });
  test('is limited to the rest of the pool, and comes again after funding', () => {
    const chain = ready();
    beat(chain);
    const left = balance(chain, 'net:reward-pool');
    const treasury = balance(chain, 'net:treasury');
    const pool = { accountId: 'net:reward-pool', faucetReceived: 0 };
    chain.ledger.seed('account', 'net:reward-pool', { ...pool, balance: 0 });
    chain.ledger.seed('account', 'net:treasury', {
      ...pool,
      accountId: 'net:treasury',
      balance: treasury + left,
    });
    chain.ledger.seed('supply', 'reward-pool', 0);
    chain.ledger.seed('supply', 'treasury', treasury + left);
    passed(chain);
    assert.equal(accepted(beat(chain)).length, 1);
    chain.does(OPERATOR, 'fundRewardPool', { amount: 5 });
    assert.equal(accepted(beat(chain))[1]?.data['toValidator'], 5);
  });
  test('does not come after a fault', () => {
    const chain = ready();
    beat(chain);
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain));
    passed(chain);
    assert.equal(accepted(beat(chain)).length, 1);
  });
  test('benefits all shares equally, and raises the price of later ones', () => {
    const chain = stakes(ready(), 'bob', 1_000 * NET);
    beat(chain);
    passed(chain);
    beat(chain);
    const grown = stake(chain, 'bob');
    stakes(chain, 'carol', 1_000 * NET);
    assert.equal(stake(chain, 'bob'), grown);
    assert.ok([0, 1].includes(1_000 * NET - stake(chain, 'carol')));
  });
});

test('an operator funds the reward pool from its account or from the treasury', () => {
  const chain = standardChain();
  const [pool, own, treasury] = ['net:reward-pool', OPERATOR, 'net:treasury'].map((id) =>
    balance(chain, id),
  );
  chain.does(OPERATOR, 'fundRewardPool', { amount: 3 });
  chain.does(OPERATOR, 'fundRewardPool', { amount: 4, source: 'treasury' });
  assert.equal(balance(chain, 'net:reward-pool'), pool! + 7);
  assert.equal(balance(chain, OPERATOR), own! - 3);
  assert.equal(balance(chain, 'net:treasury'), treasury! - 4);
});

test('locations follow the last heartbeats', () => {
  const chain = ready();
  const locations = (): string[] =>
    [...chain.ledger.pairs()]
      .filter(([key]) => key.startsWith('location/'))
      .map(([, text]) => {
        const { dimension, label, nodes, validators } = JSON.parse(text) as Record<string, string>;
        return `${dimension} ${label} ${nodes} ${validators}`;
      })
      .toSorted();
  const node = (agentId: string, sequence: number, members: object) =>
    chain.does(agentId, 'submitNodeHeartbeat', {
      agentId,
      sequence,
      observedHeight: chain.height,
      observedStateRoot: chain.ledger.tip.stateRoot,
      nodeVersion: '1',
      ...members,
    });
  node('bob', 1, { region: 'eu', countryCode: 'AT' });
  node('carol', 1, { region: 'eu' });
  chain.does(
    VALIDATOR,
    'submitValidatorHeartbeat',
    validatorHeartbeatOf(chain, VALIDATOR, { region: 'eu' }),
  );
  assert.deepEqual(locations(), ['countryCode AT 1 0', 'region eu 2 1']);
  node('bob', 2, { region: 'us' });
  node('carol', 2, { region: 'eu', faultDomain: 'a/b' });
  assert.deepEqual(locations(), ['faultDomain a/b 1 0', 'region eu 1 1', 'region us 1 0']);
});

describe('the arithmetic of shares', () => {
  test('rounds in favor of the pool, and the last share takes the rest', () => {
    assert.equal(worthOf({ delegated: 10, shares: 3 }, 1), 3);
    assert.equal(worthOf({ delegated: 10, shares: 3 }, 3), 10);
    assert.equal(worthOf({ delegated: 0, shares: 0 }, 0), 0);
    const pool = { delegated: 10, shares: 3 };
    assert.deepEqual(redeem(pool, 2, 3), { shares: 1, amount: 3 });
    assert.deepEqual(redeem(pool, 2, 4), { shares: 2, amount: 6 }, 'a share is not divided');
    assert.deepEqual(redeem(pool, 3, null), { shares: 3, amount: 10 });
    assert.deepEqual(redeem({ delegated: 9, shares: 10 }, 10, 1), { shares: 2, amount: 1 });
  });
  test('is exact if products exceed the safe integers', () => {
    const supply = 1_000_000_000 * NET;
    // Doubles would give supply - 7.
    assert.equal(worthOf({ delegated: supply, shares: supply - 7 }, supply - 14), supply - 8);
  });
  test('faults take a tenth of the rest each, and end', () => {
    assert.equal(afterFaults(100, 0), 100);
    assert.equal(afterFaults(100, 2), 81);
    assert.equal(afterFaults(1_000_000_000 * NET, 1_000_000), 9);
    assert.equal(afterFaults(0, 3), 0);
  });
});

describe('the payload of', () => {
  const LABEL: Limits = { fits: ['a', 'é'.repeat(64)], breaks: ['', 'a'.repeat(65), 1, null] };
  const cases: [
    action: string,
    actor: string,
    payload: (chain: TestChain) => JsonObject,
    limits: Record<string, Limits>,
  ][] = [
    [
      'delegate',
      'bob',
      () => ({ validatorId: VALIDATOR, amount: NET }),
      // The limits of both sides are among the refusals.
      { validatorId: ACTOR, amount: { ...AMOUNT, fits: [NET, PURSE] } },
    ],
    [
      'undelegate',
      'carol',
      () => ({ validatorId: VALIDATOR, amount: 1 }),
      { validatorId: ACTOR, amount: { ...AMOUNT, fits: [1, 5 * NET] } },
    ],
    [
      'fundRewardPool',
      OPERATOR,
      () => ({ amount: 1 }),
      {
        amount: { ...AMOUNT, fits: [1] },
        source: { fits: ['account', 'treasury'], breaks: ['faucet', '', null] },
      },
    ],
    [
      'submitValidatorHeartbeat',
      VALIDATOR,
      (chain) => validatorHeartbeatOf(chain, VALIDATOR),
      {
        sequence: { fits: [1, Number.MAX_SAFE_INTEGER], breaks: [0, 1.5, '1', null] },
        observedHeight: { fits: [], breaks: [-1, 0.5, null] },
        observedStateRoot: { fits: [], breaks: HASH.breaks },
        nodeVersion: LABEL,
        region: LABEL,
        faultDomain: LABEL,
        countryCode: { fits: ['DE'], breaks: ['', 'de', 'DEU', 'DE\n', null] },
      },
    ],
    [
      'submitValidatorEvidence',
      OPERATOR,
      (chain) => evidenceOf(chain),
      {
        height: { fits: [], breaks: [-1, 1.5, '7', null] },
        first: { fits: [], breaks: [{}, null] },
        second: { fits: [], breaks: [{}, null] },
      },
    ],
  ];
  for (const [action, actor, payloadOn, members] of cases) {
    for (const [member, limits] of Object.entries(members)) {
      test(`${action} takes a ${member} within its limits and none outside`, () => {
        const chain = stakes(ready(), 'carol', 5 * NET);
        assertLimits(chain, { actor, action, payload: payloadOn(chain) }, member, limits);
      });
    }
    test(`${action} takes no further member`, () => {
      const chain = stakes(ready(), 'carol', 5 * NET);
      const payload = { ...payloadOn(chain), note: '' };
      refused(chain, chain.intent(actor, action, payload), 'PAYLOAD_INVALID');
    });
  }
});

test('a delegation is of the least amount or more, and of no more than there is', () => {
  for (const [amount, expected] of [
    [NET - 1, 'DELEGATION_TOO_SMALL'],
    [NET, 'accepted'],
    [PURSE, 'accepted'],
    [PURSE + 1, 'INSUFFICIENT_BALANCE'],
  ] as const) {
    const outcome = ready().act('bob', 'delegate', { validatorId: VALIDATOR, amount });
    assert.equal(verdictOf(outcome), expected, `${amount}`);
  }
});
