import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { Type } from '@netd/protocol/type';
import { actionIn, ACTIONS, GRANTS, grantsIn } from './actions/registry.ts';
import type { Outcome } from './block-execution.ts';
import { DEVNET_POLICY } from './genesis.ts';
import type { RuleErrorData } from './rule-error.ts';
import { StateOverlay } from './state.ts';
import { grownPolicy, NEWEST_RULES, Rules, rulesAt, UnknownRulesError } from './rules.ts';
import { accepted } from './testing/expectations.ts';
import { ARTIFACT, withRules } from './testing/rules.ts';
import { grantOf } from './testing/sessions.ts';
import { OPERATOR, TestChain } from './testing/test-chain.ts';

describe('the rules of a height', () => {
  const stateOf = (chain: TestChain) => new StateOverlay(chain.ledger);

  test('have version 1 without a leaf, and the version of genesis with one', () => {
    const old = new TestChain();
    assert.equal(rulesAt(stateOf(old), 1).version, 1);
    const young = new TestChain({ genesis: (genesis) => ({ ...genesis, rules: 2 }) });
    assert.equal(rulesAt(stateOf(young), 0).version, 2);
  });

  test('are the previous ones before the first height of the active version', () => {
    const chain = new TestChain();
    const active = { artifactHash: ARTIFACT, fromHeight: 5, previousVersion: 1, version: 2 };
    chain.ledger.seed('rules', 'active', active);
    assert.deepEqual(
      [4, 5, 6].map((height) => rulesAt(stateOf(chain), height).version),
      [1, 2, 2],
    );
  });

  test('stop execution if this code lacks them, and name the release', () => {
    const chain = new TestChain();
    const version = NEWEST_RULES + 1;
    const active = { artifactHash: ARTIFACT, fromHeight: 2, previousVersion: 1, version };
    chain.ledger.seed('rules', 'active', active);
    chain.block([]);
    assert.throws(
      () => chain.block([]),
      (error) => error instanceof UnknownRulesError && error.message.includes(ARTIFACT),
    );
    assert.equal(chain.height, 1);
  });
});

/** Returns the span of an action, which a test may change. */
function spanOf(t: TestContext, name: string): { since?: number; until?: number } {
  const span = ACTIONS.get(name) as { since?: number; until?: number };
  t.after(() => {
    delete span.since;
    delete span.until;
  });
  return span;
}

function notActive(outcome: Outcome, sentence: RegExp): RuleErrorData {
  assert.ok(!outcome.ok);
  assert.equal(outcome.refusal.code, 'RULES_NOT_ACTIVE');
  assert.match(outcome.refusal.data.message ?? '', sentence);
  return outcome.refusal.data;
}

describe('spans', () => {
  test('include their first and last version', () => {
    const versions = [1, 2, 3, 4].map((version) => new Rules(version));
    const having = (span: { since?: number; until?: number }) =>
      versions.filter((rules) => rules.have(span)).map(({ version }) => version);
    assert.deepEqual(having({}), [1, 2, 3, 4]);
    assert.deepEqual(having({ since: 2, until: 3 }), [2, 3]);
    assert.deepEqual(having({ until: 1 }), [1]);
  });

  test('give each version the grants of its actions', () => {
    for (let version = 1; version <= NEWEST_RULES; version++) {
      const rules = new Rules(version);
      const known = [...GRANTS.policy].filter((name) => actionIn(name, rules) !== undefined);
      assert.deepEqual([...grantsIn(rules).policy], known);
    }
  });

  test('hide an action from versions without it, and the refusal names the version that has it', (t) => {
    const span = spanOf(t, 'faucet');
    span.since = 2;
    assert.equal(actionIn('faucet', new Rules(1)), undefined);
    assert.equal(actionIn('faucet', new Rules(2)), span);
    const chain = new TestChain();
    notActive(chain.act(OPERATOR, 'faucet', { amount: 1 }), /needs version 2 .* has version 1/);
    delete span.since;
    accepted(chain.act(OPERATOR, 'faucet', { amount: 1 }));
    span.until = 1;
    const later = new TestChain({ genesis: (genesis) => ({ ...genesis, rules: 2 }) });
    notActive(later.act(OPERATOR, 'faucet', { amount: 1 }), /version 1 .* was the last with it/);
  });

  test('keep an action of another version out of capabilities and sessions', (t) => {
    spanOf(t, 'createToken').since = 2;
    const add = (chain: TestChain) =>
      chain.act('alice', 'extendAgentCapabilities', {
        agentId: 'alice',
        actions: ['transfer', 'createToken'],
      });
    const lend = (chain: TestChain) =>
      chain.submit(grantOf(chain, 'alice', 's-1', { members: { actions: ['createToken'] } }));
    const old = new TestChain().join(['alice']);
    const { path } = notActive(add(old), /needs version 2/);
    assert.equal(path, '/payload/actions/1');
    notActive(lend(old), /needs version 2/);
    const young = withRules(new TestChain()).join(['alice']);
    accepted(add(young));
    accepted(lend(young));
  });
});

test('a version adds members to the policy, with the values of the schedule if they are valid', () => {
  const member = (fallback: number) => ({
    schema: Type.Integer({ minimum: 1 }),
    default: fallback,
  });
  const versions = [
    { name: 'one', changes: [] },
    { name: 'two', changes: [], policy: { slow: member(1), fast: member(2) } },
    { name: 'three', changes: [], policy: { late: member(3) } },
  ];
  const values = { slow: 7, fast: 0, other: 5 };
  const grown = (from: number, to: number) =>
    grownPolicy(DEVNET_POLICY, { from, to, values }, versions);
  assert.deepEqual(grown(1, 3), { ...DEVNET_POLICY, slow: 7, fast: 2, late: 3 });
  assert.deepEqual(grown(2, 3), { ...DEVNET_POLICY, late: 3 });
  assert.equal(grown(1, 1), DEVNET_POLICY);
});
