/** Roles over time: drawing, expiry, renewal, resignation and revocation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UNET_PER_NET, type ProtectiveDelay } from '@netd/protocol';
import { hashOfDigit, testKey, workOrderOf } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { accepted, verdictOf } from '../../testing/expectations.ts';
import { OPERATOR, TestChain } from '../../testing/test-chain.ts';
import { committeeOf, conflictingVotes, orderIn, pass, vote } from '../../testing/work.ts';

const BOND = 100 * UNET_PER_NET;
const UNBONDING: ProtectiveDelay = { heights: 5, milliseconds: 20_000 };
const POLICY = {
  operators: { ...DEVNET_POLICY.operators, unbondingDelay: UNBONDING },
  work: {
    ...DEVNET_POLICY.work,
    verifyWithin: { heights: 10, milliseconds: 1_000 },
    minimumSpans: { ...DEVNET_POLICY.work.minimumSpans, verify: { heights: 1, milliseconds: 1 } },
    disputeWindow: { heights: 1, milliseconds: 1 },
  },
};
const chainWith = (...agents: string[]): TestChain =>
  new TestChain({ policy: POLICY }).join(agents, ['transfer', 'createWorkOrder']);

function verifier(chain: TestChain, actorId: string, expiresAtHeight?: number): TestChain {
  return chain.fund(actorId, BOND).install(actorId, 'VERIFIER', {
    applicationId: chain.freshNonce(),
    capabilities: [
      { action: 'voteWork', ...(expiresAtHeight === undefined ? {} : { expiresAtHeight }) },
    ],
  });
}
/** Brings an order to review. */
function handIn(chain: TestChain, orderId: string, worker: string): void {
  chain
    .does('alice', 'createWorkOrder', workOrderOf(orderId))
    .does(worker, 'acceptWork', { orderId, agentId: worker })
    .does(worker, 'submitWorkResult', {
      orderId,
      agentId: worker,
      deliverableHash: hashOfDigit('d'),
    })
    .block([]);
}
const balanceOf = (chain: TestChain, id: string): number =>
  chain.record('account', id)?.balance ?? 0;
const resign = (chain: TestChain, actorId: string, role = 'VERIFIER'): TestChain =>
  chain.does(actorId, 'resignRole', { actorId, role });

/** Half of the verifiers cannot vote any more, so none of them may be drawn. */
test('only members who can vote are drawn, so none of twelve orders times out', () => {
  const able = ['vera', 'vito', 'viki'];
  const expired = ['waldo', 'wanda', 'willi'];
  // One worker per order, because unproven agents hold two at most.
  const workers = Array.from({ length: 12 }, (_, i) => `worker-${i}`);
  const chain = chainWith('alice', ...workers, ...able, ...expired);
  const soon = chain.height + 30;
  for (const actorId of expired) verifier(chain, actorId, soon);
  for (const actorId of able) verifier(chain, actorId);
  chain.ledger.advance(soon - chain.height);
  chain.fund('alice', 1_000 * UNET_PER_NET);
  let timedOut = 0;
  for (const [i, worker] of workers.entries()) {
    const orderId = `o-${i}`;
    handIn(chain, orderId, worker);
    // All able members vote.
    for (let round = 0; round < 2 && orderIn(chain, orderId).phase === 'REVIEW'; round++) {
      for (const verifierId of committeeOf(chain, orderId)) {
        if (orderIn(chain, orderId).phase === 'REVIEW') vote(chain, verifierId, 'ACCEPT', orderId);
      }
      if (orderIn(chain, orderId).phase === 'REVIEW') pass(chain, POLICY.work.verifyWithin);
    }
    if (orderIn(chain, orderId).phase !== 'VERIFIED') timedOut++;
  }
  assert.equal(timedOut, 0);
});

test('a member whose capability ends before the round is not drawn', () => {
  const chain = chainWith('alice', 'bob', 'vera', 'vito', 'viki');
  const { heights } = POLICY.work.verifyWithin;
  verifier(chain, 'vera');
  verifier(chain, 'vito');
  // The round ends `heights` after the fourth block from here.
  verifier(chain, 'viki', chain.height + 5);
  const last = chain.record('authority', 'viki')?.capabilities[0]?.expiresAtHeight ?? 0;
  assert.ok(last < chain.height + heights);
  handIn(chain.fund('alice', 100 * UNET_PER_NET), 'o-1', 'bob');
  assert.deepEqual(committeeOf(chain).toSorted(), ['vera', 'vito']);
});

describe('a renewed role', () => {
  test('keeps its bond, its votes and its seniority, and gets new capabilities', () => {
    const chain = chainWith('vera');
    verifier(chain, 'vera', chain.height + 10);
    const before = chain.record('verifier', 'vera')!;
    chain.ledger.advance(10);
    chain.install('vera', 'VERIFIER', { applicationId: 'again' });
    assert.deepEqual(chain.record('verifier', 'vera'), before);
    assert.deepEqual(chain.record('authority', 'vera')?.roles, ['AGENT', 'VERIFIER']);
    assert.equal(chain.record('supply', 'bonds'), BOND);
    assert.equal(chain.record('counter', 'active-verifiers'), 1);
    assert.equal(chain.record('counter', 'verifier-groups'), 1);
    assert.equal(chain.record('group-members', 'verifier-groups:group-vera'), 1);
  });
  test('replaces what evidence took from its bond', () => {
    const chain = chainWith('alice', 'bob', 'vera', 'vito').fund('alice', 100 * UNET_PER_NET);
    verifier(chain, 'vito');
    verifier(chain, 'vera', chain.height + 40);
    handIn(chain, 'o-1', 'bob');
    chain.does(OPERATOR, 'submitVerifierEvidence', conflictingVotes(chain, 'vera'));
    chain.ledger.advance(40);
    const again = { applicationId: 'again' };
    assert.throws(() => chain.install('vera', 'VERIFIER', again), /INSUFFICIENT_BALANCE/);
    chain.fund('vera', BOND / 10).does(OPERATOR, 'createOperatorInvitation', {
      applicationId: 'again',
      independenceGroup: 'group-vera',
    });
    const invitationId = chain.record('application', 'again')?.invitationId ?? '';
    accepted(chain.submit(chain.claim('vera', invitationId)));
    assert.equal(chain.record('verifier', 'vera')?.bond, BOND);
    assert.equal(balanceOf(chain, 'vera'), 0);
  });
  test('of a validator keeps its consensus key and its delegations', () => {
    const chain = chainWith('vera');
    chain.fund('vera', 1_000 * UNET_PER_NET).install('vera', 'VALIDATOR', {
      capabilities: [{ action: 'submitValidatorHeartbeat', expiresAtHeight: chain.height + 10 }],
    });
    chain.does(OPERATOR, 'delegate', { validatorId: 'vera', amount: UNET_PER_NET });
    const before = chain.record('validator-candidate', 'vera')!;
    chain.ledger.advance(10);
    chain.install('vera', 'VALIDATOR', { applicationId: 'again' });
    assert.deepEqual(chain.record('validator-candidate', 'vera'), before);
    assert.deepEqual(chain.record('validator-roster', 'active'), { validatorIds: ['vera'] });
    assert.equal(chain.record('counter', 'active-validator-candidates'), 1);
  });
});

describe('a resigned role', () => {
  test('ends at once, and its bond comes back after the unbonding delay with an event', () => {
    const chain = verifier(chainWith('vera'), 'vera');
    const [event] = accepted(
      chain.act('vera', 'resignRole', { actorId: 'vera', role: 'VERIFIER' }),
    );
    assert.equal(event?.type, 'RoleResigned');
    assert.equal(event?.data['bonded'], BOND);
    assert.deepEqual(chain.record('authority', 'vera')?.roles, ['AGENT']);
    assert.deepEqual(chain.record('verifier-roster', 'active'), { verifiers: [] });
    assert.equal(verdictOf(vote(chain, 'vera', 'ACCEPT')), 'CAPABILITY_MISSING');
    assert.equal(balanceOf(chain, 'vera'), 0);
    pass(chain, UNBONDING);
    assert.equal(balanceOf(chain, 'vera'), BOND);
    assert.equal(chain.record('resignation', 'VERIFIER/vera'), undefined);
    assert.deepEqual(chain.ledger.blocks.at(-1)?.events[0], {
      type: 'RoleBondReleased',
      transitionIndex: 0,
      data: { actorId: 'vera', role: 'VERIFIER', amount: BOND },
    });
  });
  test('stays within reach of evidence until then', () => {
    const chain = chainWith('alice', 'bob', 'vera', 'vito').fund('alice', 100 * UNET_PER_NET);
    handIn(verifier(verifier(chain, 'vito'), 'vera'), 'o-1', 'bob');
    const votes = conflictingVotes(chain, 'vera');
    resign(chain, 'vera').does(OPERATOR, 'submitVerifierEvidence', votes);
    pass(chain, UNBONDING);
    assert.equal(balanceOf(chain, 'vera'), BOND - BOND / 10);
  });
  test('is resigned although its capabilities have expired', () => {
    const chain = chainWith('vera');
    verifier(chain, 'vera', chain.height + 5);
    chain.ledger.advance(10);
    resign(chain, 'vera');
  });
  test('can be taken up again, as a new one, when its bond is back', () => {
    const chain = resign(verifier(chainWith('vera'), 'vera'), 'vera');
    pass(chain, UNBONDING);
    const { height } = chain;
    chain.install('vera', 'VERIFIER', { applicationId: 'again' });
    assert.ok((chain.record('verifier', 'vera')?.bondedAtHeight ?? 0) > height);
    assert.equal(chain.record('verifier', 'vera')?.bond, BOND);
    assert.equal(chain.record('counter', 'active-verifiers'), 1);
  });
  test('of several leaves the others', () => {
    const chain = verifier(chainWith('vera'), 'vera').install('vera', 'AUDITOR');
    resign(chain, 'vera', 'AUDITOR');
    assert.deepEqual(chain.record('authority', 'vera')?.roles, ['AGENT', 'VERIFIER']);
    assert.equal(chain.record('verifier', 'vera')?.active, true);
    assert.equal(chain.record('auditor', 'vera')?.active, false);
    assert.equal(chain.record('counter', 'active-auditors'), 0);
  });
});

describe('the bond of a revoked actor', () => {
  const revokedWith = (payoutActorId?: string): TestChain => {
    const chain = chainWith('vera', 'bob').fund('vera', BOND);
    const invitationId = chain.invited('vera', 'VERIFIER');
    const members = payoutActorId === undefined ? {} : { payoutActorId };
    accepted(chain.submit(chain.claim('vera', invitationId, members)));
    return chain.does(OPERATOR, 'revokeAuthority', { actorId: 'vera' });
  };
  test('goes to the account named at the claim, because its own account is unusable', () => {
    const chain = pass(revokedWith('bob'), UNBONDING);
    assert.deepEqual([balanceOf(chain, 'vera'), balanceOf(chain, 'bob')], [0, BOND]);
    assert.deepEqual(chain.ledger.blocks.at(-1)?.events[0]?.data, {
      actorId: 'vera',
      payoutActorId: 'bob',
      amount: BOND,
    });
  });
  test('goes to its own account if it named none', () => {
    assert.equal(balanceOf(pass(revokedWith(), UNBONDING), 'vera'), BOND);
  });
  test('that it had resigned before is paid out once, with the rest', () => {
    const chain = chainWith('vera', 'bob').fund('vera', BOND);
    const invitationId = chain.invited('vera', 'VERIFIER');
    accepted(chain.submit(chain.claim('vera', invitationId, { payoutActorId: 'bob' })));
    resign(chain, 'vera').does(OPERATOR, 'revokeAuthority', { actorId: 'vera' });
    pass(chain, UNBONDING);
    assert.deepEqual([balanceOf(chain, 'vera'), balanceOf(chain, 'bob')], [0, BOND]);
    assert.equal(chain.record('supply', 'bonds'), 0);
  });
});

test('a consensus key needs a proof, so that it cannot be claimed for another actor', () => {
  const chain = chainWith('vera').fund('vera', 1_000 * UNET_PER_NET);
  const stolen = testKey('dora consensus').publicKey;
  const { profile } = chain.application('vera', 'VALIDATOR').envelope as {
    profile: Record<string, unknown>;
  };
  const theft = chain.application('vera', 'VALIDATOR', {
    profile: { ...profile, consensusPublicKey: stolen } as never,
  });
  assert.equal(verdictOf(chain.submit(theft)), 'CONSENSUS_KEY_PROOF_INVALID');
  chain.install('vera', 'VALIDATOR');
});
