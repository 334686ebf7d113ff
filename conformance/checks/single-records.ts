/** Documents about one agent or order show its certified records. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { expectSame } from '../as-in-state.ts';
import {
  certifiedBlock,
  certifiedState,
  documentWithState,
  type CertifiedState,
} from '../certified-state.ts';
import { check } from '../check.ts';
import { expectFingerprint, textOf } from '../expect.ts';
import type { Http } from '../http.ts';
import type { Network } from '../network.ts';
import { expectIntegrity } from './counts.ts';

/** Returns agents with rich records: recruits and recruiters. */
async function recruits(net: Network): Promise<string[]> {
  const state = await certifiedState(net.http);
  const pairs = state.collection('referral').slice(-2);
  const ids = pairs.flatMap(([id, { referrerAgentId }]) => [id, textOf(referrerAgentId)]);
  assert.ok(ids.length > 0, 'no agent was ever recruited here');
  return [...new Set(ids)];
}

/** Returns the worker and requester of the last accepted order. */
async function workers(net: Network): Promise<string[]> {
  const state = await certifiedState(net.http);
  const [, order] = state.collection('order').findLast(([, one]) => one['workerId'] !== null) ?? [];
  return order ? [textOf(order['workerId']), textOf(order['requesterId'])] : [];
}

/** Returns an order of each existing status. */
async function orders(net: Network): Promise<string[]> {
  const state = await certifiedState(net.http);
  const found = new Map(state.collection('order').map(([id, { status }]) => [status, id]));
  assert.ok(found.size > 0, 'nothing was ever ordered here');
  return [...found.values()];
}

const objectAt = (document: JsonObject, name: string): JsonObject => document[name] as JsonObject;

function workStats(state: CertifiedState, agentId: string): JsonObject {
  const none = {
    earned: 0,
    openOrders: 0,
    unfinishedOrders: 0,
    verifiedOrders: 0,
    timeouts: 0,
    released: 0,
    disputesLost: 0,
    requested: { funded: 0, paid: 0, cancelled: 0, disputed: 0, lost: 0 },
  };
  return { ...none, ...(state.get(`work-stats/${agentId}`) as JsonObject | undefined) };
}

function expectAgent(shown: JsonObject, state: CertifiedState, agentId: string): void {
  assert.equal(shown['agentId'], agentId);
  const { publicKeyHash = null } = state.record(`authority/${agentId}`);
  const record = { ...state.record(`agent/${agentId}`), publicKeyHash };
  for (const name of Object.keys(record)) assert.ok(name in shown, `${name} is missing`);
  expectSame(shown, record, agentId);
}

/** Compares an agent's public work with its counters and its orders. */
function expectWork(shown: JsonObject, state: CertifiedState, agentId: string): void {
  const stats = workStats(state, agentId);
  const { timeouts, released, disputesLost, requested } = stats;
  assert.partialDeepStrictEqual(
    shown,
    {
      open: stats['openOrders'],
      unfinished: stats['unfinishedOrders'],
      verified: stats['verifiedOrders'],
      timeouts,
      released,
      disputesLost,
      requested,
    },
    `${agentId}'s work`,
  );
  const recent = shown['recent'] as JsonObject[];
  const named = state
    .collection('order')
    .filter(([, order]) => [order['agentId'], order['workerId']].includes(agentId));
  const ids = recent.map(({ orderId }) => textOf(orderId));
  assert.deepEqual(ids, [...new Set(ids)], `${agentId} has an order twice`);
  for (const order of recent) {
    const orderId = textOf(order['orderId']);
    assert.ok(
      named.some(([id]) => id === orderId),
      `${orderId} does not name ${agentId}`,
    );
    expectSame(order, state.record(`order/${orderId}`), orderId);
  }
  assert.equal(shown['truncated'], recent.length < named.length);
  assert.ok(recent.length > 0 || named.length === 0, `${agentId} has orders, and none is shown`);
}

function expectReserve(reserve: JsonObject, state: CertifiedState, agentId: string): void {
  const { balance = 0 } = (state.get(`account/${agentId}`) ?? {}) as JsonObject;
  const { earned } = workStats(state, agentId);
  assert.deepEqual(
    [reserve['balance'], reserve['earned']],
    [balance, earned],
    `${agentId}'s reserve`,
  );
}

/** Runs a check on several agents, each with its certified state. */
const ofAgents =
  (
    path: (agentId: string) => string,
    expect: (document: JsonObject, state: CertifiedState, agentId: string) => void,
    agents = recruits,
  ) =>
  async (net: Network): Promise<void> => {
    for (const agentId of await agents(net)) {
      const { document, state } = await documentWithState(net.http, path(agentId));
      expect(document, state, agentId);
    }
  };

const ofOrders =
  (
    part: string,
    expect: (
      document: JsonObject,
      state: CertifiedState,
      id: string,
      http: Http,
    ) => Promise<void> | void,
  ) =>
  async (net: Network): Promise<void> => {
    for (const orderId of await orders(net)) {
      const path = `/v1/work-orders/${orderId}${part}`;
      const { document, state } = await documentWithState(net.http, path);
      await expect(document, state, orderId, net.http);
    }
  };

function expectOrder(shown: JsonObject, state: CertifiedState, orderId: string): JsonObject {
  const record = state.record(`order/${orderId}`);
  assert.equal(shown['orderId'], orderId);
  for (const name of ['status', 'funding', 'requesterId', 'workerId', 'scopeHash', 'title']) {
    assert.ok(name in shown, `${name} is missing`);
  }
  expectSame(shown, record, orderId);
  return record;
}

interface ReferralEdge extends JsonObject {
  agentId: string;
}

export const SINGLE_RECORD_CHECKS = [
  check(
    'the operations of an agent are those of its records',
    [
      'get.agent.operations',
      'operations.work',
      'operations.messages',
      'operations.reserve',
      'operations.integrity',
      'operations.continuity',
      'operations.beacons',
    ],
    ofAgents(
      (id) => `/v1/agents/${id}/operations`,
      (document, state, agentId) => {
        expectAgent(objectAt(document, 'agent'), state, agentId);
        expectReserve(objectAt(document, 'reserve'), state, agentId);
        expectIntegrity(document);
        expectWork(objectAt(document, 'work'), state, agentId);
        const stats = (state.get(`agent-stats/${agentId}`) ?? {}) as Record<string, number>;
        assert.partialDeepStrictEqual(document['messages'], {
          sent: stats['messagesSent'] ?? 0,
          received: stats['messagesReceived'] ?? 0,
          acknowledged: stats['messagesAcknowledged'] ?? 0,
          waiting: state.get(`live-messages/${agentId}`) ?? 0,
        });
        const memory = (state.get(`memory/${agentId}`) ?? {}) as JsonObject;
        const { checkpoints, latest } = objectAt(document, 'continuity');
        assert.equal(checkpoints, memory['generation'] ?? 0);
        assert.equal((latest as JsonObject | null)?.['checkpointHash'], memory['checkpointHash']);
        const beacon = (state.get(`beacon/${agentId}`) ?? {}) as JsonObject;
        const { live, lastSequence } = objectAt(document, 'beacon');
        assert.equal(lastSequence, beacon['lastSequence'] ?? 0);
        for (const signed of live as JsonObject[]) assert.deepEqual(signed, beacon['beacon']);
      },
      async (net) => [...new Set([...(await recruits(net)), ...(await workers(net))])],
    ),
  ),

  check(
    'a dossier is of the records of its agent, and its fingerprint holds',
    [
      'get.agent.dossier',
      'dossier.identity',
      'dossier.one-snapshot',
      'dossier.lineage',
      'dossier.continuity',
      'dossier.claims',
      'dossier.activity',
    ],
    ofAgents(
      (id) => `/v1/agents/${id}/decision-dossier`,
      (document, state, agentId) => {
        expectFingerprint(document, 'evidence.dossierHash');
        const { agent, roles, authorityActive } = objectAt(document, 'identity');
        expectAgent(agent as JsonObject, state, agentId);
        const authority = state.record(`authority/${agentId}`);
        assert.deepEqual([roles, authorityActive], [authority['roles'], authority['active']]);
        const { standing } = objectAt(document, 'work');
        const { earned, verifiedOrders, unfinishedOrders } = workStats(state, agentId);
        assert.partialDeepStrictEqual(standing, { earned, verifiedOrders, unfinishedOrders });
        const stats = (state.get(`agent-stats/${agentId}`) ?? {}) as Record<string, number>;
        const { referrals, qualifiedReferrals, referrer } = objectAt(document, 'lineage');
        assert.deepEqual(
          [referrals, qualifiedReferrals],
          [stats['referrals'] ?? 0, stats['qualifiedReferrals'] ?? 0],
        );
        const referral = state.get(`referral/${agentId}`) as JsonObject | undefined;
        const named = referrer as JsonObject | null;
        assert.deepEqual(
          [named?.['agentId'], named?.['status']],
          [referral?.['referrerAgentId'], referral?.['status']],
        );
        const memory = (state.get(`memory/${agentId}`) ?? {}) as JsonObject;
        assert.equal(
          objectAt(document, 'continuity')['memoryGeneration'],
          memory['generation'] ?? 0,
        );
        const beacon = (state.get(`beacon/${agentId}`) ?? {}) as JsonObject;
        const claims = objectAt(document, 'claims');
        assert.equal(claims['lastSequence'], beacon['lastSequence'] ?? 0);
        if (claims['beacon'] !== null) assert.deepEqual(claims['beacon'], beacon['beacon']);
        const { events } = objectAt(document, 'activity') as { events: JsonObject[] };
        assert.ok(events.some(({ type }) => type === 'AgentRegistered'));
      },
    ),
  ),

  check(
    'a lineage is made of the referrals on record',
    [
      'get.agent-lineage',
      'lineage.edges',
      'lineage.reserves',
      'lineage.integrity',
      'lineage.qualification',
    ],
    ofAgents(
      (id) => `/v1/agent-lineage/${id}`,
      (document, state, agentId) => {
        expectIntegrity(document);
        const agent = objectAt(document, 'agent');
        assert.equal(agent['agentId'], agentId);
        const sides = [objectAt(document, 'ancestors'), objectAt(document, 'descendants')];
        const edges = sides.flatMap((side) => side['edges'] as ReferralEdge[]);
        const nodes = [agent, ...sides.flatMap((side) => side['nodes'] as JsonObject[])];
        for (const node of nodes) {
          const id = textOf(node['agentId']);
          expectReserve(objectAt(node, 'reserve'), state, id);
          const stats = (state.get(`agent-stats/${id}`) ?? {}) as JsonObject;
          const { total, qualified } = objectAt(node, 'referrals');
          assert.deepEqual(
            [total, qualified],
            [stats['referrals'] ?? 0, stats['qualifiedReferrals'] ?? 0],
          );
        }
        for (const edge of edges) {
          const record = state.record(`referral/${edge.agentId}`);
          expectSame(edge, record, `the referral of ${edge.agentId}`);
          const qualification = edge['qualification'] as JsonObject | null;
          assert.equal(qualification?.['orderId'] ?? null, record['qualifyingOrderId']);
        }
        const own = state
          .collection('referral')
          .filter(([id, { referrerAgentId }]) => id === agentId || referrerAgentId === agentId);
        const shown = edges.map((edge) => edge.agentId);
        for (const [id] of own) assert.ok(shown.includes(id), `the referral of ${id} is missing`);
        assert.equal(new Set(shown).size, shown.length, 'a referral is listed twice');
      },
    ),
  ),

  check(
    'a work match is of open orders alone, and its fingerprint holds',
    ['get.agent.work-match', 'get.agent.work-match.advisory'],
    ofAgents(
      (id) => `/v1/agents/${id}/work-match`,
      (document, state, agentId) => {
        expectFingerprint(document, 'evidence.workMatchHash');
        expectAgent(objectAt(document, 'agent'), state, agentId);
        const { earned, verifiedOrders } = workStats(state, agentId);
        assert.partialDeepStrictEqual(document['standing'], { earned, verifiedOrders });
        for (const match of document['matches'] as JsonObject[]) {
          const order = (match['order'] ?? match) as JsonObject;
          const record = state.record(`order/${textOf(order['orderId'])}`);
          assert.equal(record['status'], 'OPEN');
          expectSame(order, record, textOf(order['orderId']));
        }
      },
    ),
  ),

  check(
    'an order is shown as it is on record',
    ['get.work-order'],
    ofOrders('', (document, state, orderId) => {
      expectOrder((document['order'] ?? document) as JsonObject, state, orderId);
    }),
  ),

  check(
    'a brief offers what is open, and no more',
    ['get.work-order.brief', 'brief.facts', 'brief.availability', 'brief.accept-shape'],
    ofOrders('/brief', (document, state, orderId) => {
      const order = expectOrder(objectAt(document, 'order'), state, orderId);
      const { acceptable, state: phase } = objectAt(document, 'availability');
      assert.equal(acceptable, order['status'] === 'OPEN');
      const offered = order['agentId'] === null ? 'ANY_AGENT' : 'ONE_AGENT';
      const closed = order['phase'] === 'ENDED' ? 'ENDED' : 'TAKEN';
      assert.equal(phase, order['status'] === 'OPEN' ? offered : closed);
      assert.equal(document['acceptWork'] !== null, order['status'] === 'OPEN');
      const policy = order['validationPolicy'] as JsonObject;
      const { requiredAccepts, committeeSize, minIndependentGroups } = policy;
      assert.partialDeepStrictEqual(document['verification'], {
        requiredAccepts,
        committeeSize,
        minIndependentGroups,
        activeVerifiers: state.counter('active-verifiers'),
      });
    }),
  ),

  check(
    'an audit is the record of its order, and every event stands in a certified block',
    [
      'get.work-order.audit',
      'audit.record',
      'audit.result',
      'audit.votes',
      'audit.receipt',
      'audit.timeline',
      'audit.commitments',
      'audit.integrity',
    ],
    ofOrders('/audit', async (document, state, orderId, http) => {
      expectFingerprint(document, 'reportHash');
      expectIntegrity(document);
      const shown = objectAt(document, 'order');
      const order = expectOrder(shown, state, orderId);
      assert.deepEqual(shown['result'], order['result']);
      assert.deepEqual(shown['verification'], order['verification']);
      const votes = ((order['verification'] as JsonObject | null)?.['votes'] ?? []) as JsonObject[];
      const counted = document['votes'] as JsonObject | null;
      const accepts = votes.filter(({ vote }) => vote === 'ACCEPT').length;
      assert.deepEqual(
        [counted?.['accepts'] ?? 0, counted?.['rejects'] ?? 0],
        [accepts, votes.length - accepts],
      );
      const receipt = (state.get(`work-receipt/${orderId}`) ?? null) as JsonObject | null;
      assert.deepEqual(objectAt(document, 'receipt')['receipt'] ?? null, receipt);
      const { events } = objectAt(document, 'timeline') as unknown as { events: TimelineEvent[] };
      assert.equal(events[0]?.type, 'WorkOrderCreated');
      for (const { id, type, data, block } of events) {
        const {
          header,
          certificate,
          events: blockEvents,
        } = await certifiedBlock(http, block.height);
        assert.deepEqual(
          [block.blockHash, block.eventsRoot, block.certificateHash, block.timestamp],
          [certificate.blockHash, header.eventsRoot, certificate.certificateHash, header.timestamp],
        );
        const there = blockEvents.find((event) => event.id === id);
        assert.deepEqual({ type: there?.['type'], data: there?.['data'] }, { type, data }, id);
      }
    }),
  ),
];

interface TimelineEvent {
  id: string;
  type: string;
  data: JsonObject;
  block: {
    height: number;
    blockHash: string;
    eventsRoot: string;
    certificateHash: string;
    timestamp: string;
  };
}
