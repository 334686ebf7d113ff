import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UNET_PER_NET } from '@netd/protocol';
import { testKey, workOrderOf } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { BUILD_HASH, released } from '../../testing/contributions.ts';
import { accepted, refused, verdictOf } from '../../testing/expectations.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import {
  announcement,
  ARTIFACT,
  decided,
  scheduled,
  scheduleIn,
  scheduleOf,
  withRules,
} from '../../testing/rules.ts';
import { OPERATOR, TestChain } from '../../testing/test-chain.ts';
import { changingChain, FOUNDERS } from '../../testing/validators.ts';
import { opened, orderIn, resultOf } from '../../testing/work.ts';
import { rulesOf } from '../work/order.ts';

const lastEvents = (chain: TestChain) =>
  chain.ledger.blocks.at(-1)!.events.map(({ type, data }) => [type, data]);

const announced = (chain: TestChain, count: number): TestChain => {
  for (const validatorId of FOUNDERS.slice(0, count)) {
    chain.does(validatorId, 'announceRules', announcement(validatorId));
  }
  return chain;
};

/** Terms longer than the tests, unless they say otherwise. */
const longTerms = (members: { termHeights?: number } = {}): TestChain =>
  changingChain({
    rules: { termHeights: 20, ...members },
    policy: {
      governance: { ...DEVNET_POLICY.governance, timelock: { heights: 8, milliseconds: 15_000 } },
    },
  });

describe('on a fixed set, scheduled rules', () => {
  test('take effect at their height, without a word of the validators', () => {
    const chain = scheduled(standardChain());
    const { height } = scheduleIn(chain);
    decided(chain);
    assert.deepEqual(chain.record('rules', 'active'), {
      artifactHash: ARTIFACT,
      fromHeight: height,
      previousVersion: 1,
      version: 2,
    });
    chain.block([]);
    assert.equal(chain.height, height);
    assert.deepEqual(lastEvents(chain), [
      ['RulesActivated', { artifactHash: ARTIFACT, height, rulesVersion: 2 }],
    ]);
    assert.equal(chain.record('rules-schedule', 'next'), undefined);
  });

  test('decide about an envelope that arrived before them, from their first block on', () => {
    const chain = decided(scheduled(standardChain()));
    const { genesisHash } = chain.record('chain', 'identity')!;
    const options = { extra: { genesisHash } };
    const intent = chain.intent('alice', 'faucet', { amount: 1 }, options);
    const name = chain.registration('verifier-1');
    assert.deepEqual(chain.block([intent, name]).map(verdictOf), ['accepted', 'NAME_RESERVED']);
  });

  test('wait for their minimum time, and are abandoned after three postponements', () => {
    const chain = scheduled(standardChain());
    chain.block([], 10);
    for (let postponements = 1; postponements <= 3; postponements++) {
      const { height } = scheduleIn(chain);
      chain.ledger.advance(height - 1 - chain.height - 1, 1);
      chain.block([], 10);
      assert.deepEqual(lastEvents(chain), [
        ['RulesPostponed', { artifactHash: ARTIFACT, height: height + 1_000, rulesVersion: 2 }],
      ]);
      assert.equal(scheduleIn(chain).postponements, postponements);
    }
    const { height } = scheduleIn(chain);
    chain.ledger.advance(height - 1 - chain.height - 1, 1);
    chain.block([], 10);
    assert.deepEqual(lastEvents(chain), [
      ['RulesAbandoned', { artifactHash: ARTIFACT, height, rulesVersion: 2 }],
    ]);
    assert.equal(chain.record('rules-schedule', 'next'), undefined);
    assert.equal(chain.record('rules', 'active'), undefined);
  });

  test('can be cancelled and scheduled again', () => {
    const chain = scheduled(standardChain());
    const { height } = scheduleIn(chain);
    assert.deepEqual(accepted(chain.act(OPERATOR, 'cancelRules', { version: 2 })), [
      {
        type: 'RulesCancelled',
        data: { actorId: OPERATOR, artifactHash: ARTIFACT, height, rulesVersion: 2 },
      },
    ]);
    scheduled(chain);
  });

  test('can come from a release that both chambers enacted, and its governor can cancel', () => {
    const release = { releaseId: 'r-1', artifactHash: BUILD_HASH };
    const [version1, version2] = [standardChain(), withRules(standardChain())];
    for (const [chain, version] of [
      [released(version1), 2],
      [released(version2, { rulesVersion: 4 }), 4],
    ] as const) {
      const schedule = scheduleOf(chain, { ...release, version });
      const [event] = accepted(chain.act('alice', 'scheduleRules', schedule));
      assert.deepEqual([event?.type, event?.data['releaseId']], ['RulesScheduled', 'r-1']);
      chain.does('alice', 'cancelRules', { version });
    }
  });
});

describe('on a set that changes, scheduled rules', () => {
  test('take effect with announcements of a quorum', () => {
    const chain = announced(scheduled(longTerms()), 3);
    decided(chain).block([]);
    assert.equal(chain.record('rules', 'active')?.version, 2);
  });

  test('are postponed by a term with less', () => {
    const chain = announced(scheduled(longTerms()), 2);
    const { height } = scheduleIn(chain);
    decided(chain);
    assert.deepEqual(lastEvents(chain), [
      ['RulesPostponed', { artifactHash: ARTIFACT, height: height + 20, rulesVersion: 2 }],
    ]);
    assert.deepEqual(scheduleIn(chain).readyIds, FOUNDERS.slice(0, 2));
  });

  test('are postponed if a validator withdraws in the block before the deciding one', () => {
    const chain = announced(scheduled(longTerms()), 3);
    const { height } = scheduleIn(chain);
    while (chain.height < height - 3) chain.block([]);
    const withdrawal = announcement('val-b', { withdraw: true });
    assert.deepEqual(accepted(chain.act('val-b', 'announceRules', withdrawal)), [
      {
        type: 'RulesReadinessWithdrawn',
        data: { artifactHash: ARTIFACT, rulesVersion: 2, validatorId: 'val-b' },
      },
    ]);
    decided(chain);
    assert.deepEqual(
      lastEvents(chain).map(([type]) => type),
      ['RulesPostponed'],
    );
    assert.deepEqual(scheduleIn(chain).readyIds, ['val-a', 'val-c']);
    chain.does('val-b', 'announceRules', announcement('val-b'));
    assert.deepEqual(scheduleIn(chain).readyIds, ['val-a', 'val-c', 'val-b']);
  });

  test('are decided by the set that signs their first block', () => {
    const chain = longTerms({ termHeights: 14 });
    chain.join(['bob']).fund('bob', 100_000 * UNET_PER_NET);
    chain.does('bob', 'extendAgentCapabilities', { agentId: 'bob', actions: ['delegate'] });
    // The first term ends with the block that decides.
    scheduled(chain, { height: 16 });
    announced(chain, 3);
    chain.does('bob', 'delegate', { validatorId: 'val-d', amount: 50_000 * UNET_PER_NET });
    decided(chain);
    const types = chain.ledger.blocks.at(-1)!.events.map(({ type }) => type);
    assert.deepEqual(types, ['ValidatorSetChanged', 'RulesPostponed']);
  });

  test('count announcements of one release only', () => {
    const chain = announced(scheduled(longTerms()), 3);
    chain.does(OPERATOR, 'cancelRules', { version: 2 });
    scheduled(chain);
    assert.deepEqual(scheduleIn(chain).readyIds, []);
  });
});

describe('version 2', () => {
  test('leaves names with another word free', () => {
    const names = new Map([
      ['ada-verifier-1', true],
      ['agent-1', true],
      ['human-2', true],
      ['rooted', true],
      ['verifier-1', false],
      ['Network.Admin', false],
      ['support-agent', false],
    ]);
    for (const [name, isFree] of names) {
      const outcome = withRules(standardChain()).register(name);
      assert.equal(verdictOf(outcome), isFree ? 'accepted' : 'NAME_RESERVED', name);
    }
  });

  test('accepts a rotation whose new key signed the genesis hash', () => {
    const chain = withRules(standardChain());
    const { genesisHash } = chain.record('chain', 'identity')!;
    accepted(chain.submit(chain.rotation('alice', testKey('alice 2'), {}, { genesisHash })));
    refused(chain, chain.intent('alice', 'faucet', { amount: 1 }), 'SIGNATURE_INVALID');
  });
});

describe('a work order', () => {
  test('keeps the rules of its creation, whatever the block has', () => {
    const chain = opened(new TestChain().join(['alice', 'bob']));
    assert.equal(rulesOf(orderIn(chain)).version, 1);
    assert.ok(!('rulesVersion' in orderIn(chain)), 'version 1 writes no other bytes');
    decided(scheduled(chain)).block([]);
    chain.does('alice', 'createWorkOrder', workOrderOf('o-2'));
    for (const orderId of ['o-1', 'o-2']) {
      chain.does('bob', 'acceptWork', { orderId, agentId: 'bob' });
      chain.does('bob', 'submitWorkResult', resultOf(orderId));
    }
    const [old, young] = [orderIn(chain), orderIn(chain, 'o-2')];
    assert.deepEqual([rulesOf(old).version, rulesOf(young).version], [1, 2]);
  });
});
