import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  envelopeViolations,
  MAX_SCOPE_LENGTH,
  UNET_PER_NET,
  type JsonObject,
} from '@netd/protocol';
import { classAccount } from '../../accounting-classes.ts';
import { ROLE_SETS } from '../registry.ts';
import type { ApplicationRole } from '../../capability.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { accepted, refused, testKey, verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { withRules } from '../../testing/rules.ts';
import { OPERATOR, profileOf, TestChain } from '../../testing/test-chain.ts';
import { applicationStatus } from './application.ts';

const BOND = 100 * UNET_PER_NET;
const DELAY = { heights: 20, milliseconds: 60_000 };
const policy = { operators: { ...DEVNET_POLICY.operators, unbondingDelay: DELAY } };
const typesOf = (events: { type: string }[]): string[] => events.map(({ type }) => type);
const balance = (chain: TestChain, id: string): number => chain.record('account', id)?.balance ?? 0;

describe('the shape', () => {
  const broken = (kind: 'application' | 'claim', members: JsonObject): boolean => {
    const chain = new TestChain();
    const { envelope } =
      kind === 'application'
        ? chain.application('dave', 'HUMAN', members)
        : chain.claim('dave', 'i-1', members);
    return envelopeViolations(kind, envelope) !== null;
  };
  test('of an application: an id, a role, a scope, a height', () => {
    assert.equal(broken('application', {}), false);
    assert.equal(broken('application', { motto: 'onwards' }), false);
    for (const members of [
      { schema: 'NET-OPERATOR-APPLICATION/2' },
      { schema: 'NET-OPERATOR-INVITATION-CLAIM/1' },
      { applicationId: '' },
      { applicationId: 'a/b' },
      { applicationId: 'a'.repeat(129) },
      { actorId: 'net:bonds' },
      { role: 'OPERATOR' },
      { role: 'human' },
      { capabilities: [] },
      { capabilities: [{ action: 'transfer', agentId: 'alice' }] },
      { capabilities: [{ action: 'transfer', maxAmount: 0 }] },
      { capabilities: [{ action: 'transfer', maxAmount: '1' }] },
      { capabilities: Array.from({ length: MAX_SCOPE_LENGTH + 1 }, () => ({ action: 'a' })) },
      { profile: [] },
      { expiresAtHeight: '9' },
      { nonce: '' },
    ] as JsonObject[]) {
      assert.equal(broken('application', members), true, JSON.stringify(members).slice(0, 80));
    }
  });
  test('of a claim: an invitation, an actor, a key', () => {
    assert.equal(broken('claim', {}), false);
    for (const members of [
      { schema: 'NET-OPERATOR-APPLICATION/1' },
      { invitationId: '' },
      { actorId: 'a' },
      { publicKey: 1 },
      { nonce: 1 },
    ] as JsonObject[]) {
      assert.equal(broken('claim', members), true, JSON.stringify(members));
    }
  });
});

describe('an application of a human', () => {
  test('within the bounds is approved at once, and its claim installs the exact scope', () => {
    const chain = new TestChain();
    const application = chain.application('dave', 'HUMAN');
    assert.deepEqual(typesOf(accepted(chain.submit(application))), [
      'OperatorApplicationSubmitted',
      'OperatorInvitationCreated',
    ]);
    const { invitationId, status } = chain.record('application', 'app-dave-HUMAN')!;
    assert.deepEqual([invitationId, status], [application.encoded.transitionHash, 'APPROVED']);
    assert.equal(chain.record('invitation', invitationId!)?.approvedBy, null);
    assert.equal(chain.record('authority', 'dave'), undefined, 'nothing before the claim');

    assert.deepEqual(accepted(chain.submit(chain.claim('dave', invitationId!))), [
      {
        type: 'AuthorityInstalled',
        data: {
          actorId: 'dave',
          role: 'HUMAN',
          invitationId,
          applicationId: 'app-dave-HUMAN',
          capabilities: [{ action: 'transfer', maxAmount: 1_000 }],
          bond: 0,
          independenceGroup: null,
          payoutActorId: null,
        },
      },
    ]);
    const key = testKey('dave');
    assert.deepEqual(chain.record('authority', 'dave'), {
      actorId: 'dave',
      publicKey: key.publicKey,
      publicKeyHash: key.publicKeyHash,
      roles: ['HUMAN'],
      capabilities: [{ action: 'transfer', maxAmount: 1_000 }],
      active: true,
    });
    assert.deepEqual(chain.record('key', key.rawHex), { actorId: 'dave' });
    assert.equal(chain.record('application', 'app-dave-HUMAN')?.status, 'CLAIMED');
    assert.equal(chain.record('invitation', invitationId!)?.status, 'CLAIMED');
    assert.equal(chain.record('application-reservation', 'actor:dave'), undefined);
    assert.equal(chain.record('application-reservation', `key:${key.rawHex}`), undefined);
    assert.equal(chain.record('agent', 'dave'), undefined);
    chain.join(['alice']).fund('dave', 2_000);
    accepted(chain.act('dave', 'transfer', { to: 'alice', amount: 1_000 }));
    refused(
      chain,
      chain.intent('dave', 'transfer', { to: 'alice', amount: 1_001 }),
      'CAPABILITY_AMOUNT_EXCEEDED',
    );
    refused(chain, chain.intent('dave', 'faucet', { amount: 1 }), 'CAPABILITY_MISSING');
  });
  test('is approved at once exactly up to the published amount', () => {
    const most = DEVNET_POLICY.operators.maxAmount;
    for (const [capability, status] of [
      [{ action: 'transfer', maxAmount: most - 1 }, 'APPROVED'],
      [{ action: 'transfer', maxAmount: most }, 'APPROVED'],
      [{ action: 'transfer', maxAmount: most + 1 }, 'PENDING'],
      [{ action: 'transfer' }, 'PENDING'],
      [{ action: 'delegate' }, 'PENDING'],
      [{ action: 'burnToken', maxAmount: most + 1 }, 'PENDING'],
      [{ action: 'cancelWorkOrder' }, 'APPROVED'],
    ] as const) {
      const chain = new TestChain();
      accepted(chain.submit(chain.application('dave', 'HUMAN', { capabilities: [capability] })));
      const record = chain.record('application', 'app-dave-HUMAN');
      assert.equal(record?.status, status, JSON.stringify(capability));
    }
  });
  test('may ask again for the role once every capability of it has expired', () => {
    const chain = new TestChain();
    const expiresAtHeight = 20;
    const capabilities = [{ action: 'cancelWorkOrder', expiresAtHeight }];
    chain.install('dave', 'HUMAN', { capabilities });
    const again = { applicationId: 'app-2' };
    refused(chain, chain.application('dave', 'HUMAN', again), 'ROLE_ALREADY_HELD');
    chain.ledger.advance(expiresAtHeight - chain.height);
    chain.install('dave', 'HUMAN', again);
    const { roles, capabilities: held } = chain.record('authority', 'dave')!;
    assert.deepEqual(roles, ['HUMAN']);
    assert.deepEqual(held, [{ action: 'transfer', maxAmount: 1_000 }], 'the expired one is gone');
  });
});

test('an application of an agent makes one, bound to itself, base set and all', () => {
  const chain = new TestChain();
  const capabilities = [{ action: 'faucet', maxAmount: 5 }, { action: 'publishBeacon' }];
  chain.install('dave', 'AGENT', { capabilities, profile: { description: 'translates' } });
  assert.equal(chain.record('agent', 'dave')?.description, 'translates');
  assert.equal(chain.record('counter', 'agents'), 1);
  assert.equal(chain.record('counter', 'active-agents'), 1);
  assert.deepEqual(chain.record('authority', 'dave')?.capabilities, [
    { action: 'faucet', maxAmount: 5, agentId: 'dave' },
  ]);
  refused(chain, chain.registration('dave', { key: testKey('erin') }), 'AGENT_EXISTS');
});

describe('limits of an application:', () => {
  const verdict = (role: ApplicationRole, members: (chain: TestChain) => JsonObject): string => {
    const chain = new TestChain();
    return verdictOf(chain.submit(chain.application('dave', role, members(chain))));
  };
  test('its life', () => {
    const { maxLifetime } = DEVNET_POLICY.operators;
    for (const [distance, expected] of [
      [0, 'APPLICATION_EXPIRED'],
      [1, 'accepted'],
      [maxLifetime, 'accepted'],
      [maxLifetime + 1, 'APPLICATION_EXPIRY_TOO_FAR'],
    ] as const) {
      const found = verdict('HUMAN', ({ height }) => ({ expiresAtHeight: height + distance }));
      assert.equal(found, expected, `${distance}`);
    }
  });
  test('the number of capabilities', () => {
    for (const [maxCapabilities, expected] of [
      [4, 'accepted'],
      [3, 'accepted'],
      [2, 'APPLICATION_SCOPE_INVALID'],
    ] as const) {
      const chain = new TestChain({
        policy: { operators: { ...DEVNET_POLICY.operators, maxCapabilities } },
      });
      const capabilities = ['burnToken', 'openDispute', 'undelegate'].map((action) => ({ action }));
      const application = chain.application('dave', 'HUMAN', { capabilities });
      assert.equal(verdictOf(chain.submit(application)), expected, `${maxCapabilities}`);
    }
  });
  test('bonds', () => {
    const { verifier, validator, runtimeProvider } = DEVNET_POLICY.operators.minimumBonds;
    for (const [role, member, minimum] of [
      ['VERIFIER', 'bond', verifier],
      ['VALIDATOR', 'selfBond', validator],
      ['RUNTIME_PROVIDER', 'bond', runtimeProvider],
    ] as const) {
      for (const [bond, expected] of [
        [minimum - 1, 'BOND_TOO_SMALL'],
        [minimum, 'accepted'],
        [minimum + 1, 'accepted'],
      ] as const) {
        const profile = { ...profileOf('dave', role), [member]: bond };
        assert.equal(
          verdict(role, () => ({ profile })),
          expected,
          `${role} ${bond}`,
        );
      }
    }
  });
  test('a role may ask for its whole set, and for nothing of another', () => {
    for (const role of Object.keys(ROLE_SETS) as ApplicationRole[]) {
      const operators = { ...DEVNET_POLICY.operators, maxCapabilities: MAX_SCOPE_LENGTH };
      const chain = withRules(new TestChain({ policy: { operators } }));
      const whole = ROLE_SETS[role].map((action) => ({ action }));
      accepted(chain.submit(chain.application('dave', role, { capabilities: whole })));
      const stray = [{ action: role === 'GOVERNOR' ? 'voteWork' : 'voteProposal' }];
      const other = chain.application('erin', role, { capabilities: stray });
      refused(chain, other, 'APPLICATION_SCOPE_INVALID');
    }
  });
});

describe('an id and a key', () => {
  test('are held by a pending application until it expires', () => {
    const chain = new TestChain();
    const expiresAtHeight = chain.height + 10;
    accepted(chain.submit(chain.application('dave', 'GOVERNOR', { expiresAtHeight })));
    const other = { key: testKey('mallory') };
    chain.ledger.advance(expiresAtHeight - 1 - chain.height);
    refused(chain, chain.registration('dave', other), 'ACTOR_ID_RESERVED');
    // The application's last height.
    assert.equal(chain.height, expiresAtHeight);
    accepted(chain.register('dave', other));
    const again = chain.application('dave-again', 'HUMAN', { actorId: 'dave-2' }, testKey('dave'));
    accepted(chain.submit(again));
  });
  test('are free again after a rejection', () => {
    const chain = new TestChain();
    accepted(chain.submit(chain.application('dave', 'GOVERNOR')));
    const payload = { applicationId: 'app-dave-GOVERNOR', reason: 'not now' };
    assert.deepEqual(accepted(chain.act(OPERATOR, 'rejectOperatorApplication', payload)), [
      {
        type: 'OperatorApplicationRejected',
        data: {
          ...payload,
          actorId: 'dave',
          role: 'GOVERNOR',
          invitationId: null,
          operatorId: OPERATOR,
        },
      },
    ]);
    const record = chain.record('application', 'app-dave-GOVERNOR');
    assert.deepEqual([record?.status, record?.reason], ['REJECTED', 'not now']);
    accepted(chain.submit(chain.application('dave', 'HUMAN', {}, testKey('erin'))));
  });
  test('may register as an agent meanwhile, by the very key that applied', () => {
    const chain = new TestChain();
    const invitationId = chain.invited('dave', 'HUMAN');
    chain.join(['dave']);
    accepted(chain.submit(chain.claim('dave', invitationId)));
    assert.deepEqual(chain.record('authority', 'dave')?.roles, ['AGENT', 'HUMAN']);
  });
  test('held by an outdated application do not keep the actor itself from applying', () => {
    const chain = standardChain();
    accepted(chain.submit(chain.application('alice', 'GOVERNOR')));
    const next = testKey('alice 2');
    accepted(chain.submit(chain.rotation('alice', next)));
    chain.keys.set('alice', next);
    accepted(chain.submit(chain.application('alice', 'HUMAN')));
    // Ending the old application must not free the new one's names.
    chain.does(OPERATOR, 'rejectOperatorApplication', { applicationId: 'app-alice-GOVERNOR' });
    assert.deepEqual(chain.record('application-reservation', 'actor:alice'), {
      applicationId: 'app-alice-HUMAN',
    });
  });
  test('of two applications in one block the first wins', () => {
    const chain = new TestChain();
    const both = [
      chain.application('dave', 'HUMAN'),
      chain.application('dave', 'HUMAN', { applicationId: 'app-2' }, testKey('erin')),
    ];
    assert.deepEqual(chain.block(both).map(verdictOf), ['accepted', 'ACTOR_ID_RESERVED']);
  });
});

test('the status of an application follows from the height', () => {
  for (const [status, height, expected] of [
    ['PENDING', 10, 'PENDING'],
    ['PENDING', 11, 'EXPIRED'],
    ['APPROVED', 10, 'APPROVED'],
    ['APPROVED', 11, 'EXPIRED'],
    ['CLAIMED', 11, 'CLAIMED'],
    ['REJECTED', 11, 'REJECTED'],
  ] as const) {
    assert.equal(applicationStatus({ status, expiresAtHeight: 10 }, height), expected);
  }
});

describe('specialists', () => {
  test('wait for an operator, who may narrow, and sets the independence group', () => {
    const chain = standardChain(policy).fund('alice', BOND + 5);
    const capabilities = ROLE_SETS.VERIFIER.map((action) => ({ action }));
    const application = chain.application('alice', 'VERIFIER', { capabilities });
    assert.deepEqual(typesOf(accepted(chain.submit(application))), [
      'OperatorApplicationSubmitted',
    ]);
    const narrower = [{ action: 'voteWork', expiresAtHeight: chain.height + 1_000 }];
    const expiresAtHeight = chain.height + 50;
    const events = accepted(
      chain.act(OPERATOR, 'createOperatorInvitation', {
        applicationId: 'app-alice-VERIFIER',
        capabilities: narrower,
        independenceGroup: 'group-a',
        expiresAtHeight,
      }),
    );
    const invitationId = chain.record('application', 'app-alice-VERIFIER')!.invitationId!;
    assert.deepEqual(events, [
      {
        type: 'OperatorInvitationCreated',
        data: {
          invitationId,
          applicationId: 'app-alice-VERIFIER',
          actorId: 'alice',
          role: 'VERIFIER',
          independenceGroup: 'group-a',
          expiresAtHeight,
          approvedBy: OPERATOR,
        },
      },
    ]);
    accepted(chain.submit(chain.claim('alice', invitationId)));
    const authority = chain.record('authority', 'alice')!;
    assert.deepEqual(authority.roles, ['AGENT', 'VERIFIER']);
    assert.deepEqual(authority.capabilities.slice(-1), narrower);
    assert.deepEqual(chain.record('verifier', 'alice'), {
      actorId: 'alice',
      bond: BOND,
      independenceGroup: 'group-a',
      bondedAtHeight: chain.height,
      active: true,
      votesAccepted: 0,
      votesRejected: 0,
      votesUnjudgeable: 0,
      votesMissed: 0,
      installedAt: { height: chain.height, index: 0 },
    });
    assert.equal(balance(chain, 'alice'), 5);
    assert.equal(balance(chain, classAccount('bonds')), BOND);
    assert.equal(chain.record('supply', 'bonds'), BOND);
    assert.equal(chain.record('counter', 'active-verifiers'), 1);
  });
  test('stand in the registry of their role', () => {
    const chain = standardChain()
      .fund('alice', 20 * BOND)
      .fund('bob', BOND);
    chain.install('alice', 'VALIDATOR').install('bob', 'RUNTIME_PROVIDER');
    chain.install('carol', 'AUDITOR').install('dave', 'GOVERNOR');
    const candidate = chain.record('validator-candidate', 'alice')!;
    assert.deepEqual(candidate, {
      actorId: 'alice',
      selfBond: 10 * BOND,
      consensusPublicKey: testKey('alice consensus').publicKey,
      faultDomain: 'rack-1',
      delegated: 0,
      shares: 0,
      delegators: 0,
      unbonding: 0,
      faults: 0,
      nextRewardAt: null,
      bondedAtHeight: candidate.installedAt.height,
      active: true,
      installedAt: candidate.installedAt,
    });
    assert.deepEqual(chain.record('key', testKey('alice consensus').rawHex), { actorId: 'alice' });
    const { bond, region, faultDomain, active } = chain.record('runtime-provider', 'bob')!;
    assert.deepEqual([bond, region, faultDomain, active], [BOND, 'eu-central', 'rack-1', true]);
    assert.equal(chain.record('auditor', 'carol')?.independenceGroup, 'group-carol');
    assert.deepEqual(chain.record('authority', 'dave')?.roles, ['GOVERNOR']);
    for (const name of ['validator-candidates', 'runtime-providers', 'auditors'] as const) {
      assert.equal(chain.record('counter', `active-${name}`), 1, name);
    }
    assert.equal(balance(chain, classAccount('bonds')), 11 * BOND);
  });
});

describe('a revocation', () => {
  const verifier = (): TestChain =>
    standardChain(policy).fund('alice', BOND).install('alice', 'VERIFIER');

  test('ends all roles for good and says when the bond goes back', () => {
    const chain = verifier();
    const time = chain.ledger.tip.time + 100;
    const releaseAt = {
      height: chain.height + 1 + DELAY.heights,
      time: time + DELAY.milliseconds,
    };
    const payload = { actorId: 'alice', reason: 'collusion' };
    assert.deepEqual(accepted(chain.act(OPERATOR, 'revokeAuthority', payload)), [
      {
        type: 'AuthorityRevoked',
        data: {
          ...payload,
          operatorId: OPERATOR,
          roles: ['AGENT', 'VERIFIER'],
          bonded: BOND,
          releaseAt,
        },
      },
    ]);
    assert.equal(chain.record('authority', 'alice')?.active, false);
    assert.equal(chain.record('agent', 'alice')?.status, 'retired');
    assert.equal(chain.record('counter', 'active-agents'), 2);
    assert.equal(chain.record('counter', 'active-verifiers'), 0);
    assert.equal(chain.record('verifier', 'alice')?.active, false);
    assert.equal(chain.record('verifier', 'alice')?.bond, BOND, 'within reach of evidence');
    assert.deepEqual(chain.record('revocation', 'alice'), {
      ...payload,
      revokedAt: { height: chain.height, index: 0 },
      releaseAt,
    });
    refused(chain, chain.intent('alice', 'withdrawBeacon', {}), 'AUTHORITY_INACTIVE');
  });
  test('gives the bond back once both height and time have passed', () => {
    const tick = (chain: TestChain): TestChain =>
      chain.does(OPERATOR, 'transfer', { to: 'bob', amount: 1 });
    for (const [heights, milliseconds, back] of [
      [DELAY.heights - 2, DELAY.milliseconds, false],
      [DELAY.heights - 1, DELAY.milliseconds - 101, false],
      [DELAY.heights - 1, DELAY.milliseconds - 100, true],
      [DELAY.heights + 5, DELAY.milliseconds + 5, true],
    ] as const) {
      const chain = verifier().does(OPERATOR, 'revokeAuthority', { actorId: 'alice' });
      chain.ledger.advance(heights, milliseconds);
      tick(chain);
      assert.equal(balance(chain, 'alice'), back ? BOND : 0, `${heights} ${milliseconds}`);
      assert.equal(chain.record('verifier', 'alice')?.bond, back ? 0 : BOND);
      assert.equal(chain.record('supply', 'bonds'), back ? 0 : BOND);
      assert.equal(chain.record('revocation', 'alice')?.releaseAt === null, back);
      if (!back) continue;
      tick(chain);
      assert.equal(balance(chain, 'alice'), BOND, 'once');
    }
  });
  test('returns what evidence has left of the bond', () => {
    const chain = verifier().does(OPERATOR, 'revokeAuthority', { actorId: 'alice' });
    const record = chain.record('verifier', 'alice')!;
    // As if a tenth had been slashed.
    chain.ledger.seed('verifier', 'alice', { ...record, bond: BOND - BOND / 10 });
    chain.ledger.advance(DELAY.heights, DELAY.milliseconds);
    chain.does(OPERATOR, 'transfer', { to: 'bob', amount: 1 });
    assert.equal(balance(chain, 'alice'), BOND - BOND / 10);
  });
  test('of an actor without a bond leaves nothing to release', () => {
    const chain = standardChain(policy).does(OPERATOR, 'revokeAuthority', { actorId: 'bob' });
    assert.equal(chain.record('revocation', 'bob')?.releaseAt, null);
    assert.equal(chain.record('revocation', 'bob')?.reason, null);
  });
  test('reaches a retired agent that is still bonded', () => {
    const chain = verifier();
    const counts = () =>
      (['active-agents', 'active-verifiers', 'verifier-groups'] as const).map(
        (name) => chain.record('counter', name) ?? 0,
      );
    assert.deepEqual(counts(), [3, 1, 1]);
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'retired' });
    // A retired agent counts nowhere.
    assert.deepEqual(counts(), [2, 0, 0]);
    assert.deepEqual(chain.record('verifier-roster', 'active')?.verifiers, []);
    chain.does(OPERATOR, 'revokeAuthority', { actorId: 'alice' });
    assert.deepEqual(counts(), [2, 0, 0]);
    assert.notEqual(chain.record('revocation', 'alice')?.releaseAt, null);
  });
});
