import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { MAX_VALIDATOR_ROSTER } from '../../actions/operators/validator-roster.ts';
import { MAX_ROSTER } from '../../actions/operators/verifier-roster.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { withRules } from '../rules.ts';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import { hashOfDigit, testKey, torsionKey } from '@netd/protocol/testing';
import { refuse, type RefusalCase } from './case.ts';

const REGISTRATION = 'AgentRegistration';

const holdOf = (actorId: string): { actorId: string; publicKeyHash: string } => ({
  actorId,
  publicKeyHash: testKey(actorId).publicKeyHash,
});
const held = (chain: TestChain, actorId: string): TestChain =>
  chain.does(OPERATOR, 'reserveName', holdOf(actorId));

const DEPOSIT = 1_000_000;
const sponsorOf = (actorId: string, deposit = DEPOSIT): JsonObject => ({
  actorId,
  deposit,
  publicKeyHash: hashOfDigit('d'),
});

/** Names cost a deposit, and alice may sponsor. */
function withDeposits(chain: TestChain): TestChain {
  const names = { price: 'deposit', workBits: 20, deposit: DEPOSIT } as const;
  chain.ledger.seed('policy', 'limits', { ...DEVNET_POLICY, names });
  const alice = chain.record('authority', 'alice');
  const bob = chain.record('agent', 'bob');
  if (!alice || !bob) throw new Error('the standard chain has alice and bob');
  const actions = ['sponsorName', 'withdrawNameDeposit'];
  const granted = actions.map((action) => ({ action, agentId: 'alice' }));
  const capabilities = [...alice.capabilities, ...granted];
  chain.ledger.seed('authority', 'alice', { ...alice, capabilities });
  // bob is a name from before; it draws all the same.
  chain.ledger.seed('agent', 'bob', { ...bob, workBits: 0 });
  return chain;
}

export const AGENT_REFUSALS: RefusalCase[] = [
  ...[REGISTRATION, 'OperatorApplication'].map((subject) =>
    refuse(subject, 'NAME_WORK_MISSING', 'a name costs what the policy says', (chain) => {
      const names = { price: 'work', workBits: 40 } as const;
      chain.ledger.seed('policy', 'limits', { ...DEVNET_POLICY, names });
      withRules(chain);
      return subject === REGISTRATION
        ? chain.registration('dave')
        : chain.application('dave', 'HUMAN');
    }),
  ),
  ...[REGISTRATION, 'OperatorApplication'].map((subject) =>
    refuse(subject, 'NAME_DEPOSIT_MISSING', 'a name needs a sponsor', (chain) => {
      withRules(withDeposits(chain));
      return subject === REGISTRATION
        ? chain.registration('dave')
        : chain.application('dave', 'HUMAN');
    }),
  ),
  ...(
    [
      ['AGENT_EXISTS', 'a registered name needs no deposit', sponsorOf('bob')],
      ['NAME_RESERVED', 'no sponsor buys a name of the network', sponsorOf('house-one')],
      ['NAME_TAKEN', 'another spelling is the same name', sponsorOf('b.ob')],
      ['NAME_DEPOSIT_MISMATCH', 'the deposit is what the policy says', sponsorOf('dave', 1)],
      ['INSUFFICIENT_BALANCE', 'a sponsor has the deposit', sponsorOf('dave')],
    ] as const
  ).map(([code, rule, payload]) =>
    refuse('sponsorName', code, rule, (chain) =>
      withRules(withDeposits(chain)).intent('alice', 'sponsorName', payload),
    ),
  ),
  refuse('withdrawNameDeposit', 'NAME_DEPOSIT_UNKNOWN', 'only its sponsor has it back', (chain) => {
    const dave = { actorId: 'dave', deposit: DEPOSIT, publicKeyHash: hashOfDigit('d') };
    withRules(withDeposits(chain)).ledger.seed('name', 'held:dave', { ...dave, sponsorId: 'bob' });
    return chain.intent('alice', 'withdrawNameDeposit', { actorId: 'dave' });
  }),
  refuse('withdrawNameDeposit', 'NAME_DEPOSIT_USED', 'a draw keeps it until work does', (chain) => {
    const bob = { actorId: 'bob', deposit: DEPOSIT, publicKeyHash: hashOfDigit('d') };
    withRules(withDeposits(chain)).does('bob', 'faucet', { amount: 1 });
    chain.ledger.seed('name', 'held:bob', { ...bob, sponsorId: 'alice' });
    return chain.intent('alice', 'withdrawNameDeposit', { actorId: 'bob' });
  }),
  {
    subject: REGISTRATION,
    code: 'PUBLIC_KEY_INVALID',
    rule: 'a text that is not SPKI PEM is no key',
    provoke: (chain) =>
      chain.registration('dave', { extra: { publicKey: testKey('dave').rawHex } }),
  },
  {
    subject: REGISTRATION,
    code: 'PUBLIC_KEY_INVALID',
    rule: 'a key with a torsion part is refused although its signature holds',
    provoke: (chain) => chain.registration('dave', { key: torsionKey('dave') }),
  },
  {
    subject: REGISTRATION,
    code: 'PUBLIC_KEY_HASH_MISMATCH',
    rule: 'publicKeyHash is the hash of the very PEM text',
    provoke: (chain) =>
      chain.registration('dave', { extra: { publicKeyHash: testKey('erin').publicKeyHash } }),
  },
  {
    subject: REGISTRATION,
    code: 'SIGNATURE_INVALID',
    rule: 'a registration is signed by the key that it registers',
    provoke: (chain) =>
      chain.registration('dave', { key: { ...testKey('dave'), sign: testKey('mallory').sign } }),
  },
  {
    subject: REGISTRATION,
    code: 'CHAIN_ID_MISMATCH',
    rule: 'a registration for another chain stays there',
    provoke: (chain) => chain.registration('dave', { chainId: 'net-elsewhere-1' }),
  },
  {
    subject: REGISTRATION,
    code: 'AGENT_EXISTS',
    rule: 'an agent id is given once',
    provoke: (chain) => chain.registration('alice', { key: testKey('dave') }),
  },
  {
    subject: REGISTRATION,
    code: 'AGENT_EXISTS',
    rule: 'the id of an operator is taken as well',
    provoke: (chain) => chain.registration(OPERATOR, { key: testKey('dave') }),
  },
  {
    subject: REGISTRATION,
    code: 'AGENT_EXISTS',
    rule: 'the id of a retired agent stays taken',
    provoke: (chain) => {
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'retired' });
      return chain.registration('bob', { key: testKey('dave') });
    },
  },
  ...['Operator', 'o.p.e.r.a.t.o.r', '0perator', 'operat0r', 'validator-1', 'Validator.1'].map(
    (actorId) =>
      refuse(REGISTRATION, 'NAME_RESERVED', `${actorId} reads like an id of genesis`, (chain) =>
        chain.registration(actorId),
      ),
  ),
  ...[
    'va1idator_1',
    'validator-17',
    'operator2',
    'operat0r-l',
    'validator.2I',
    'treasury',
    'Reward_Pool',
    'ad-min',
  ].map((actorId) =>
    refuse(REGISTRATION, 'NAME_RESERVED', `${actorId} would speak for the network`, (chain) =>
      chain.registration(actorId),
    ),
  ),
  ...[
    'house-echo',
    'House.Echo',
    'house-ech0',
    'h0use-verifier-l',
    'HOU5E_x',
    'houseecho',
    'hous3-requester',
    'net-escrow',
    'NET.x',
    'n3t_anything',
    'netescrow',
    'ne7-sdk',
    'netTreasury',
  ].map((actorId) =>
    refuse(
      REGISTRATION,
      'NAME_RESERVED',
      `${actorId} would be of the house or the network`,
      (chain) => chain.registration(actorId),
    ),
  ),
  refuse(REGISTRATION, 'NAME_RESERVED', 'a name that is held is for one key only', (chain) =>
    held(chain, 'house-echo').registration('house-echo', { key: testKey('mallory') }),
  ),
  refuse(REGISTRATION, 'NAME_RESERVED', 'and so is every spelling of it', (chain) =>
    held(chain, 'emma').registration('E.m-ma', { key: testKey('mallory') }),
  ),
  refuse('reserveName', 'AGENT_EXISTS', 'the id of an agent cannot be reserved', (chain) =>
    chain.intent(OPERATOR, 'reserveName', holdOf('bob')),
  ),
  refuse('reserveName', 'NAME_TAKEN', 'another spelling of an agent cannot be reserved', (chain) =>
    chain.intent(OPERATOR, 'reserveName', holdOf('B_ob')),
  ),
  refuse('reserveName', 'NAME_RESERVED', 'a word of the network cannot be reserved', (chain) =>
    chain.intent(OPERATOR, 'reserveName', holdOf('treasury')),
  ),
  ...['Alice', 'ALICE', 'a-l-i-c-e', 'alice_', 'al.ice'].map((actorId) =>
    refuse(REGISTRATION, 'NAME_TAKEN', `${actorId} beside alice is the same name`, (chain) =>
      chain.registration(actorId),
    ),
  ),
  refuse(REGISTRATION, 'NAME_TAKEN', 'the name of a retired agent stays taken', (chain) => {
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'retired' });
    return chain.registration('B_ob');
  }),
  {
    subject: REGISTRATION,
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'a key belongs to one actor',
    provoke: (chain) => chain.registration('dave', { key: testKey('alice') }),
  },
  {
    subject: REGISTRATION,
    code: 'REFERRER_UNKNOWN',
    rule: 'a referrer is an agent',
    provoke: (chain) => chain.registration('dave', { referrerAgentId: 'nobody' }),
  },
  {
    subject: REGISTRATION,
    code: 'REFERRER_UNKNOWN',
    rule: 'an operator cannot refer an agent',
    provoke: (chain) => chain.registration('dave', { referrerAgentId: OPERATOR }),
  },
  {
    subject: REGISTRATION,
    code: 'REFERRER_UNKNOWN',
    rule: 'an agent cannot refer itself',
    provoke: (chain) => chain.registration('dave', { referrerAgentId: 'dave' }),
  },
  {
    subject: REGISTRATION,
    code: 'REFERRER_INACTIVE',
    rule: 'a suspended agent cannot refer another',
    provoke: (chain) => {
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'suspended' });
      return chain.registration('dave', { referrerAgentId: 'alice' });
    },
  },
  {
    subject: 'extendAgentCapabilities',
    code: 'CAPABILITIES_UNCHANGED',
    rule: 'what an agent can do already is not added again',
    provoke: (chain) =>
      chain.intent('alice', 'extendAgentCapabilities', {
        agentId: 'alice',
        actions: ['faucet', 'publishBeacon'],
      }),
  },
  {
    subject: 'setAgentStatus',
    code: 'AGENT_UNKNOWN',
    rule: 'only agents have a status',
    provoke: (chain) =>
      chain.intent(OPERATOR, 'setAgentStatus', { agentId: OPERATOR, status: 'suspended' }),
  },
  {
    subject: 'setAgentStatus',
    code: 'AGENT_STATUS_UNCHANGED',
    rule: 'an active agent is not made active',
    provoke: (chain) =>
      chain.intent(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'active' }),
  },
  {
    subject: 'setAgentStatus',
    code: 'AGENT_RETIRED',
    rule: 'retirement is final',
    provoke: (chain) => {
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'retired' });
      return chain.intent(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'active' });
    },
  },
  {
    subject: 'setAgentStatus',
    code: 'VERIFIER_ROSTER_FULL',
    rule: 'a suspended verifier returns only to a roster with room',
    provoke: (chain) => {
      chain.fund('alice', 100 * UNET_PER_NET).install('alice', 'VERIFIER');
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'suspended' });
      chain.ledger.seed('verifier-roster', 'active', {
        verifiers: Array.from({ length: MAX_ROSTER }, (_, i) => ({
          verifierId: `v-${i}`,
          independenceGroup: 'g',
          bondedAtHeight: 0,
        })),
      });
      return chain.intent(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'active' });
    },
  },
  {
    subject: 'setAgentStatus',
    code: 'VALIDATOR_ROSTER_FULL',
    rule: 'a suspended validator candidate returns only to a roster with room',
    provoke: (chain) => {
      chain.fund('alice', 1_000 * UNET_PER_NET).install('alice', 'VALIDATOR');
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'suspended' });
      chain.ledger.seed('validator-roster', 'active', {
        validatorIds: Array.from({ length: MAX_VALIDATOR_ROSTER }, (_, i) => `v-${i}`),
      });
      return chain.intent(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'active' });
    },
  },
];
