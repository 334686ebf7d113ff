/** Random delegations, rewards and evidence: only evidence may cost a delegator, and no unet may vanish. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { stateRoot, TOTAL_SUPPLY, UNET_PER_NET } from '@netd/protocol';
import { runs } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { MemoryLedger } from '../../testing/memory-ledger.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import {
  evidenceOf,
  readyToStake,
  validatorHeartbeatOf,
  VALIDATOR,
} from '../../testing/staking.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import { redeem, sharesFor, slashOf, stakeOf, worthOf } from './stake.ts';

const NET = UNET_PER_NET;
const DELEGATORS = ['bob', 'carol'] as const;
const POLICY = {
  operators: { ...DEVNET_POLICY.operators, unbondingDelay: { heights: 4, milliseconds: 400 } },
  // A vote must not outlast unbonding.
  governance: {
    ...DEVNET_POLICY.governance,
    votingPeriod: { heights: 4, milliseconds: 400 },
  },
  staking: {
    ...DEVNET_POLICY.staking,
    rewardInterval: { heights: 2, milliseconds: 200 },
    rewardPpm: 77_777,
  },
};

const step = fc.record({
  what: fc.constantFrom('delegate', 'delegate', 'undelegate', 'all', 'reward', 'evidence', 'wait'),
  who: fc.constantFrom(...DELEGATORS),
  amount: fc.integer({ min: 1, max: 90 * NET }),
  wait: fc.nat(5),
});

const stakeIn = (chain: TestChain, actorId: string): number =>
  stakeOf({ get: (name, id) => chain.record(name, id) }, actorId);

test('only evidence takes from a delegator, and every unet is accounted for', () => {
  const met = { grown: 0, slashed: 0, released: 0 };
  const play = fc.property(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => {
    const chain = readyToStake(standardChain(POLICY));
    const wealth = (id: string): number =>
      (chain.record('account', id)?.balance ?? 0) +
      stakeIn(chain, id) +
      [...chain.ledger.pairs()]
        .filter(([key]) => key.startsWith('unbonding/'))
        .map(([, text]) => JSON.parse(text) as { actorId: string; amount: number })
        .reduce((sum, { actorId, amount }) => sum + (actorId === id ? amount : 0), 0);
    for (const { what, who, amount, wait } of steps) {
      const before = DELEGATORS.map(wealth);
      if (what === 'delegate') {
        chain.act(who, 'delegate', { validatorId: VALIDATOR, amount });
      } else if (what === 'undelegate') {
        chain.act(who, 'undelegate', { validatorId: VALIDATOR, amount });
      } else if (what === 'all') {
        chain.act(who, 'undelegate', { validatorId: VALIDATOR });
      } else if (what === 'reward') {
        const payload = validatorHeartbeatOf(chain, VALIDATOR);
        chain.does(VALIDATOR, 'submitValidatorHeartbeat', payload);
      } else if (what === 'evidence' && amount % 3 === 0) {
        const height = 1_000 + chain.height;
        chain.act(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain, VALIDATOR, height));
      } else {
        chain.ledger.advance(wait, wait * 100);
        chain.block([]);
      }
      const { shares, delegated, faults } = chain.record('validator-candidate', VALIDATOR)!;
      for (const [i, id] of DELEGATORS.entries()) {
        const change = wealth(id) - before[i]!;
        // Rounding: less than a share, plus one unet.
        const rounding = 1 + (shares === 0 ? 1 : Math.ceil(delegated / shares));
        if (faults === 0) assert.ok(change >= -rounding, `${what} took ${-change} from ${id}`);
        if (what !== 'reward') assert.ok(change <= rounding, `${what} gave ${change} to ${id}`);
        if (change > rounding) met.grown += 1;
      }
      assert.ok(DELEGATORS.reduce((sum, id) => sum + stakeIn(chain, id), 0) <= delegated);
      met.slashed += Number(faults > 0);
    }
    // All leave, and the stake must be zero.
    for (const id of DELEGATORS) chain.act(id, 'undelegate', { validatorId: VALIDATOR });
    chain.ledger.advance(4, 400);
    chain.block([]);
    for (const id of DELEGATORS) chain.act(id, 'undelegate', { validatorId: VALIDATOR });
    chain.ledger.advance(4, 400);
    chain.block([]);
    assert.equal(chain.record('supply', 'stake'), 0);
    met.released += chain.record('cumulative-total', 'released') ?? 0;
    const replay = new MemoryLedger(chain.ledger.genesis);
    for (const { context, submissions, stateRoot: root } of chain.ledger.blocks) {
      replay.advance(context.height - replay.tip.height - 1, 0);
      replay.execute(submissions, context);
      assert.equal(replay.tip.stateRoot, root);
    }
    assert.equal(stateRoot(replay.pairs()), chain.ledger.tip.stateRoot);
  });
  fc.assert(play, { numRuns: runs(25), verbose: true });
  fc.assert(play, { numRuns: 25, seed: 42 });
  assert.ok(met.grown > 0 && met.slashed > 0 && met.released > 0, JSON.stringify(met));
});

test('no sequence of buying, redeeming and slashing lets shares take more than the pool has', () => {
  const move = fc.record({
    what: fc.constantFrom('buy', 'redeem', 'all', 'reward', 'slash'),
    who: fc.nat(3),
    amount: fc.oneof(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: TOTAL_SUPPLY / 4 }),
    ),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const pool = { delegated: 0, shares: 0 };
      const held = [0, 0, 0, 0];
      let faults = 0;
      for (const { what, who, amount } of moves) {
        const own = held[who]!;
        if (what === 'buy' && faults === 0 && pool.delegated + amount <= TOTAL_SUPPLY) {
          const shares = sharesFor(pool, amount);
          assert.ok(shares <= amount);
          if (shares === 0) continue;
          pool.delegated += amount;
          pool.shares += shares;
          held[who] = own + shares;
          assert.ok(worthOf(pool, shares) <= amount);
        } else if ((what === 'redeem' && amount <= worthOf(pool, own)) || (what === 'all' && own)) {
          const taken = redeem(pool, own, what === 'all' ? null : amount);
          assert.ok(taken.shares > 0 && taken.shares <= own);
          assert.ok(what === 'all' || taken.amount >= amount);
          assert.ok(taken.amount <= worthOf(pool, taken.shares));
          pool.delegated -= taken.amount;
          pool.shares -= taken.shares;
          held[who] = own - taken.shares;
        } else if (what === 'reward' && pool.shares > 0 && faults === 0) {
          pool.delegated += Math.min(amount, TOTAL_SUPPLY - pool.delegated);
        } else if (what === 'slash') {
          pool.delegated -= slashOf(pool.delegated);
          faults += 1;
        }
        assert.equal(
          pool.shares,
          held.reduce((sum, shares) => sum + shares, 0),
        );
        assert.equal(pool.delegated === 0, pool.shares === 0);
        const worth = held.reduce((sum, shares) => sum + worthOf(pool, shares), 0);
        assert.ok(worth <= pool.delegated && pool.shares <= TOTAL_SUPPLY);
      }
    }),
    { numRuns: runs(500), verbose: true },
  );
});
