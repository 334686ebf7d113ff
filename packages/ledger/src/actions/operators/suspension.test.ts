import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNET_PER_NET } from '@netd/protocol';
import type { ApplicationRole } from '../../capability.ts';
import type { CounterName } from '../../counter-names.ts';
import { refused } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { evidenceOf } from '../../testing/staking.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import { StateOverlay } from '../../state.ts';
import { rosterOf } from './verifier-roster.ts';
import { validatorRoster } from './validator-roster.ts';

const setStatus = (chain: TestChain, status: string): TestChain =>
  chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status });

const ROLES = {
  VERIFIER: ['active-verifiers', 'verifier-groups'],
  VALIDATOR: [
    'active-validator-candidates',
    'eligible-validator-candidates',
    'validator-fault-domains',
  ],
  RUNTIME_PROVIDER: ['active-runtime-providers', 'provider-fault-domains'],
  AUDITOR: ['active-auditors', 'auditor-groups'],
} as const satisfies Partial<Record<ApplicationRole, readonly CounterName[]>>;

const counted = (chain: TestChain): number[] =>
  Object.values(ROLES).flatMap((names) => names.map((name) => chain.record('counter', name) ?? 0));
const rosters = (chain: TestChain): number[] => {
  const state = new StateOverlay(chain.ledger);
  return [rosterOf(state).length, validatorRoster(state).length];
};

function everyRole(): TestChain {
  const chain = standardChain().fund('alice', 2_000 * UNET_PER_NET);
  for (const role of Object.keys(ROLES) as (keyof typeof ROLES)[]) chain.install('alice', role);
  return chain;
}

test('a suspended member counts in no gate and in no roster, and comes back to all of them', () => {
  const chain = everyRole();
  const before = counted(chain);
  assert.deepEqual(before, [1, 1, 1, 1, 1, 1, 1, 1, 1]);
  setStatus(chain, 'suspended');
  assert.deepEqual(counted(chain), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(rosters(chain), [0, 0]);
  const bonds = chain.record('account', 'net:bonds')?.balance;
  setStatus(chain, 'active');
  assert.deepEqual(counted(chain), before);
  assert.deepEqual(rosters(chain), [1, 1]);
  assert.equal(chain.record('account', 'net:bonds')?.balance, bonds);
  assert.equal(chain.record('suspension', 'alice'), undefined);
});

for (const end of ['retired', 'revoked']) {
  test(`a suspended member that is ${end} is counted out once`, () => {
    const chain = setStatus(everyRole(), 'suspended');
    if (end === 'retired') setStatus(chain, 'retired');
    else chain.does(OPERATOR, 'revokeAuthority', { actorId: 'alice' });
    assert.deepEqual(counted(chain), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert.equal(chain.record('suspension', 'alice'), undefined);
    const back = chain.intent(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'active' });
    refused(chain, back, 'AGENT_RETIRED');
  });
}

test('a validator candidate with a proven fault comes back, but not into the roster', () => {
  const chain = everyRole();
  chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain, 'alice'));
  assert.deepEqual(rosters(chain), [1, 0]);
  setStatus(setStatus(chain, 'suspended'), 'active');
  assert.equal(chain.record('counter', 'active-validator-candidates'), 1);
  assert.equal(chain.record('counter', 'eligible-validator-candidates') ?? 0, 0);
  assert.deepEqual(rosters(chain), [1, 0]);
});

test('an agent without an office is suspended without a trace in the registries', () => {
  const chain = setStatus(standardChain(), 'suspended');
  assert.equal(chain.record('suspension', 'alice'), undefined);
  setStatus(chain, 'active');
  assert.deepEqual(counted(chain), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
});
