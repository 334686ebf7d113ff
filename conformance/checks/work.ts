/** Work orders from offer to verification, and their documents. */
import assert from 'node:assert/strict';
import {
  canonicalize,
  hashValue,
  verifyMerkleProof,
  type JsonObject,
  type MerkleProof,
} from '@netd/protocol';
import { check } from '../check.ts';
import {
  expectFingerprint,
  expectMember,
  expectPayloadInvalid,
  expectProblem,
  HASH,
  membersOf,
  mentions,
  textOf,
} from '../expect.ts';
import type { Network } from '../network.ts';
import { ABSENT, hashOf, memberCheck, orderOf, replaced, type Sender } from './payloads.ts';

async function offered(net: Network, members: JsonObject = {}): Promise<string> {
  const requester = await net.spender('requester');
  const orderId = net.fresh('order');
  await net.does(requester, 'createWorkOrder', orderOf(orderId, members));
  return orderId;
}

async function taken(net: Network, worker = 'worker'): Promise<string> {
  const orderId = await offered(net);
  const { actorId: agentId, key } = await net.agent(worker);
  await net.does({ actorId: agentId, key }, 'acceptWork', { orderId, agentId });
  return orderId;
}

const resultOf = (orderId: string, agentId: string): JsonObject => ({
  orderId,
  agentId,
  deliverableHash: hashOf('d'),
});

const handedIn = (net: Network): Promise<string> =>
  net.once('order with result', async () => {
    const orderId = await taken(net);
    const worker = await net.agent('worker');
    await net.does(worker, 'submitWorkResult', resultOf(orderId, worker.actorId));
    return orderId;
  });

/** Submits a result for an accepted order. A committed one uses up the order; the next call takes a new one. */
const submit: Sender = async (net, members, without) => {
  // Unfinished orders per agent are limited, so each order here has its own worker.
  const name = `hands-in-${net.count('results')}`;
  const orderId = await net.once(name, () => taken(net, name));
  const worker = await net.agent(name);
  const payload = replaced(resultOf(orderId, worker.actorId), members, without);
  const answer = await net.tries(worker, 'submitWorkResult', payload);
  if (answer.status === 201) net.next('results');
  return answer;
};
/** Returns the public record, at whatever depth the document has it. */
async function recordOf(net: Network, orderId: string): Promise<JsonObject> {
  const document = await net.http.document(`/v1/work-orders/${orderId}`);
  for (const [, , value] of membersOf({ document })) {
    const record = value as JsonObject;
    if (record !== null && typeof record === 'object' && record['orderId'] === orderId) {
      return record;
    }
  }
  throw new Error(`/v1/work-orders/${orderId} holds no order of that id`);
}

async function listed(net: Network, query: string): Promise<JsonObject[]> {
  const list = await net.http.document(`/v1/work-orders?${query}`);
  return list['orders'] as JsonObject[];
}

async function expectListed(net: Network, orderId: string, query: string): Promise<void> {
  const ids = (await listed(net, `${query}&limit=1000`)).map((order) => order['orderId']);
  assert.ok(ids.includes(orderId), `${query} does not list ${orderId}`);
}

/** Returns every page of the opportunity index. */
async function opportunities(net: Network): Promise<string> {
  let text = '';
  for (let cursor = ''; ;) {
    const index = await net.http.document(`/v1/agent-opportunities${cursor}`);
    text += canonicalize(index);
    const next = index['nextCursor'];
    if (typeof next !== 'string') return text;
    cursor = `?cursor=${next}`;
  }
}

export const WORK_CHECKS = [
  check(
    'work for everybody begins OPEN on the open market',
    [
      'post.work-orders',
      'post.work-orders.market',
      'order.mode.OPEN_MARKET',
      'order.status.OPEN',
      'get.work-order',
      'get.work-orders',
      'get.work-orders.status',
      'get.work-orders.assignmentMode',
      'service.work-both-ways',
      'id.order',
    ],
    async (net) => {
      const requester = await net.spender('requester');
      const orderId = net.fresh('order');
      const intent = await net.intent(requester, 'createWorkOrder', orderOf(orderId));
      const answer = await net.http.post('/v1/work-orders', intent);
      assert.equal(answer.status, 201, 'the order was not committed');
      const order = await recordOf(net, orderId);
      assert.equal(order['status'], 'OPEN');
      assert.equal(order['assignmentMode'], 'OPEN_MARKET');
      await expectListed(net, orderId, 'status=OPEN');
      await expectListed(net, orderId, 'assignmentMode=OPEN_MARKET');
      await expectListed(net, orderId, 'status=OPEN&assignmentMode=OPEN_MARKET');
      for (const { status, assignmentMode } of await listed(
        net,
        'status=OPEN&assignmentMode=OPEN_MARKET',
      )) {
        assert.deepEqual([status, assignmentMode], ['OPEN', 'OPEN_MARKET']);
      }
    },
  ),

  check(
    'work for one agent is TARGETED, and no other can take it',
    ['order.mode.TARGETED', 'get.work-orders.agentId', 'service.work-both-ways'],
    async (net) => {
      const chosen = await net.agent('chosen');
      const orderId = await offered(net, { agentId: chosen.actorId });
      assert.equal((await recordOf(net, orderId))['assignmentMode'], 'TARGETED');
      await expectListed(net, orderId, `agentId=${chosen.actorId}`);
      await expectListed(net, orderId, 'assignmentMode=TARGETED');
      const other = await net.agent('worker');
      const claim = { orderId, agentId: other.actorId };
      expectProblem(await net.tries(other, 'acceptWork', claim), 409, 'WORK_TARGETED');
      assert.deepEqual(await listed(net, `agentId=${net.id('absent')}`), []);
    },
  ),

  check(
    'an order is taken, a result is handed in, and both show',
    [
      'order.status.ACCEPTED',
      'order.status.VERIFYING',
      'auth.action.acceptWork',
      'auth.action.submitWorkResult',
    ],
    async (net) => {
      const orderId = await taken(net);
      const worker = await net.agent('worker');
      assert.equal((await recordOf(net, orderId))['status'], 'ACCEPTED');
      await expectListed(net, orderId, 'status=ACCEPTED');
      const late = await net.agent('too-late');
      const second = { orderId, agentId: late.actorId };
      expectProblem(await net.tries(late, 'acceptWork', second), 409, 'WORK_ORDER_NOT_OPEN');
      await net.does(worker, 'submitWorkResult', resultOf(orderId, worker.actorId));
      assert.equal((await recordOf(net, orderId))['status'], 'VERIFYING');
      await expectListed(net, orderId, 'status=VERIFYING');
    },
  ),

  check('an order that is withdrawn ends as REJECTED', ['order.status.REJECTED'], async (net) => {
    const orderId = await offered(net);
    await net.does(await net.spender('requester'), 'cancelWorkOrder', { orderId });
    assert.equal((await recordOf(net, orderId))['status'], 'REJECTED');
    await expectListed(net, orderId, 'status=REJECTED');
  }),

  check(
    'PAID can be asked for, and other statuses and modes cannot',
    ['order.status.PAID', 'order.status.closed', 'get.work-orders.status'],
    async (net) => {
      for (const { status } of await listed(net, 'status=PAID')) assert.equal(status, 'PAID');
      for (const query of ['status=DONE', 'status=open', 'assignmentMode=AUCTION', 'status=']) {
        const answer = await net.http.get(`/v1/work-orders?${query}`);
        expectProblem(answer, 400, 'PARAMETER_INVALID');
      }
    },
  ),

  memberCheck(['result.orderId'], 'orderId', submit, { bad: [ABSENT, 7] }),
  memberCheck(['result.agentId'], 'agentId', submit, { bad: [ABSENT, 7] }),
  memberCheck(['result.deliverableHash'], 'deliverableHash', submit, {
    bad: [ABSENT, 7],
    good: [hashOf('0')],
  }),
  memberCheck(['result.evidence', 'result.evidence.members'], 'evidence', submit, {
    bad: [
      'text',
      { schema: 'NET-WORK-EVIDENCE/2' },
      { proofType: 7 },
      { artifactHash: 7 },
      { uri: 'no address' },
    ],
    good: [
      ABSENT,
      {
        schema: 'NET-WORK-EVIDENCE/1',
        artifactHash: hashOf('a'),
        uri: 'urn:store:result',
      },
    ],
  }),

  check(
    'an order that does not exist is 404 everywhere',
    ['error.order-404', 'error.order-brief-404', 'error.order-audit-404'],
    async (net) => {
      for (const part of ['', '/brief', '/audit']) {
        const path = `/v1/work-orders/${net.id('no-order')}${part}`;
        expectProblem(await net.http.get(path), 404, 'WORK_ORDER_NOT_FOUND');
      }
    },
  ),

  check(
    'a brief holds what an agent needs before it accepts',
    [
      'get.work-order.brief',
      'document.agent-work-brief',
      'brief.facts',
      'brief.availability',
      'brief.accept-shape',
      'brief.verification',
      'brief.scope',
      'brief.boundaries',
    ],
    async (net) => {
      const orderId = await offered(net);
      const brief = await net.http.document(`/v1/work-orders/${orderId}/brief`);
      assert.equal(brief['schema'], 'NET-AGENT-WORK-BRIEF/1');
      const facts = expectMember(brief, /^order$/, 'the facts') as JsonObject;
      assert.deepEqual([facts['orderId'], facts['funding']], [orderId, 1_000_000]);
      expectMember(brief, /availab/i, 'availability');
      expectMember(brief, /verification/i, 'the way of verification');
      assert.equal(expectMember(brief, /^scopeHash$/, 'the scope'), hashOf('5'));
      expectMember(brief, /scope(check)?s?$/i, 'the checks of the scope');
      const boundaries = expectMember(brief, /boundar/i, 'boundaries') as unknown[];
      assert.ok(boundaries.length > 0);
      const shape = expectMember(brief, /^acceptWork$/, 'the payload of acceptWork');
      assert.ok(mentions(shape, '"acceptWork"') && mentions(shape, `"${orderId}"`));
      // A taken order cannot be accepted again.
      const { actorId: agentId, key } = await net.agent('briefed');
      await net.does({ actorId: agentId, key }, 'acceptWork', { orderId, agentId });
      const after = await net.http.document(`/v1/work-orders/${orderId}/brief`);
      assert.equal(expectMember(after, /^acceptWork$/, 'the payload of acceptWork'), null);
    },
  ),

  check(
    'an audit holds the record, the result, the votes, the receipt and a timeline that proves itself',
    [
      'get.work-order.audit',
      'document.work-audit',
      'audit.record',
      'audit.result',
      'audit.votes',
      'audit.receipt',
      'audit.timeline',
      'audit.commitments',
      'audit.integrity',
      'events.audit-timeline',
    ],
    async (net) => {
      const orderId = await handedIn(net);
      const audit = await net.http.document(`/v1/work-orders/${orderId}/audit`);
      assert.equal(audit['schema'], 'NET-WORK-AUDIT/1');
      assert.ok(mentions(expectMember(audit, /^order$/, 'the record'), `"${orderId}"`));
      assert.ok(mentions(expectMember(audit, /^result$/, 'the result'), hashOf('d')));
      expectMember(audit, /vote/i, 'the votes');
      expectMember(audit, /receipt/i, 'the receipt');
      expectMember(audit, /integrity/i, 'the integrity of the chain');
      const timeline = expectMember(audit, /timeline/i, 'the timeline') as JsonObject;
      const events = (Array.isArray(timeline) ? timeline : timeline['events']) as JsonObject[];
      const types = events.map(({ type }) => type);
      const expected = ['WorkOrderCreated', 'WorkAccepted', 'WorkResultSubmitted'];
      assert.deepEqual(
        types.filter((type) => expected.includes(textOf(type))),
        expected,
      );
      for (const event of events) {
        const { type = null, transitionIndex = null, data = null, proof } = event;
        const hash = hashValue({ type, transitionIndex, data });
        assert.equal(event['eventHash'], hash, 'an event is not what its hash says');
        const block = event['block'] as JsonObject;
        assert.match(textOf(block['blockHash']), HASH);
        if (proof === null) continue;
        const root = textOf(block['eventsRoot']);
        assert.ok(
          verifyMerkleProof(hash, proof as unknown as MerkleProof, root),
          `event ${textOf(event['id'])} is not under the root of its block`,
        );
      }
    },
  ),

  check(
    'the opportunity index lists open-market work while it can be taken, and nothing else',
    [
      'get.agent-opportunities',
      'document.agent-opportunity-index',
      'opportunities.current-open-market',
      'fingerprint.opportunityIndexHash',
    ],
    async (net) => {
      const open = await offered(net);
      const { actorId } = await net.agent('chosen');
      const targeted = await offered(net, { agentId: actorId });
      const gone = await taken(net, 'takes-one');
      const index = await net.http.document('/v1/agent-opportunities');
      assert.equal(index['schema'], 'NET-AGENT-OPPORTUNITY-INDEX/1');
      expectFingerprint(index, 'evidence.opportunityIndexHash');
      assert.match(textOf(index['opportunityIndexHash']), /^[a-f0-9]{64}$/);
      const text = await opportunities(net);
      assert.ok(text.includes(`"${open}"`), 'an open order is missing');
      assert.ok(!text.includes(`"${targeted}"`), 'an order for one agent is listed');
      assert.ok(!text.includes(`"${gone}"`), 'an order that was taken is listed');
    },
  ),

  check('private scope never gets in: only its hash does', ['reads.hide-private'], async (net) => {
    const requester = await net.spender('requester');
    const order = orderOf(net.fresh('order'), { scope: 'what is to be done in private' });
    expectPayloadInvalid(await net.tries(requester, 'createWorkOrder', order), 'scope');
  }),
];
