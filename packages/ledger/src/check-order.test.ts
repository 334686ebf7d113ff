import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode, JsonObject } from '@netd/protocol';
import { beaconOf } from '@netd/protocol/testing';
import { ACTIONS } from './actions/registry.ts';
import type { AuthorityRecord } from './chain-records.ts';
import { refused, testKey, torsionKey, verdictOf, type TestKey } from './testing/index.ts';
import { faucetPolicy, standardChain } from './testing/refusals/case.ts';
import { withRules } from './testing/rules.ts';
import { OPERATOR, type TestChain } from './testing/test-chain.ts';

/** An unsigned intent; each fault spoils one thing. */
interface Draft {
  chain: TestChain;
  actorId: string;
  authority: Partial<AuthorityRecord>;
  key: Pick<TestKey, 'sign'>;
  options: { chainId?: string; expiresAtHeight?: number; nonce?: string };
  action: string;
  payload: JsonObject;
}

type Fault<T> = readonly [code: ErrorCode, spoil: (draft: T) => void];

/** In the required order of detection. */
const FAULTS: readonly Fault<Draft>[] = [
  ['ACTOR_UNKNOWN', (draft) => (draft.actorId = 'nobody')],
  ['SIGNATURE_INVALID', (draft) => (draft.key = testKey('mallory'))],
  ['AUTHORITY_INACTIVE', (draft) => (draft.authority.active = false)],
  ['CHAIN_ID_MISMATCH', (draft) => (draft.options.chainId = 'net-elsewhere-1')],
  ['INTENT_EXPIRED', (draft) => (draft.options.expiresAtHeight = draft.chain.height)],
  ['NONCE_REPLAYED', (draft) => (draft.options.nonce = 'spent')],
  ['ACTION_UNKNOWN', (draft) => (draft.action = 'publishNothing')],
  ['CAPABILITY_MISSING', (draft) => (draft.authority.capabilities = [])],
  ['ROLE_MISSING', (draft) => (draft.authority.roles = ['VERIFIER'])],
  ['PAYLOAD_INVALID', (draft) => (draft.payload = { ...draft.payload, extra: 1 })],
  ['ACTOR_MISMATCH', (draft) => (draft.payload = { ...draft.payload, agentId: 'bob' })],
  ['BEACON_EXPIRED', (draft) => (draft.payload = { ...draft.payload, expiresAtHeight: 0 })],
];

/** The verdict on a beacon with these faults. */
function verdictWith(faults: readonly Fault<Draft>[]): string {
  const chain = standardChain();
  const allowed: Partial<AuthorityRecord> = {
    roles: ['OPERATOR'],
    capabilities: [{ action: 'publishBeacon' }],
  };
  chain.seedAuthority('olga', allowed);
  chain.does('olga', 'publishBeacon', beaconOf('olga', chain.height), { nonce: 'spent' });
  const draft: Draft = {
    chain,
    actorId: 'olga',
    authority: { ...allowed },
    key: testKey('olga'),
    options: {},
    action: 'publishBeacon',
    payload: beaconOf('olga', chain.height, { sequence: 2 }),
  };
  for (const [, spoil] of faults) spoil(draft);
  chain.seedAuthority('olga', draft.authority);
  const { actorId, action, payload, options, key } = draft;
  return verdictOf(chain.submit(chain.intent(actorId, action, payload, { ...options, key })));
}

describe('an intent with two faults is refused for the earlier one:', () => {
  FAULTS.forEach((earlier, i) => {
    for (const later of FAULTS.slice(i + 1)) {
      test(`${earlier[0]} before ${later[0]}`, () => {
        assert.equal(verdictWith([later, earlier]), earlier[0]);
      });
    }
  });
});

test('EXPIRY_TOO_FAR is found after CHAIN_ID_MISMATCH and before NONCE_REPLAYED', () => {
  const tooFar: Fault<Draft> = [
    'EXPIRY_TOO_FAR',
    ({ chain, options }) => (options.expiresAtHeight = chain.height + 5_001),
  ];
  const [chainId, nonce] = [FAULTS[3]!, FAULTS[5]!];
  assert.equal(verdictWith([tooFar]), 'EXPIRY_TOO_FAR');
  assert.equal(verdictWith([tooFar, chainId]), 'CHAIN_ID_MISMATCH');
  assert.equal(verdictWith([tooFar, nonce]), 'EXPIRY_TOO_FAR');
});

test('without a fault the same intent is accepted, and with each alone refused for it', () => {
  assert.equal(verdictWith([]), 'accepted');
  for (const fault of FAULTS) assert.equal(verdictWith([fault]), fault[0]);
});

describe('a capability is looked at for expiry, agent and amount, before role and payload:', () => {
  const bounds = {
    expired: { expiresAtHeight: 1 },
    agent: { agentId: 'bob' },
    amount: { maxAmount: 1 },
  };
  const verdict = (
    capability: { expiresAtHeight?: number; agentId?: string; maxAmount?: number },
    roles: AuthorityRecord['roles'] = ['VERIFIER'],
  ): string => {
    const chain = standardChain();
    chain.seedAuthority('vera', { roles, capabilities: [{ action: 'faucet', ...capability }] });
    // agentId binds the capability here, although the schema rejects it later.
    const payload = { amount: 2, agentId: 'vera' };
    return verdictOf(chain.act('vera', 'faucet', payload));
  };
  test('CAPABILITY_EXPIRED before CAPABILITY_AGENT_MISMATCH', () => {
    assert.equal(verdict({ ...bounds.expired, ...bounds.agent }), 'CAPABILITY_EXPIRED');
  });
  test('CAPABILITY_AGENT_MISMATCH before CAPABILITY_AMOUNT_EXCEEDED', () => {
    assert.equal(verdict({ ...bounds.agent, ...bounds.amount }), 'CAPABILITY_AGENT_MISMATCH');
  });
  test('CAPABILITY_AMOUNT_EXCEEDED before ROLE_MISSING', () => {
    assert.equal(verdict(bounds.amount), 'CAPABILITY_AMOUNT_EXCEEDED');
  });
  test('ROLE_MISSING before PAYLOAD_INVALID', () => {
    assert.equal(verdict({}), 'ROLE_MISSING');
    assert.equal(verdict({}, ['AGENT']), 'PAYLOAD_INVALID');
  });
});

interface RegistrationDraft {
  chain: TestChain;
  actorId: string;
  key: Pick<TestKey, 'sign' | 'publicKey' | 'publicKeyHash'>;
  referrerAgentId: string;
  chainId?: string;
  extra: JsonObject;
}

/** Faults that need no key of their own. */
const REGISTRATION_FAULTS: readonly Fault<RegistrationDraft>[] = [
  ['PUBLIC_KEY_INVALID', (draft) => (draft.extra['publicKey'] = 'a key')],
  ['PUBLIC_KEY_HASH_MISMATCH', (draft) => (draft.extra['publicKeyHash'] = '00'.repeat(32))],
  ['SIGNATURE_INVALID', (draft) => (draft.key = { ...draft.key, sign: testKey('mallory').sign })],
  ['CHAIN_ID_MISMATCH', (draft) => (draft.chainId = 'net-elsewhere-1')],
  ['AGENT_EXISTS', (draft) => (draft.actorId = 'alice')],
  ['KEY_ALREADY_REGISTERED', (draft) => (draft.key = { ...testKey('bob'), sign: signerOf(draft) })],
  ['REFERRER_UNKNOWN', (draft) => (draft.referrerAgentId = 'nobody')],
];

/** Keeps an already spoilt signature. */
const signerOf = ({ key }: RegistrationDraft): TestKey['sign'] =>
  key.sign === testKey('dave').sign ? testKey('bob').sign : key.sign;

function registrationVerdict(faults: readonly Fault<RegistrationDraft>[]): string {
  const chain = standardChain();
  const draft: RegistrationDraft = {
    chain,
    actorId: 'dave',
    key: testKey('dave'),
    referrerAgentId: 'carol',
    extra: {},
  };
  for (const [, spoil] of faults) spoil(draft);
  return verdictOf(chain.register(draft.actorId, draft));
}

describe('a registration with two faults is refused for the earlier one:', () => {
  REGISTRATION_FAULTS.forEach((earlier, i) => {
    for (const later of REGISTRATION_FAULTS.slice(i + 1)) {
      test(`${earlier[0]} before ${later[0]}`, () => {
        assert.equal(registrationVerdict([earlier, later]), earlier[0]);
      });
    }
  });
});

test('a point with torsion is found after the signature and before the chain id', () => {
  const key = torsionKey('dave');
  const torsion: Fault<RegistrationDraft> = [
    'PUBLIC_KEY_INVALID',
    (draft) => (draft.key = { ...key, sign: draft.key.sign }),
  ];
  const honest: Fault<RegistrationDraft> = ['PUBLIC_KEY_INVALID', (draft) => (draft.key = key)];
  assert.equal(registrationVerdict([REGISTRATION_FAULTS[2]!, torsion]), 'SIGNATURE_INVALID');
  assert.equal(registrationVerdict([honest, REGISTRATION_FAULTS[3]!]), 'PUBLIC_KEY_INVALID');
});

describe("an action's own rules are looked at in the order in which it declares them:", () => {
  const requestFor = (chain: TestChain, recovering: string, key: TestKey, guardian = 'bob') =>
    chain.recoveryRequest(guardian, recovering, key);
  const withGuardian = (): TestChain =>
    standardChain().does('alice', 'setAgentRecovery', {
      agentId: 'alice',
      guardians: ['bob'],
      threshold: 1,
    });

  test('publishBeacon: an expired beacon with a stale sequence has expired', () => {
    const chain = standardChain();
    chain.does('alice', 'publishBeacon', beaconOf('alice', chain.height));
    const beacon = beaconOf('alice', chain.height, { expiresAtHeight: chain.height });
    refused(chain, chain.intent('alice', 'publishBeacon', beacon), 'BEACON_EXPIRED');
  });
  test('requestAgentRecovery: retired before not configured', () => {
    const chain = standardChain();
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'retired' });
    refused(chain, requestFor(chain, 'alice', testKey('alice 2')), 'AGENT_RETIRED');
  });
  test('requestAgentRecovery: not a guardian before pending', () => {
    const chain = withGuardian();
    chain.submit(requestFor(chain, 'alice', testKey('alice 2')));
    refused(chain, requestFor(chain, 'alice', testKey('alice 3'), 'carol'), 'NOT_A_GUARDIAN');
  });
  test('requestAgentRecovery: pending before the new key', () => {
    const chain = withGuardian();
    chain.submit(requestFor(chain, 'alice', testKey('alice 2')));
    refused(chain, requestFor(chain, 'alice', testKey('bob')), 'RECOVERY_PENDING');
  });
  test('rotateAgentKey: a known key before its missing signature', () => {
    const chain = standardChain();
    const next = { ...testKey('bob'), sign: testKey('mallory').sign };
    refused(chain, chain.rotation('alice', next), 'KEY_ALREADY_REGISTERED');
  });
  test('faucet: request, account, day, remaining money', () => {
    const chain = standardChain(faucetPolicy({ perRequest: 40, perAccount: 30, perDay: 20 }));
    refused(chain, chain.intent('alice', 'faucet', { amount: 41 }), 'FAUCET_REQUEST_LIMIT');
    refused(chain, chain.intent('alice', 'faucet', { amount: 40 }), 'FAUCET_ACCOUNT_LIMIT');
    refused(chain, chain.intent('alice', 'faucet', { amount: 30 }), 'FAUCET_DAILY_LIMIT');
  });
  test('transfer: the recipient before the balance', () => {
    const chain = standardChain();
    const pay = (to: string) => chain.intent('alice', 'transfer', { to, amount: 1 });
    refused(chain, pay('alice'), 'RECIPIENT_IS_SENDER');
    refused(chain, pay('nobody'), 'RECIPIENT_UNKNOWN');
    refused(chain, pay('bob'), 'INSUFFICIENT_BALANCE');
  });
});

test('OPERATOR may do every action, whatever roles it is for', () => {
  const chain = withRules(standardChain(), 2);
  for (const action of ACTIONS.keys()) {
    const outcome = chain.act(OPERATOR, action, {});
    assert.equal(verdictOf(outcome), 'PAYLOAD_INVALID', action);
  }
});
