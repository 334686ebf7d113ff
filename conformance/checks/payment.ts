/** An order up to its payment, with verifiers invited by an operator. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { genesisOf } from '../certified-state.ts';
import { check } from '../check.ts';
import { Skip } from '../skip.ts';
import { expectMember, expectProblem, mentions, textOf } from '../expect.ts';
import type { Network } from '../network.ts';
import { hashOf, orderOf } from './payloads.ts';
import { inRole } from './roles.ts';

const VERIFIERS = ['first', 'second', 'third'];
/** A devnet's dispute window takes half a minute. */
const WINDOW_MILLISECONDS = 90_000;
const PAUSE_MILLISECONDS = 500;
/** The largest committee, so that other verifiers on the chain leave seats for these. */
const COMMITTEE = 15;

const verified = (net: Network) =>
  net.once('verified work', async () => {
    for (const name of VERIFIERS) {
      await inRole(net, `verifier-${name}`, 'VERIFIER', {
        actions: ['voteWork'],
        invitation: { independenceGroup: net.id(name) },
      });
    }
    const recruiter = await net.agent('paid-recruiter');
    const worker = await net.agent('paid-worker', { referrerAgentId: recruiter.actorId });
    const orderId = net.fresh('order');
    // A smaller reward counts for nothing beyond its payment.
    const { policy } = (await genesisOf(net.http)).genesis;
    const order = orderOf(orderId, {
      funding: policy.work.minimumFunding,
      // Other members of the committee may stay silent, and sealed votes would wait for them.
      sealedVotes: false,
      validationPolicy: {
        schema: 'NET-WORK-VALIDATION-POLICY/1',
        mode: 'INDEPENDENT_REVIEW',
        proofTypes: ['ARTIFACT_HASH'],
        requiredAccepts: 2,
        minIndependentGroups: 2,
        committeeSize: COMMITTEE,
        sampleRateBps: 0,
      },
    });
    await net.does(await net.spender('requester'), 'createWorkOrder', order);
    const { actorId: agentId } = worker;
    await net.does(worker, 'acceptWork', { orderId, agentId });
    const result = { orderId, agentId, deliverableHash: hashOf('d') };
    await net.does(worker, 'submitWorkResult', result);
    // The next block draws the committee.
    await net.pass(1);
    let accepts = 0;
    for (const name of VERIFIERS) {
      const { actorId: verifierId, key } = await net.agent(`verifier-${name}`);
      const vote = { orderId, verifierId, vote: 'ACCEPT', evidenceHash: hashOf('e') };
      const { status, body } = await net.tries({ actorId: verifierId, key }, 'voteWork', vote);
      if (status === 201) accepts++;
      else assert.match(textOf(body['code']), /^(NOT_COMMITTEE_MEMBER|WORK_NOT_IN_VERIFICATION)$/);
    }
    if (accepts < 2) throw new Skip('the committee was drawn from verifiers that are not ours');
    return { orderId, recruiter, worker };
  });

export const VOTE_CHECKS = [
  check(
    'votes show in the audit, and nothing is paid while the work can be disputed',
    ['audit.votes', 'audit.receipt', 'order.status.VERIFYING', 'referral.qualified'],
    async (net) => {
      const { orderId, recruiter, worker } = await verified(net);
      const audit = await net.http.document(`/v1/work-orders/${orderId}/audit`);
      assert.ok(mentions(audit, net.id('verifier-first')), 'a vote is missing');
      assert.ok(mentions(audit, '"WorkVerified"'));
      assert.equal(expectMember(audit, /^status$/, 'the status'), 'VERIFYING');
      const path = `/v1/referrals?referrer=${recruiter.actorId}`;
      const [referral] = (await net.http.document(path))['referrals'] as JsonObject[];
      assert.equal(referral?.['status'], 'pending', 'work that is not paid qualified a referral');
      const early = await net.tries(worker, 'settleVerifiedWork', { orderId });
      if (early.status !== 201) expectProblem(early, 409, 'DISPUTE_WINDOW_OPEN');
    },
  ),
];

export const PAYMENT_CHECKS = [
  check(
    'verified work is paid, has a receipt, and qualifies the referral',
    ['order.status.PAID', 'referral.qualified', 'lineage.qualification', 'audit.receipt'],
    async (net) => {
      const { orderId, recruiter, worker } = await verified(net);
      const deadline = Date.now() + WINDOW_MILLISECONDS;
      for (;;) {
        const { status, body } = await net.tries(worker, 'settleVerifiedWork', { orderId });
        if (status === 201 || body['code'] === 'WORK_NOT_VERIFIED') break;
        assert.equal(body['code'], 'DISPUTE_WINDOW_OPEN');
        if (Date.now() > deadline) throw new Skip('the dispute window of this chain is long');
        // The window needs both heights and time.
        await net.pass(1);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
      }
      const { orders } = await net.http.document('/v1/work-orders?status=PAID&limit=1000');
      assert.ok(mentions(orders ?? [], `"${orderId}"`), 'the order is not listed as PAID');
      const audit = await net.http.document(`/v1/work-orders/${orderId}/audit`);
      assert.ok(mentions(audit, '"WorkOrderPaid"'));
      const path = `/v1/referrals?referrer=${recruiter.actorId}`;
      const [referral] = (await net.http.document(path))['referrals'] as JsonObject[];
      assert.equal(referral?.['status'], 'qualified');
      const lineage = await net.http.document(`/v1/agent-lineage/${recruiter.actorId}`);
      assert.ok(mentions(lineage, `"${orderId}"`), 'the lineage names no receipt');
    },
  ),

  check(
    'verifiers of this run leave, so that later committees are drawn without them',
    ['order.status.PAID'],
    async (net) => {
      const operator = await net.operator();
      await verified(net);
      for (const name of VERIFIERS) {
        const { actorId } = await net.agent(`verifier-${name}`);
        await net.does(operator, 'revokeAuthority', { actorId, reason: 'a check is over' });
      }
    },
  ),
];
