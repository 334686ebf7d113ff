import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { envelopeViolations, publicKeyHash, type JsonObject } from '@netd/protocol';
import { effectiveCapabilities } from '../../authority.ts';
import { AGENT_BASE_SET, AGENT_POLICY_SET, GRANTS } from '../registry.ts';
import { accepted, refused, testKey, verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { withRules } from '../../testing/rules.ts';
import { OPERATOR, TestChain } from '../../testing/test-chain.ts';

describe('the shape of a registration:', () => {
  const violationsOf = (extra: JsonObject) =>
    envelopeViolations('registration', new TestChain().registration('dave', { extra }).envelope);
  const emoji = '🦊';

  test('a description has at most 280 code points', () => {
    for (const [description, fits] of [
      ['', true],
      ['a'.repeat(279), true],
      ['a'.repeat(280), true],
      [emoji.repeat(280), true],
      ['a'.repeat(281), false],
      [emoji.repeat(281), false],
    ] as const) {
      assert.equal(violationsOf({ description }) === null, fits, `${description.length} units`);
    }
  });
  test('an actorId is 2 to 64 letters, digits, dots, underscores or hyphens', () => {
    for (const [actorId, fits] of [
      ['a', false],
      ['ab', true],
      ['a'.repeat(64), true],
      ['a'.repeat(65), false],
      ['0._-', true],
      ['-ab', false],
      ['.ab', false],
      ['a b', false],
      ['ab\n', false],
      ['net:faucet', false],
      ['a/b', false],
      ['ägent', false],
      ['__proto__', false],
      ['constructor', true],
    ] as const) {
      assert.equal(violationsOf({ actorId }) === null, fits, JSON.stringify(actorId));
    }
  });
  test('a nonce has 1 to 128 code points', () => {
    for (const [nonce, fits] of [
      ['', false],
      ['n', true],
      ['n'.repeat(128), true],
      [emoji.repeat(128), true],
      ['n'.repeat(129), false],
    ] as const) {
      assert.equal(violationsOf({ nonce }) === null, fits, `${nonce.length} units`);
    }
  });
});

describe('a registration', () => {
  test('makes authority, agent, key and account, and counts', () => {
    const chain = new TestChain();
    const key = testKey('alice');
    const events = accepted(chain.register('alice', { description: 'translates' }));
    assert.deepEqual(events, [
      {
        type: 'AgentRegistered',
        data: { agentId: 'alice', publicKeyHash: key.publicKeyHash, referrerAgentId: null },
      },
    ]);
    assert.deepEqual(chain.record('authority', 'alice'), {
      actorId: 'alice',
      publicKey: key.publicKey,
      publicKeyHash: key.publicKeyHash,
      roles: ['AGENT'],
      capabilities: [],
      active: true,
    });
    assert.deepEqual(chain.record('agent', 'alice'), {
      agentId: 'alice',
      description: 'translates',
      status: 'active',
      referrerAgentId: null,
      registeredAt: { height: 1, index: 0 },
    });
    assert.deepEqual(chain.record('key', key.rawHex), { actorId: 'alice' });
    assert.deepEqual(chain.record('account', 'alice'), {
      accountId: 'alice',
      balance: 0,
      faucetReceived: 0,
    });
    assert.equal(chain.record('counter', 'agents'), 1);
    assert.equal(chain.record('counter', 'active-agents'), 1);
    assert.equal(chain.record('referral', 'alice'), undefined);
  });
  test('records its referrer as pending', () => {
    const chain = new TestChain().join(['alice']);
    const events = accepted(chain.register('dave', { referrerAgentId: 'alice' }));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['AgentRegistered', 'ReferralRecorded'],
    );
    assert.deepEqual(events[1]?.data, {
      agentId: 'dave',
      referrerAgentId: 'alice',
      status: 'pending',
    });
    assert.deepEqual(chain.record('referral', 'dave'), {
      agentId: 'dave',
      referrerAgentId: 'alice',
      status: 'pending',
      registeredAt: { height: 2, index: 0 },
      qualifyingTransitionHash: null,
      qualifyingOrderId: null,
    });
    assert.equal(chain.record('counter', 'referrals'), 1);
  });
  test('may name a referrer that registered earlier in the same block, but not later', () => {
    const chain = new TestChain();
    const alice = chain.registration('alice');
    const dave = chain.registration('dave', { referrerAgentId: 'alice' });
    assert.deepEqual(chain.block([dave, alice, dave]).map(verdictOf), [
      'REFERRER_UNKNOWN',
      'accepted',
      'accepted',
    ]);
    assert.deepEqual(chain.record('agent', 'dave')?.registeredAt, { height: 1, index: 1 });
  });
  test('of one name is won by the first in the block', () => {
    const chain = new TestChain();
    const both = [chain.registration('dave'), chain.registration('dave', { key: testKey('erin') })];
    assert.deepEqual(chain.block(both).map(verdictOf), ['accepted', 'AGENT_EXISTS']);
    assert.equal(chain.record('authority', 'dave')?.publicKey, testKey('dave').publicKey);
    assert.equal(chain.record('key', testKey('erin').rawHex), undefined);
  });
  test('of one key under two spellings of its PEM is refused', () => {
    const chain = new TestChain().join(['alice']);
    const { publicKey, sign } = testKey('alice');
    const crlf = publicKey.replaceAll('\n', '\r\n');
    const key = { publicKey: crlf, publicKeyHash: publicKeyHash(crlf), sign };
    refused(chain, chain.registration('dave', { key }), 'KEY_ALREADY_REGISTERED');
  });
  test('verified on arrival is not verified again, unless it was with another key', () => {
    const chain = new TestChain();
    const broken = chain.registration('dave', { key: { ...testKey('dave'), sign: () => 'none' } });
    const verifiedWith = testKey('dave').publicKey;
    refused(chain, { ...broken, verifiedWith: testKey('erin').publicKey }, 'SIGNATURE_INVALID');
    assert.equal(verdictOf(chain.submit({ ...broken, verifiedWith })), 'accepted');
  });
});

describe('extendAgentCapabilities', () => {
  test('restores expired actions, so that stake can be withdrawn', () => {
    const chain = standardChain();
    chain.install('erin', 'AGENT', {
      capabilities: [{ action: 'undelegate', expiresAtHeight: chain.height + 10 }],
    });
    const payload = { agentId: 'erin', actions: ['undelegate'] };
    const extend = () => chain.intent('erin', 'extendAgentCapabilities', payload);
    refused(chain, extend(), 'CAPABILITIES_UNCHANGED');
    chain.ledger.advance(10);
    accepted(chain.submit(extend()));
    assert.deepEqual(chain.record('authority', 'erin')?.capabilities, [
      { action: 'undelegate', agentId: 'erin' },
    ]);
  });
  test('takes at least one action, each of the policy set, none twice', () => {
    const chain = standardChain();
    for (const actions of [
      [],
      ['setAgentStatus'],
      ['*'],
      ['faucet', 'faucet'],
      [...AGENT_POLICY_SET, 'faucet'],
      'faucet',
      [1],
    ]) {
      const payload = { agentId: 'alice', actions } as JsonObject;
      refused(chain, chain.intent('alice', 'extendAgentCapabilities', payload), 'PAYLOAD_INVALID');
    }
  });
  test('adds missing actions, bound to the agent and in a fixed order', () => {
    const chain = new TestChain().join(['alice']);
    const payload = { agentId: 'alice', actions: ['transfer', 'publishBeacon', 'faucet'] };
    assert.deepEqual(accepted(chain.act('alice', 'extendAgentCapabilities', payload)), [
      {
        type: 'AgentCapabilitiesExtended',
        data: { agentId: 'alice', actions: ['faucet', 'transfer'] },
      },
    ]);
    assert.deepEqual(chain.record('authority', 'alice')?.capabilities, [
      { action: 'faucet', agentId: 'alice' },
      { action: 'transfer', agentId: 'alice' },
    ]);
  });
  test('can take the whole policy set at once, the base set stays with the role', () => {
    const chain = withRules(new TestChain()).join(['alice']);
    chain.does('alice', 'extendAgentCapabilities', {
      agentId: 'alice',
      actions: [...AGENT_POLICY_SET],
    });
    const authority = chain.record('authority', 'alice')!;
    const held = effectiveCapabilities(authority, GRANTS).map(({ action }) => action);
    assert.equal(authority.capabilities.length, AGENT_POLICY_SET.length - AGENT_BASE_SET.length);
    assert.deepEqual(new Set(held), new Set(AGENT_POLICY_SET));
  });
});

describe('setAgentStatus', () => {
  const setStatus = (chain: TestChain, status: string, reason?: string) =>
    accepted(
      chain.act(OPERATOR, 'setAgentStatus', {
        agentId: 'alice',
        status,
        ...(reason === undefined ? {} : { reason }),
      }),
    );

  test('suspends, lets act again, and retires, with authority and counter in step', () => {
    const chain = standardChain();
    for (const [from, to, active] of [
      ['active', 'suspended', 2],
      ['suspended', 'active', 3],
      ['active', 'retired', 2],
    ] as const) {
      assert.deepEqual(setStatus(chain, to, 'a reason'), [
        {
          type: 'AgentStatusChanged',
          data: { agentId: 'alice', operatorId: OPERATOR, from, to, reason: 'a reason' },
        },
      ]);
      assert.equal(chain.record('agent', 'alice')?.status, to);
      assert.equal(chain.record('authority', 'alice')?.active, to === 'active');
      assert.equal(chain.record('counter', 'active-agents'), active);
      assert.equal(chain.record('counter', 'agents'), 3);
    }
  });
  test('retires a suspended agent without counting it twice', () => {
    const chain = standardChain();
    setStatus(chain, 'suspended');
    setStatus(chain, 'retired');
    assert.equal(chain.record('counter', 'active-agents'), 2);
    refused(
      chain,
      chain.intent(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'retired' }),
      'AGENT_STATUS_UNCHANGED',
    );
  });
  test('knows three statuses and a reason of at most 280 code points', () => {
    const chain = standardChain();
    for (const payload of [
      { agentId: 'alice', status: 'deleted' },
      { agentId: 'alice', status: 'suspended', reason: '🦊'.repeat(281) },
      { agentId: 'alice' },
    ]) {
      refused(chain, chain.intent(OPERATOR, 'setAgentStatus', payload), 'PAYLOAD_INVALID');
    }
    setStatus(chain, 'suspended', '🦊'.repeat(280));
  });
  test('takes effect for the rest of the block', () => {
    const chain = standardChain();
    const outcomes = chain.block([
      chain.intent('alice', 'faucet', { amount: 1 }),
      chain.intent(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'suspended' }),
      chain.intent('alice', 'faucet', { amount: 1 }),
    ]);
    assert.deepEqual(outcomes.map(verdictOf), ['accepted', 'accepted', 'AUTHORITY_INACTIVE']);
  });
});
