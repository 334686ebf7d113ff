import { MAX_SCOPE_LENGTH, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import type { ApplicationRole } from '../../capability.ts';
import { MAX_ROSTER } from '../../actions/operators/verifier-roster.ts';
import { testKey, torsionKey } from '@netd/protocol/testing';
import { CHAIN_ID, consensusKeyOf, OPERATOR, profileOf, type TestChain } from '../test-chain.ts';
import { refuse, type RefusalCase } from './case.ts';

const APPLICATION = 'OperatorApplication';
const CLAIM = 'InvitationClaim';
const INVITE = 'createOperatorInvitation';
const REJECT = 'rejectOperatorApplication';

const BOND = 100 * UNET_PER_NET;

/** alice has a pending application as a verifier. */
function pending(chain: TestChain, members: JsonObject = {}): TestChain {
  chain.fund('alice', BOND);
  const outcome = chain.submit(chain.application('alice', 'VERIFIER', members));
  if (!outcome.ok) throw outcome.refusal;
  return chain;
}

/** Approves alice's application. */
const approve = (chain: TestChain, members: JsonObject = {}) =>
  chain.intent(OPERATOR, INVITE, {
    applicationId: 'app-alice-VERIFIER',
    independenceGroup: 'group-a',
    ...members,
  });

const suspend = (chain: TestChain, agentId: string): TestChain =>
  chain.does(OPERATOR, 'setAgentStatus', { agentId, status: 'suspended' });

const revoke = (chain: TestChain, actorId: string): TestChain =>
  chain.does(OPERATOR, 'revokeAuthority', { actorId });

function rotate(chain: TestChain, actorId: string): TestChain {
  const next = testKey(`${actorId} 2`);
  const outcome = chain.submit(chain.rotation(actorId, next));
  if (!outcome.ok) throw outcome.refusal;
  return chain;
}

const applies = (
  code: RefusalCase['code'],
  rule: string,
  members: JsonObject,
  role: ApplicationRole = 'HUMAN',
): RefusalCase => ({
  subject: APPLICATION,
  code,
  rule,
  provoke: (chain) => chain.application('dave', role, members),
});

const approved = (chain: TestChain, applicationId: string): TestChain =>
  chain.does(OPERATOR, INVITE, { applicationId, independenceGroup: 'group-a' });

export const OPERATOR_REFUSALS: RefusalCase[] = [
  {
    subject: 'AgentRegistration',
    code: 'ACTOR_ID_RESERVED',
    rule: 'the id in an application is reserved for its key',
    provoke: (chain) => {
      chain.submit(chain.application('dave', 'GOVERNOR'));
      return chain.registration('dave', { key: testKey('mallory') });
    },
  },
  refuse(
    'AgentRegistration',
    'ACTOR_ID_RESERVED',
    'a held id is held in every spelling',
    (chain) => {
      chain.submit(chain.application('dave', 'GOVERNOR'));
      return chain.registration('D.A.V.E', { key: testKey('mallory') });
    },
  ),
  refuse(APPLICATION, 'NAME_RESERVED', 'an applicant cannot use the name of an operator', (chain) =>
    chain.application('OPERAT0R', 'HUMAN', { applicationId: 'app-1' }),
  ),
  refuse(
    APPLICATION,
    'NAME_TAKEN',
    'an applicant cannot use another spelling of an agent',
    (chain) => chain.application('Al-ice', 'HUMAN', { applicationId: 'app-1' }),
  ),
  refuse('AgentRegistration', 'NAME_TAKEN', 'a human has a name as an agent has', (chain) => {
    chain.install('dave', 'HUMAN');
    return chain.registration('DAVE', { key: testKey('mallory') });
  }),

  applies('PUBLIC_KEY_INVALID', 'a text that is not SPKI PEM is no key', { publicKey: 'a key' }),
  {
    subject: APPLICATION,
    code: 'PUBLIC_KEY_INVALID',
    rule: 'a key with a torsion part is refused although its signature holds',
    provoke: (chain) => chain.application('dave', 'HUMAN', {}, torsionKey('dave')),
  },
  applies(
    'PUBLIC_KEY_INVALID',
    'a consensus key is a valid key too',
    {
      profile: {
        ...profileOf('dave', 'VALIDATOR'),
        ...consensusKeyOf('dave', CHAIN_ID, torsionKey('dave')),
      },
    },
    'VALIDATOR',
  ),
  applies('PUBLIC_KEY_HASH_MISMATCH', 'publicKeyHash is the hash of the very PEM text', {
    publicKeyHash: testKey('erin').publicKeyHash,
  }),
  {
    subject: APPLICATION,
    code: 'SIGNATURE_INVALID',
    rule: 'an application is signed by the key that it names',
    provoke: (chain) =>
      chain.application('dave', 'HUMAN', {}, { ...testKey('dave'), sign: testKey('mallory').sign }),
  },
  applies('CHAIN_ID_MISMATCH', 'an application for another chain stays there', {
    chainId: 'net-elsewhere-1',
  }),
  {
    subject: APPLICATION,
    code: 'APPLICATION_EXISTS',
    rule: 'an application id is used once across all applicants',
    provoke: (chain) => {
      chain.submit(chain.application('dave', 'HUMAN'));
      return chain.application('erin', 'HUMAN', { applicationId: 'app-dave-HUMAN' });
    },
  },
  {
    subject: APPLICATION,
    code: 'APPLICATION_EXPIRED',
    rule: 'an application lives beyond the current height',
    provoke: (chain) => chain.application('dave', 'HUMAN', { expiresAtHeight: chain.height }),
  },
  {
    subject: APPLICATION,
    code: 'APPLICATION_EXPIRY_TOO_FAR',
    rule: 'an id is not held for longer than the policy allows',
    provoke: (chain) =>
      chain.application('dave', 'HUMAN', { expiresAtHeight: chain.height + 10_001 }),
  },
  {
    subject: APPLICATION,
    code: 'AUTHORITY_REVOKED',
    rule: 'who was revoked does not come back',
    provoke: (chain) => revoke(chain, 'alice').application('alice', 'HUMAN'),
  },
  {
    subject: APPLICATION,
    code: 'AUTHORITY_INACTIVE',
    rule: 'a suspended agent gets no further role',
    provoke: (chain) => suspend(chain, 'alice').application('alice', 'HUMAN'),
  },
  {
    subject: APPLICATION,
    code: 'APPLICATION_KEY_MISMATCH',
    rule: 'only its own key applies for an existing actor',
    provoke: (chain) => chain.application('alice', 'HUMAN', {}, testKey('mallory')),
  },
  {
    subject: APPLICATION,
    code: 'APPLICATION_KEY_MISMATCH',
    rule: 'a rotated-out key applies no more',
    provoke: (chain) => rotate(chain, 'alice').application('alice', 'HUMAN'),
  },
  {
    subject: APPLICATION,
    code: 'ROLE_ALREADY_HELD',
    rule: 'a registered agent does not become one again',
    provoke: (chain) => chain.application('alice', 'AGENT'),
  },
  {
    subject: APPLICATION,
    code: 'ROLE_ALREADY_HELD',
    rule: 'an operator does not approve itself',
    provoke: (chain) => chain.application(OPERATOR, 'HUMAN'),
  },
  {
    subject: APPLICATION,
    code: 'ACTOR_ID_RESERVED',
    rule: 'the first applicant holds the id',
    provoke: (chain) => {
      chain.submit(chain.application('dave', 'HUMAN'));
      return chain.application('dave', 'AGENT', {}, testKey('mallory'));
    },
  },
  {
    subject: APPLICATION,
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'the key of one actor does not become that of another',
    provoke: (chain) => chain.application('dave', 'HUMAN', {}, testKey('alice')),
  },
  {
    subject: APPLICATION,
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'who certifies blocks does not act under the same key',
    provoke: (chain) =>
      chain.application('dave', 'VALIDATOR', {
        profile: {
          ...profileOf('dave', 'VALIDATOR'),
          ...consensusKeyOf('dave', CHAIN_ID, testKey('dave')),
        },
      }),
  },
  applies(
    'CONSENSUS_KEY_PROOF_INVALID',
    'an applicant cannot use the consensus key of another',
    {
      profile: {
        ...profileOf('dave', 'VALIDATOR'),
        consensusPublicKey: testKey('erin consensus').publicKey,
      },
    },
    'VALIDATOR',
  ),
  applies(
    'CONSENSUS_KEY_PROOF_INVALID',
    'a proof made for another actor is none',
    { profile: profileOf('erin', 'VALIDATOR') },
    'VALIDATOR',
  ),
  applies(
    'CONSENSUS_KEY_PROOF_INVALID',
    'a proof made for another chain is none',
    { profile: profileOf('dave', 'VALIDATOR', 'net-elsewhere-1') },
    'VALIDATOR',
  ),
  refuse(
    APPLICATION,
    'ROLE_UNBONDING',
    'a role is taken up again when its bond is back',
    (chain) => {
      chain.fund('alice', BOND).install('alice', 'VERIFIER');
      chain.does('alice', 'resignRole', { actorId: 'alice', role: 'VERIFIER' });
      return chain.application('alice', 'VERIFIER', { applicationId: 'app-again' });
    },
  ),
  ...[INVITE, CLAIM].map((subject) =>
    refuse(subject, 'ROLE_UNBONDING', 'a role resigned meanwhile waits for its bond', (chain) => {
      chain.fund('alice', 2 * BOND);
      const expiresAtHeight = chain.height + 8;
      chain.install('alice', 'VERIFIER', {
        capabilities: [{ action: 'voteWork', expiresAtHeight }],
      });
      chain.ledger.advance(expiresAtHeight - chain.height);
      const applicationId = 'app-again';
      chain.submit(chain.application('alice', 'VERIFIER', { applicationId }));
      if (subject === CLAIM) approved(chain, applicationId);
      chain.does('alice', 'resignRole', { actorId: 'alice', role: 'VERIFIER' });
      return subject === CLAIM
        ? chain.claim('alice', chain.record('application', applicationId)?.invitationId ?? '')
        : chain.intent(OPERATOR, INVITE, { applicationId, independenceGroup: 'group-a' });
    }),
  ),
  refuse(CLAIM, 'RECIPIENT_UNKNOWN', 'bonds are paid out to a registered actor', (chain) => {
    const invitationId = chain.invited('dave', 'HUMAN');
    return chain.claim('dave', invitationId, { payoutActorId: 'nobody-knows' });
  }),
  refuse(CLAIM, 'AGENT_RETIRED', 'bonds are not paid out to the retired', (chain) => {
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'retired' });
    const invitationId = chain.invited('dave', 'HUMAN');
    return chain.claim('dave', invitationId, { payoutActorId: 'bob' });
  }),
  refuse('resignRole', 'ROLE_NOT_HELD', 'a role that is not held is not resigned', (chain) => {
    chain.install('alice', 'GOVERNOR');
    return chain.intent('alice', 'resignRole', { actorId: 'alice', role: 'VERIFIER' });
  }),
  {
    subject: APPLICATION,
    code: 'APPLICATION_PENDING',
    rule: 'a key has one unfinished application, under whatever id',
    provoke: (chain) => {
      chain.submit(chain.application('dave', 'GOVERNOR'));
      return chain.application('erin', 'HUMAN', {}, testKey('dave'));
    },
  },
  applies('APPLICATION_SCOPE_INVALID', 'a human does not vote on work', {
    capabilities: [{ action: 'voteWork' }],
  }),
  applies('APPLICATION_SCOPE_INVALID', 'an applicant cannot ask for all actions', {
    capabilities: [{ action: '*' }],
  }),
  applies('APPLICATION_SCOPE_INVALID', 'an action stands once', {
    capabilities: [
      { action: 'transfer', maxAmount: 1 },
      { action: 'transfer', maxAmount: 2 },
    ],
  }),
  {
    subject: APPLICATION,
    code: 'APPLICATION_SCOPE_INVALID',
    rule: 'a scope is no longer than the policy allows',
    provoke: (chain) =>
      chain.application('dave', 'HUMAN', {
        capabilities: Array.from({ length: Math.min(33, MAX_SCOPE_LENGTH) }, () => ({
          action: 'cancelWorkOrder',
        })),
      }),
  },
  {
    subject: APPLICATION,
    code: 'CAPABILITY_EXPIRED',
    rule: 'an applicant cannot ask for an expired capability',
    provoke: (chain) =>
      chain.application('dave', 'HUMAN', {
        capabilities: [{ action: 'cancelWorkOrder', expiresAtHeight: chain.height }],
      }),
  },
  applies('APPLICATION_PROFILE_INVALID', 'a verifier names its bond', { profile: {} }, 'VERIFIER'),
  applies(
    'APPLICATION_PROFILE_INVALID',
    'the independence group is not for the applicant to say',
    { profile: { bond: BOND, independenceGroup: 'mine' } },
    'VERIFIER',
  ),
  applies('APPLICATION_PROFILE_INVALID', 'a human bonds nothing', { profile: { bond: BOND } }),
  applies(
    'BOND_TOO_SMALL',
    'a verifier bonds at least 100 NET',
    { profile: { bond: BOND - 1 } },
    'VERIFIER',
  ),
  applies(
    'BOND_TOO_SMALL',
    'a validator bonds at least 1,000 NET',
    { profile: { ...profileOf('dave', 'VALIDATOR'), selfBond: 10 * BOND - 1 } },
    'VALIDATOR',
  ),

  {
    subject: INVITE,
    code: 'APPLICATION_UNKNOWN',
    rule: 'only what was applied for is approved',
    provoke: (chain) => chain.intent(OPERATOR, INVITE, { applicationId: 'app-nobody' }),
  },
  {
    subject: INVITE,
    code: 'APPLICATION_NOT_PENDING',
    rule: 'an application is approved once',
    provoke: (chain) => {
      chain.submit(approve(pending(chain)));
      return approve(chain);
    },
  },
  {
    subject: INVITE,
    code: 'APPLICATION_NOT_PENDING',
    rule: 'a rejected application stays rejected',
    provoke: (chain) =>
      approve(pending(chain).does(OPERATOR, REJECT, { applicationId: 'app-alice-VERIFIER' })),
  },
  {
    subject: INVITE,
    code: 'APPLICATION_EXPIRED',
    rule: 'what has expired is not approved',
    provoke: (chain) => {
      pending(chain).ledger.advance(100);
      return approve(chain);
    },
  },
  {
    subject: INVITE,
    code: 'INVITATION_TOO_WIDE',
    rule: 'no action beyond the application',
    provoke: (chain) =>
      approve(pending(chain), { capabilities: [{ action: 'attestProtocolBuild' }] }),
  },
  {
    subject: INVITE,
    code: 'INVITATION_TOO_WIDE',
    rule: 'no later expiry of a capability than applied for',
    provoke: (chain) => {
      const expiresAtHeight = chain.height + 50;
      pending(chain, { capabilities: [{ action: 'voteWork', expiresAtHeight }] });
      return approve(chain, {
        capabilities: [{ action: 'voteWork', expiresAtHeight: expiresAtHeight + 1 }],
      });
    },
  },
  {
    subject: INVITE,
    code: 'INVITATION_TOO_WIDE',
    rule: 'no larger amount than applied for, and none without bound',
    provoke: (chain) => {
      chain.submit(
        chain.application('dave', 'HUMAN', {
          capabilities: [{ action: 'transfer', maxAmount: 1_000 * UNET_PER_NET + 1 }],
        }),
      );
      return chain.intent(OPERATOR, INVITE, {
        applicationId: 'app-dave-HUMAN',
        capabilities: [{ action: 'transfer' }],
      });
    },
  },
  {
    subject: INVITE,
    code: 'INVITATION_TOO_WIDE',
    rule: 'an invitation does not outlive its application',
    provoke: (chain) => approve(pending(chain), { expiresAtHeight: chain.height + 1_000 }),
  },
  {
    subject: INVITE,
    code: 'INVITATION_EXPIRED',
    rule: 'an invitation can be claimed',
    provoke: (chain) => approve(pending(chain), { expiresAtHeight: chain.height }),
  },
  {
    subject: INVITE,
    code: 'INDEPENDENCE_GROUP_INVALID',
    rule: 'a verifier belongs to an independence group',
    provoke: (chain) =>
      pending(chain).intent(OPERATOR, INVITE, { applicationId: 'app-alice-VERIFIER' }),
  },
  {
    subject: INVITE,
    code: 'INDEPENDENCE_GROUP_INVALID',
    rule: 'a governor belongs to none',
    provoke: (chain) => {
      chain.submit(chain.application('dave', 'GOVERNOR'));
      return approve(chain, { applicationId: 'app-dave-GOVERNOR' });
    },
  },
  {
    subject: INVITE,
    code: 'AUTHORITY_REVOKED',
    rule: 'who was revoked meanwhile is not invited',
    provoke: (chain) => approve(revoke(pending(chain), 'alice')),
  },
  {
    subject: INVITE,
    code: 'AUTHORITY_INACTIVE',
    rule: 'who was suspended meanwhile is not invited',
    provoke: (chain) => approve(suspend(pending(chain), 'alice')),
  },
  {
    subject: INVITE,
    code: 'APPLICATION_KEY_MISMATCH',
    rule: 'an application does not survive the rotation of its key',
    provoke: (chain) => approve(rotate(pending(chain), 'alice')),
  },
  {
    subject: INVITE,
    code: 'ROLE_ALREADY_HELD',
    rule: 'who became an agent meanwhile is not invited to become one',
    provoke: (chain) => {
      chain.submit(chain.application('dave', 'AGENT', { capabilities: [{ action: 'transfer' }] }));
      chain.join(['dave']);
      return chain.intent(OPERATOR, INVITE, { applicationId: 'app-dave-AGENT' });
    },
  },
  {
    subject: INVITE,
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'a key that went to another actor meanwhile is not invited',
    provoke: (chain) => {
      chain.submit(chain.application('dave', 'GOVERNOR'));
      chain.register('erin', { key: testKey('dave') });
      return chain.intent(OPERATOR, INVITE, { applicationId: 'app-dave-GOVERNOR' });
    },
  },
  {
    subject: INVITE,
    code: 'APPLICATION_SCOPE_INVALID',
    rule: 'a narrowed scope names each action once too',
    provoke: (chain) =>
      approve(pending(chain), { capabilities: [{ action: 'voteWork' }, { action: 'voteWork' }] }),
  },
  {
    subject: INVITE,
    code: 'CAPABILITY_EXPIRED',
    rule: 'nothing is granted that is over',
    provoke: (chain) => {
      const expiresAtHeight = chain.height + 10;
      pending(chain, { capabilities: [{ action: 'voteWork', expiresAtHeight }] });
      chain.ledger.advance(20);
      return approve(chain);
    },
  },
  {
    subject: INVITE,
    code: 'INSUFFICIENT_BALANCE',
    rule: 'the bond is there when it is approved',
    provoke: (chain) => approve(pending(chain).does('alice', 'transfer', { to: 'bob', amount: 1 })),
  },

  {
    subject: REJECT,
    code: 'APPLICATION_UNKNOWN',
    rule: 'only what was applied for is rejected',
    provoke: (chain) => chain.intent(OPERATOR, REJECT, { applicationId: 'app-nobody' }),
  },
  {
    subject: REJECT,
    code: 'APPLICATION_NOT_PENDING',
    rule: 'what was claimed is revoked, not rejected',
    provoke: (chain) =>
      chain.install('dave', 'HUMAN').intent(OPERATOR, REJECT, { applicationId: 'app-dave-HUMAN' }),
  },
  {
    subject: REJECT,
    code: 'APPLICATION_EXPIRED',
    rule: 'what has expired needs no rejection',
    provoke: (chain) => {
      pending(chain).ledger.advance(100);
      return chain.intent(OPERATOR, REJECT, { applicationId: 'app-alice-VERIFIER' });
    },
  },

  {
    subject: 'transfer',
    code: 'AUTHORITY_REVOKED',
    rule: 'NET cannot go to an actor with a revoked authority',
    provoke: (chain) =>
      revoke(chain.install('dave', 'HUMAN').fund('alice', 1), 'dave').intent('alice', 'transfer', {
        to: 'dave',
        amount: 1,
      }),
  },
  {
    subject: 'revokeAuthority',
    code: 'ACTOR_UNKNOWN',
    rule: 'only an authority is revoked',
    provoke: (chain) => chain.intent(OPERATOR, 'revokeAuthority', { actorId: 'nobody' }),
  },
  {
    subject: 'revokeAuthority',
    code: 'AUTHORITY_PROTECTED',
    rule: 'the operator does not revoke itself',
    provoke: (chain) => chain.intent(OPERATOR, 'revokeAuthority', { actorId: OPERATOR }),
  },
  {
    subject: 'revokeAuthority',
    code: 'AUTHORITY_REVOKED',
    rule: 'an authority is revoked once',
    provoke: (chain) =>
      revoke(chain, 'alice').intent(OPERATOR, 'revokeAuthority', { actorId: 'alice' }),
  },

  {
    subject: CLAIM,
    code: 'PUBLIC_KEY_INVALID',
    rule: 'a text that is not SPKI PEM is no key',
    provoke: (chain) => chain.claim('dave', chain.invited('dave', 'HUMAN'), { publicKey: 'a key' }),
  },
  {
    subject: CLAIM,
    code: 'PUBLIC_KEY_HASH_MISMATCH',
    rule: 'publicKeyHash is the hash of the very PEM text',
    provoke: (chain) =>
      chain.claim('dave', chain.invited('dave', 'HUMAN'), {
        publicKeyHash: testKey('erin').publicKeyHash,
      }),
  },
  {
    subject: CLAIM,
    code: 'SIGNATURE_INVALID',
    rule: 'the key of the application signs the claim',
    provoke: (chain) =>
      chain.claim(
        'dave',
        chain.invited('dave', 'HUMAN'),
        {},
        { ...testKey('dave'), sign: testKey('mallory').sign },
      ),
  },
  {
    subject: CLAIM,
    code: 'CHAIN_ID_MISMATCH',
    rule: 'a claim for another chain stays there',
    provoke: (chain) =>
      chain.claim('dave', chain.invited('dave', 'HUMAN'), { chainId: 'net-elsewhere-1' }),
  },
  {
    subject: CLAIM,
    code: 'INVITATION_UNKNOWN',
    rule: 'only an invitation is claimed',
    provoke: (chain) => chain.claim('dave', '00'.repeat(32)),
  },
  {
    subject: CLAIM,
    code: 'INVITATION_MISMATCH',
    rule: 'an invitation is bound to its key',
    provoke: (chain) => chain.claim('dave', chain.invited('dave', 'HUMAN'), {}, testKey('mallory')),
  },
  {
    subject: CLAIM,
    code: 'INVITATION_MISMATCH',
    rule: 'an invitation is for the actor who applied',
    provoke: (chain) => chain.claim('erin', chain.invited('dave', 'HUMAN'), {}, testKey('dave')),
  },
  {
    subject: CLAIM,
    code: 'VERIFIER_ROSTER_FULL',
    rule: 'committees are drawn from a bounded number of verifiers',
    provoke: (chain) => {
      const invitationId = chain.fund('alice', BOND).invited('alice', 'VERIFIER');
      chain.ledger.seed('verifier-roster', 'active', {
        verifiers: Array.from({ length: MAX_ROSTER }, (_, i) => ({
          verifierId: `v-${i}`,
          independenceGroup: 'g',
          bondedAtHeight: 0,
        })),
      });
      return chain.claim('alice', invitationId);
    },
  },
  {
    subject: CLAIM,
    code: 'INVITATION_CLAIMED',
    rule: 'an invitation is claimed once',
    provoke: (chain) => {
      const invitationId = chain.invited('dave', 'HUMAN');
      chain.submit(chain.claim('dave', invitationId));
      return chain.claim('dave', invitationId);
    },
  },
  {
    subject: CLAIM,
    code: 'INVITATION_WITHDRAWN',
    rule: 'a rejection withdraws the invitation',
    provoke: (chain) => {
      const invitationId = chain.invited('dave', 'HUMAN');
      chain.does(OPERATOR, REJECT, { applicationId: 'app-dave-HUMAN' });
      return chain.claim('dave', invitationId);
    },
  },
  {
    subject: CLAIM,
    code: 'INVITATION_EXPIRED',
    rule: 'an invitation is over when its height is the current one',
    provoke: (chain) => {
      const expiresAtHeight = chain.height + 10;
      const invitationId = chain.invited('dave', 'HUMAN', { expiresAtHeight });
      chain.ledger.advance(expiresAtHeight - chain.height);
      return chain.claim('dave', invitationId);
    },
  },
  ...(
    [
      ['AUTHORITY_REVOKED', 'a revocation outruns the claim', revoke],
      ['AUTHORITY_INACTIVE', 'a suspended agent claims nothing', suspend],
      ['APPLICATION_KEY_MISMATCH', 'a rotated-out key claims no more', rotate],
    ] as const
  ).map(([code, rule, meanwhile]) =>
    refuse(CLAIM, code, rule, (chain) => {
      const invitationId = chain.invited('alice', 'HUMAN');
      return meanwhile(chain, 'alice').claim('alice', invitationId);
    }),
  ),
  {
    subject: CLAIM,
    code: 'ROLE_ALREADY_HELD',
    rule: 'who registered meanwhile is an agent already',
    provoke: (chain) => {
      const invitationId = chain.invited('dave', 'AGENT');
      return chain.join(['dave']).claim('dave', invitationId);
    },
  },
  {
    subject: CLAIM,
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'a key that went to another actor meanwhile installs nothing',
    provoke: (chain) => {
      const invitationId = chain.invited('dave', 'HUMAN');
      chain.register('erin', { key: testKey('dave') });
      return chain.claim('dave', invitationId);
    },
  },
  {
    subject: CLAIM,
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'a claim fails if its consensus key was registered meanwhile',
    provoke: (chain) => {
      const invitationId = chain.fund('alice', 10 * BOND).invited('alice', 'VALIDATOR');
      chain.register('erin', { key: testKey('alice consensus') });
      return chain.claim('alice', invitationId);
    },
  },
  {
    subject: CLAIM,
    code: 'CAPABILITY_EXPIRED',
    rule: 'nothing is installed that is over',
    provoke: (chain) => {
      const expiresAtHeight = chain.height + 10;
      const capabilities = [{ action: 'cancelWorkOrder', expiresAtHeight }];
      const invitationId = chain.invited('dave', 'HUMAN', { capabilities });
      chain.ledger.advance(10);
      return chain.claim('dave', invitationId);
    },
  },
  {
    subject: CLAIM,
    code: 'INSUFFICIENT_BALANCE',
    rule: 'the bond is there when it is claimed',
    provoke: (chain) => {
      const invitationId = chain.fund('alice', BOND).invited('alice', 'VERIFIER');
      chain.does('alice', 'transfer', { to: 'bob', amount: 1 });
      return chain.claim('alice', invitationId);
    },
  },
];
