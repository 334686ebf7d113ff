import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import {
  compileSchema,
  GenesisPolicy,
  ProtectiveDelay,
  speaksForNetwork,
  type JsonObject,
} from '@netd/protocol';
import type { TSchema } from '@netd/protocol/type';
import { CLASS_NAMES } from './accounting-classes.ts';
import { actionIn, ACTIONS, GRANTS, grantsIn } from './actions/registry.ts';
import type { Outcome } from './block-execution.ts';
import { ROLES } from './capability.ts';
import { forkState } from './fork-state.ts';
import { DEVNET_POLICY } from './genesis.ts';
import type { RuleErrorData } from './rule-error.ts';
import { StateOverlay } from './state.ts';
import {
  earlyMemberOf,
  NEWEST_RULES,
  policyOf,
  Rules,
  RULES_VERSIONS,
  rulesAt,
  UnknownRulesError,
} from './rules.ts';
import { accepted } from './testing/expectations.ts';
import { forkOf } from './testing/fork.ts';
import { ARTIFACT, decided, scheduled, withRules } from './testing/rules.ts';
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

describe('a version that adds members to the policy', () => {
  const fallback = { heights: 1, milliseconds: 1 };
  const chosen = { heights: 7, milliseconds: 7 };
  /** Makes version 2 add a member that no version has, and whose schema is another one's. */
  const withMember = (t: TestContext): void => {
    const version = RULES_VERSIONS[1]! as { policy?: object | undefined };
    const { properties } = GenesisPolicy as { properties: Record<string, TSchema> };
    const { policy } = version;
    t.after(() => {
      delete properties['appeals'];
      version.policy = policy;
    });
    properties['appeals'] = ProtectiveDelay;
    version.policy = { ...policy, appeals: fallback };
  };
  const appealsOf = (policy: unknown) => (policy as { appeals?: unknown }).appeals;

  test('writes them at its first height: those of the schedule if they are valid, else defaults', (t) => {
    withMember(t);
    for (const [values, expected] of [
      [{ appeals: chosen, other: 5 }, chosen],
      [{ appeals: 'soon' }, fallback],
      [{}, fallback],
    ] as const) {
      const chain = decided(scheduled(new TestChain(), { policy: values }));
      const { appeals: _, ...before } = chain.record('policy', 'limits') as JsonObject;
      assert.equal(_, undefined);
      chain.block([]);
      assert.deepEqual(chain.record('policy', 'limits'), {
        ...before,
        ...RULES_VERSIONS[1]?.policy,
        appeals: expected,
      });
    }
  });

  test('gives defaults to a genesis and to a fork that leave them out', (t) => {
    withMember(t);
    const chain = new TestChain({ genesis: (genesis) => ({ ...genesis, rules: 2 }) });
    assert.deepEqual(appealsOf(chain.record('policy', 'limits')), fallback);
    const genesis = forkOf(chain, DEVNET_POLICY);
    const base = { get: (key: string) => chain.ledger.get(key) };
    const fork = forkState(genesis, base, ['validator-1']);
    assert.deepEqual(appealsOf(fork.get('policy', 'limits')), fallback);
    assert.equal(appealsOf(policyOf({ ...genesis.policy, appeals: chosen } as never, 2)), chosen);
  });

  test('refuses them in a genesis of an earlier version', (t) => {
    withMember(t);
    const policy = { ...DEVNET_POLICY, appeals: chosen };
    assert.match(earlyMemberOf(policy, 1) ?? '', /policy.appeals needs version 2/);
    assert.equal(earlyMemberOf(policy, 2), null);
  });

  test('has defaults that fit the schema, of members that GenesisPolicy may leave out', () => {
    for (const { policy = {} } of RULES_VERSIONS) {
      for (const name of Object.keys(policy)) {
        assert.ok(!GenesisPolicy.required.includes(name as never), name);
      }
      assert.equal(compileSchema(GenesisPolicy)({ ...DEVNET_POLICY, ...policy }), null);
    }
  });
});

test('names of roles and of classes of accounts speak for the network, except for agents and humans', () => {
  const names = [...ROLES, ...CLASS_NAMES].filter((name) => !speaksForNetwork(name));
  assert.deepEqual(names, ['AGENT', 'HUMAN']);
});
