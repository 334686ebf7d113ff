/** Work documents on a chain with orders in every status. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DEFAULT_VALIDATION_POLICY } from '@netd/ledger';
import { beaconOf, FUNDING, hashOfDigit, resultOf, workOrderOf } from '@netd/ledger/testing';
import {
  blockHash,
  eventHash,
  hashValue,
  verifyMerkleProof,
  type BlockHeader,
  type ChainEvent,
  type JsonObject,
  type JsonValue,
  type MerkleProof,
} from '@netd/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { assertProblem, textOf, type HttpNode } from '@netd/testkit/http-node';
import { followRequest } from '@netd/testkit/follow-request';
import { openOrderFixtures } from '@netd/testkit/order-fixtures';
import type { ReadDocument } from '../shared/read-document.ts';
import { DOCUMENTS } from '../registry.ts';
import type { SignedRequest } from '../shared/signed-request.ts';

let node: HttpNode;
before(async () => {
  node = await openOrderFixtures();
});
after(() => node.stop());

const ORDERS = [
  'open',
  'targeted',
  'free',
  'taken',
  'review',
  'verified',
  'paid',
  'cancelled',
] as const;
type Items = JsonObject[];

const idsOf = (items: unknown): unknown[] => (items as Items).map(({ orderId }) => orderId);
const brief = (orderId: string) => node.document(`/v1/work-orders/${orderId}/brief`);
const audit = (orderId: string) => node.document(`/v1/work-orders/${orderId}/audit`);

/** Signs a suggested request, which must be accepted. */
async function follow(
  request: unknown,
  actorId: string,
  fill: Record<string, JsonValue> = {},
): Promise<void> {
  const { status, text } = await followRequest(node, request as SignedRequest, actorId, fill);
  assert.equal(status, 201, text);
}

describe('every document', () => {
  const reads: [name: string, path: string][] = [
    ['NET-AGENT-OPPORTUNITY-INDEX/1', '/v1/agent-opportunities'],
    ['NET-AGENT-OPPORTUNITY-INDEX/1', '/v1/agent-opportunities?requirement=FLY&limit=1'],
    ['NET-AGENT-CAPABILITY-DIRECTORY/1', '/v1/agent-directory'],
    ...ORDERS.flatMap((orderId): [string, string][] => [
      ['NET-AGENT-WORK-BRIEF/1', `/v1/work-orders/${orderId}/brief`],
      ['NET-WORK-AUDIT/1', `/v1/work-orders/${orderId}/audit`],
    ]),
    ...['alice', 'bob', 'carol', 'vera'].flatMap((agentId): [string, string][] => [
      ['NET-AGENT-WORK-MATCH/1', `/v1/agents/${agentId}/work-match`],
      ['NET-AGENT-DECISION-DOSSIER/1', `/v1/agents/${agentId}/decision-dossier`],
    ]),
  ];
  const documentOf = (name: string): ReadDocument =>
    DOCUMENTS.find((document) => document.name === name) as ReadDocument;

  for (const [name, path] of reads) {
    test(`${path} is as its schema says, with relative links and a true fingerprint`, async () => {
      const document = await node.document(path);
      const validate = new Ajv2020({ strict: false, allErrors: true }).compile(
        documentOf(name).schema,
      );
      assert.ok(validate(document), JSON.stringify(validate.errors, null, 1));
      assert.equal(document['schema'], name);
      assert.equal(document['height'], node.height);
      const { stateRoot } = node.state();
      assert.equal((document['snapshot'] as JsonObject)['stateRoot'], stateRoot);
      assert.doesNotMatch(JSON.stringify(document), /http:|127\.0\.0\.1|localhost/);
      assertFingerprint(document);
      await assertLinksWork(document);
    });
  }

  function assertFingerprint(document: JsonObject): void {
    const { reportHash, ...rest } = document;
    if (reportHash !== undefined) assert.equal(hashValue(rest), reportHash);
    const { evidence = {}, ...facts } = document as { evidence?: JsonObject };
    const [hashName] = Object.keys(evidence).filter((member) => member.endsWith('Hash'));
    if (hashName === undefined) return;
    const { [hashName]: hash, ...others } = evidence;
    // The hash may also be on the top level. It covers neither of its places.
    const { [hashName]: onTop = hash, ...hashed } = facts as JsonObject;
    assert.equal(onTop, hash);
    assert.equal(hashValue({ ...hashed, evidence: others }), hash);
    assert.notEqual(hashValue({ ...hashed, height: 0, evidence: others }), hash);
  }

  async function assertLinksWork(document: JsonObject): Promise<void> {
    const links = [...JSON.stringify(document).matchAll(/"(\/v1\/[^"]*)"/g)].map(([, it]) => it);
    assert.ok(links.length > 0);
    for (const link of new Set(links)) {
      if (link === undefined || link.startsWith('/v1/intents')) continue;
      await node.document(link);
    }
  }

  test('asks for nothing private: no key, no scope, no body', async () => {
    for (const [, path] of reads) {
      const text = JSON.stringify(await node.document(path));
      assert.doesNotMatch(text, /PRIVATE KEY|"scope":"|"body":/, path);
    }
  });
});

describe('opportunities', () => {
  test('are the orders of the market that can be taken now, and nothing else', async () => {
    const document = await node.document('/v1/agent-opportunities');
    assert.deepEqual(idsOf(document['opportunities']), ['free', 'open']);
    assert.deepEqual(document['totals'], {
      openMarketOrders: 2,
      openMarketFunding: 30_000_000 + FUNDING,
      openOrders: 3,
      paidOrders: 1,
    });
    assert.deepEqual([document['total'], document['nextCursor']], [2, null]);
  });
  test('are found by a requirement in any spelling', async () => {
    for (const word of ['code review', 'CODE_REVIEW', ' Code_Review ']) {
      const found = await node.document(
        `/v1/agent-opportunities?requirement=${encodeURIComponent(word)}`,
      );
      assert.deepEqual(idsOf(found['opportunities']), ['open'], word);
    }
    const none = await node.document('/v1/agent-opportunities?requirement=dig');
    assert.deepEqual([none['opportunities'], none['nextActions']], [[], []]);
  });
  test('come in pages with cursors of this list', async () => {
    const first = await node.document('/v1/agent-opportunities?limit=1');
    assert.equal(first['total'], null);
    const cursor = first['nextCursor'] as string;
    const second = await node.document(`/v1/agent-opportunities?limit=1&cursor=${cursor}`);
    assert.deepEqual(idsOf(second['opportunities']), ['open']);
    assertProblem(await node.get(`/v1/work-orders?cursor=${cursor}`), 400, 'CURSOR_INVALID');
    const other = `/v1/agent-opportunities?requirement=fly&cursor=${cursor}`;
    assertProblem(await node.get(other), 400, 'CURSOR_INVALID');
    for (const query of ['limit=0', 'limit=1001', `requirement=${'x'.repeat(129)}`]) {
      assertProblem(await node.get(`/v1/agent-opportunities?${query}`), 400, 'PARAMETER_INVALID');
    }
  });
});

describe('lists', () => {
  test('of agents and orders are found by how their ids begin, letter for letter', async () => {
    const all = await node.document('/v1/agents?limit=1000');
    const named = (items: unknown): string[] =>
      (items as Items).map((item) => textOf(item, 'agentId'));
    const [letter = ''] = named(all['agents'])[0] ?? '';
    const expected = named(all['agents']).filter((id) => id.startsWith(letter));
    const agents = await node.document(`/v1/agents?prefix=${letter}`);
    assert.deepEqual(named(agents['agents']), expected.toSorted());
    assert.deepEqual([agents['total'], agents['nextCursor']], [expected.length, null]);
    const first = await node.document(`/v1/agents?prefix=${letter}&limit=1`);
    assert.deepEqual(named(first['agents']), expected.toSorted().slice(0, 1));
    assert.equal(first['total'], null);
    const capital = await node.document(`/v1/agents?prefix=${letter.toUpperCase()}`);
    assert.deepEqual(named(capital['agents']), []);
    const orders = await node.document('/v1/work-orders?prefix=ta');
    assert.deepEqual(idsOf(orders['orders']), ['taken', 'targeted']);
    const open = await node.document('/v1/work-orders?prefix=t&status=PAID');
    assert.deepEqual(idsOf(open['orders']), []);
    assertProblem(await node.get('/v1/agents?prefix='), 400, 'PARAMETER_INVALID');
    assertProblem(await node.get('/v1/agents?prefix=w&cursor=eA'), 400, 'CURSOR_INVALID');
  });
  test('of orders can be filtered by requester', async () => {
    const { orders } = await node.document('/v1/work-orders?limit=1000');
    const requesters = new Set((orders as Items).map((order) => textOf(order, 'requesterId')));
    for (const requesterId of requesters) {
      const own = await node.document(`/v1/work-orders?requesterId=${requesterId}`);
      const expected = (orders as Items).filter((order) => order['requesterId'] === requesterId);
      assert.deepEqual(idsOf(own['orders']), idsOf(expected));
    }
    assert.deepEqual(
      idsOf((await node.document('/v1/work-orders?requesterId=nobody'))['orders']),
      [],
    );
  });
});

describe('a brief', () => {
  for (const [orderId, state, acceptable, agentId] of [
    ['open', 'ANY_AGENT', true, null],
    ['targeted', 'ONE_AGENT', true, 'bob'],
    ['taken', 'TAKEN', false, 'bob'],
    ['review', 'TAKEN', false, 'bob'],
    ['paid', 'ENDED', false, 'bob'],
    ['cancelled', 'ENDED', false, null],
  ] as const) {
    test(`of the order ${orderId} says ${state}`, async () => {
      const document = await brief(orderId);
      const availability = document['availability'] as JsonObject;
      assert.equal(availability['state'], state);
      assert.equal(availability['acceptable'], acceptable);
      assert.equal(availability['agentId'], agentId);
      assert.equal(document['acceptWork'] !== null, acceptable);
      assert.equal((document['scope'] as JsonObject)['scopeHash'], hashOfDigit('a'));
    });
  }
  test('of an order for an agent that is suspended offers nothing to sign', async () => {
    const { actorId: operator } = node.running.node.dataDir.operator;
    await node.act(operator, 'setAgentStatus', { agentId: 'bob', status: 'suspended' });
    const { availability, acceptWork } = await brief('targeted');
    assert.deepEqual(
      [
        (availability as JsonObject)['acceptable'],
        (availability as JsonObject)['state'],
        acceptWork,
      ],
      [false, 'ONE_AGENT', null],
    );
    const match = await node.document('/v1/agents/bob/work-match');
    assert.ok((match['matches'] as Items).every(({ refusal }) => refusal === 'AUTHORITY_INACTIVE'));
    await node.act(operator, 'setAgentStatus', { agentId: 'bob', status: 'active' });
  });
  test('names each phase with steps to sign, and the signers', async () => {
    const steps = async (orderId: string, reader = '') => {
      const document = await node.document(`/v1/work-orders/${orderId}/brief${reader}`);
      return (document['nextActions'] as unknown as SignedRequest[]).map(
        ({ action, envelope }) => `${action} ${(envelope as JsonObject)['actorId'] as string}`,
      );
    };
    assert.deepEqual(await steps('open'), ['acceptWork your-agent-id']);
    assert.deepEqual(await steps('targeted'), ['acceptWork bob']);
    // Only the requester sees its own steps.
    assert.deepEqual(await steps('open', '?actorId=alice'), ['cancelWorkOrder alice']);
    assert.deepEqual(await steps('open', '?actorId=bob'), ['acceptWork bob']);
    assert.deepEqual(await steps('taken'), ['submitWorkResult bob']);
    assert.deepEqual((await steps('review')).toSorted(), [
      'voteWork vera',
      'voteWork viki',
      'voteWork vito',
    ]);
    // On a busy machine, the half minute may have passed.
    const { order } = await brief('verified');
    const { time } = (order as JsonObject)['disputableUntil'] as { time: string };
    const { blocks } = await node.document('/v1/blocks?limit=1');
    assert.deepEqual(
      await steps('verified'),
      textOf((blocks as Items)[0] ?? {}, 'timestamp') < time
        ? []
        : ['settleVerifiedWork your-agent-id'],
    );
    assert.deepEqual(await steps('paid'), []);
    assert.deepEqual(await steps('cancelled'), []);
  });
  test('of an unknown order is 404, of none 400', async () => {
    for (const what of ['brief', 'audit']) {
      assertProblem(await node.get(`/v1/work-orders/nothing/${what}`), 404, 'WORK_ORDER_NOT_FOUND');
      assertProblem(await node.get(`/v1/work-orders/.x/${what}`), 400, 'PARAMETER_INVALID');
    }
  });
});

describe('an audit', () => {
  type AuditEvent = ChainEvent & {
    id: string;
    eventHash: string;
    block: { height: number; blockHash: string; eventsRoot: string; certificateHash: string };
    proof: MerkleProof;
    links: Record<string, string>;
  };
  const eventsOf = (document: JsonObject): AuditEvent[] =>
    (document['timeline'] as unknown as { events: AuditEvent[] }).events;

  for (const orderId of ORDERS) {
    test(`of the order ${orderId} proves every event under its block`, async () => {
      const events = eventsOf(await audit(orderId));
      assert.ok(events.length > 0);
      for (const event of events) {
        const { type, transitionIndex, data, proof, block, links } = event;
        const hash = eventHash({ type, transitionIndex, data });
        assert.equal(event.eventHash, hash);
        assert.ok(verifyMerkleProof(hash, proof, block.eventsRoot), event.id);
        assert.equal(event.id, `${block.height}.${proof.index}`);
        assert.equal(
          verifyMerkleProof(
            eventHash({ type: 'Lie', transitionIndex, data }),
            proof,
            block.eventsRoot,
          ),
          false,
        );
        const whole = (await node.document(links['block'] ?? '')) as { header?: BlockHeader };
        assert.ok(whole.header);
        assert.equal(blockHash(whole.header), block.blockHash);
        assert.equal(whole.header.eventsRoot, block.eventsRoot);
        const certificate = await node.document(links['certificate'] ?? '');
        assert.equal(certificate['blockHash'], block.blockHash);
        assert.equal(certificate['certificateHash'], block.certificateHash);
        const transition = await node.document(links['transition'] ?? '');
        const receipt = transition['receipt'] as unknown as { events: { id: string }[] };
        assert.ok(receipt.events.some(({ id }) => id === event.id));
      }
    });
  }
  test('shows the whole life of a paid order in sequence', async () => {
    const document = await audit('paid');
    assert.deepEqual(
      eventsOf(document).map(({ type }) => type),
      [
        'WorkOrderCreated',
        'WorkAccepted',
        'WorkResultSubmitted',
        'WorkCommitteeDrawn',
        'WorkVoted',
        'WorkVoted',
        'WorkVerified',
        'DisputeOpened',
        // There are too few verifiers for a second jury.
        'WorkCommitteeDrawn',
        'DisputeResolved',
        'DisputeSettled',
        'WorkOrderPaid',
      ],
    );
    const { receipt, votes, timeline, integrity } = document as Record<string, JsonObject>;
    assert.equal(receipt?.['state'], 'WRITTEN');
    assert.equal((receipt?.['receipt'] as JsonObject | undefined)?.['paid'], FUNDING);
    assert.deepEqual(votes, {
      accepts: 2,
      rejects: 0,
      outstanding: 1,
      acceptingGroups: 2,
      requiredAccepts: 2,
      minIndependentGroups: 2,
    });
    assert.equal(timeline?.['truncated'], false);
    assert.equal(integrity?.['valid'], true);
    const { result } = document['order'] as { result: JsonObject };
    assert.equal(result['deliverableHash'], hashOfDigit('d'));
  });
  test('of others says that there is no receipt, or that there never will be', async () => {
    const stateOf = async (orderId: string) =>
      ((await audit(orderId))['receipt'] as JsonObject)['state'];
    assert.equal(await stateOf('review'), 'NOT_YET');
    assert.equal(await stateOf('cancelled'), 'NEVER');
  });
});

describe('a match', () => {
  test('puts orders for the agent first, then the best fits', async () => {
    const { matches, nextActions, claims } = await node.document('/v1/agents/bob/work-match');
    assert.equal((claims as JsonObject)['status'], 'current');
    assert.deepEqual(
      (matches as Items).map(({ orderId, basis, scoreBps, matched, missing, acceptable }) => ({
        orderId,
        basis,
        scoreBps,
        matched,
        missing,
        acceptable,
      })),
      [
        {
          orderId: 'targeted',
          basis: 'TARGETED',
          scoreBps: 0,
          matched: [],
          missing: ['dig'],
          acceptable: true,
        },
        {
          orderId: 'free',
          basis: 'NO_REQUIREMENTS',
          scoreBps: 10_000,
          matched: [],
          missing: [],
          acceptable: true,
        },
        {
          orderId: 'open',
          basis: 'REQUIREMENTS',
          scoreBps: 6_666,
          matched: ['translate', 'Code Review'],
          missing: ['fly'],
          acceptable: true,
        },
      ],
    );
    const [accept] = nextActions as unknown as SignedRequest[];
    assert.deepEqual((accept?.envelope as JsonObject | undefined)?.['payload'], {
      orderId: 'targeted',
      agentId: 'bob',
    });
  });
  test('leaves out orders of the agent itself', async () => {
    const { matches } = await node.document('/v1/agents/alice/work-match');
    assert.deepEqual(matches, []);
  });
  test('of an agent without a beacon says which to publish', async () => {
    const { claims, matches, nextActions } = await node.document('/v1/agents/carol/work-match');
    assert.equal((claims as JsonObject)['status'], 'none');
    assert.deepEqual(idsOf(matches), ['free']);
    assert.deepEqual(
      (nextActions as unknown as SignedRequest[]).map(({ action }) => action),
      ['acceptWork', 'publishBeacon'],
    );
  });
  test('of an unknown agent is 404, of a name that is none 400', async () => {
    for (const what of ['work-match', 'decision-dossier']) {
      assertProblem(await node.get(`/v1/agents/nobody/${what}`), 404, 'AGENT_NOT_FOUND');
      assertProblem(await node.get(`/v1/agents/x/${what}`), 400, 'PARAMETER_INVALID');
      const { actorId } = node.running.node.dataDir.operator;
      assertProblem(await node.get(`/v1/agents/${actorId}/${what}`), 404, 'AGENT_NOT_FOUND');
    }
  });
});

describe('a dossier', () => {
  test('holds identity, claims, work, continuity, activity and lineage of one snapshot', async () => {
    const document = (await node.document('/v1/agents/bob/decision-dossier')) as Record<
      string,
      JsonObject
    >;
    const agent = document['identity']?.['agent'] as JsonObject | undefined;
    assert.equal(agent?.['description'], 'translates');
    assert.deepEqual(document['work']?.['standing'], {
      openOrders: 0,
      released: 0,
      unfinishedOrders: 3,
      unfinishedLimit: 16,
      verifiedOrders: 1,
      verifiedSmall: 0,
      earned: FUNDING,
      timeouts: 0,
      disputesLost: 0,
      requested: { funded: 0, paid: 0, cancelled: 0, disputed: 0, lost: 0 },
    });
    const { work: requesters } = (await node.document('/v1/agents/alice/operations')) as {
      work: { requested: JsonObject };
    };
    // Alice lost a dispute and cancelled an order.
    const { paid, cancelled, disputed, lost } = requesters.requested;
    assert.deepEqual([paid, cancelled, disputed, lost], [1, 1, 1, 1]);
    assert.deepEqual((await brief('open'))['requester'], requesters.requested);
    const events = document['activity']?.['events'] as unknown as { id: string; type: string }[];
    const heights = events.map(({ id }) => Number(id.split('.')[0]));
    assert.deepEqual(
      heights,
      heights.toSorted((a, b) => b - a),
    );
    assert.equal(events.at(-1)?.type, 'AgentRegistered');
    assert.equal(document['lineage']?.['referrer'], null);
  });
  test('shows the referrer of a recruit and the recruits of a referrer', async () => {
    const carol = await node.document('/v1/agents/carol/decision-dossier');
    assert.deepEqual((carol['lineage'] as JsonObject)['referrer'], {
      agentId: 'alice',
      status: 'pending',
    });
    const alice = await node.document('/v1/agents/alice/decision-dossier');
    assert.deepEqual((alice['lineage'] as JsonObject)['recruits'], [
      { agentId: 'carol', status: 'pending' },
    ]);
  });
});

describe('the directory', () => {
  const agentsIn = async (query: string): Promise<unknown[]> =>
    ((await node.document(`/v1/agent-directory${query}`))['agents'] as Items).map(
      ({ agentId }) => agentId,
    );

  test('lists agents under normalized words, each once', async () => {
    const { capabilities, protocols, agents } = await node.document('/v1/agent-directory');
    assert.deepEqual(capabilities, [
      { name: 'code-review', agents: ['bob'] },
      { name: 'translate', agents: ['bob'] },
    ]);
    assert.deepEqual(protocols, [{ name: 'a2a/1.0', agents: ['bob'] }]);
    const [bob] = agents as Items;
    assert.deepEqual(bob?.['capabilities'], ['code-review', 'translate']);
    assert.deepEqual([bob?.['verifiedOrders'], bob?.['unfinishedOrders']], [1, 3]);
  });
  for (const query of [
    '?capability=CODE%20REVIEW',
    '?capability=code-review',
    '?protocol=a2a/1.0',
    '?protocol=A2A/1.0&capability=TRANSLATE',
    '?agentId=bob',
    '?agentId=bob&capability=translate',
  ]) {
    test(`finds bob with ${query}`, async () => assert.deepEqual(await agentsIn(query), ['bob']));
  }
  for (const query of [
    '?capability=fly',
    '?protocol=grpc&capability=translate',
    '?agentId=carol',
    '?agentId=nobody',
    '?agentId=bob&capability=fly',
  ]) {
    test(`finds no agent with ${query}`, async () => assert.deepEqual(await agentsIn(query), []));
  }
  test('refuses cursors of other filters', async () => {
    await node.act('carol', 'publishBeacon', beaconOf('carol', node.height));
    const { nextCursor, total } = await node.document('/v1/agent-directory?limit=1');
    assert.equal(total, null);
    assert.deepEqual(await agentsIn(`?limit=1&cursor=${nextCursor as string}`), ['bob']);
    for (const path of [
      '/v1/agent-directory?capability=translate&',
      '/v1/agent-directory?agentId=bob&',
      '/v1/discovery?',
    ]) {
      const answer = await node.get(`${path}cursor=${nextCursor as string}`);
      assertProblem(answer, 400, 'CURSOR_INVALID');
    }
    await node.act('carol', 'withdrawBeacon', { agentId: 'carol' });
    assert.deepEqual(await agentsIn(''), ['bob']);
  });
});

describe('suggested requests are accepted unchanged', () => {
  // The tests below change the chain.
  test('acceptWork of an opportunity, by its own brief', async () => {
    const firstOf = async (orderId: string) => ((await brief(orderId))['nextActions'] as Items)[0];
    const { acceptWork } = await brief('open');
    const payload = { orderId: 'open', agentId: 'your-agent-id' };
    assert.deepEqual(acceptWork, { action: 'acceptWork', payload });
    await follow(await firstOf('open'), 'carol');
    await follow(await firstOf('targeted'), 'bob');
    const { nextActions } = await node.document('/v1/agent-opportunities');
    await follow((nextActions as Items)[0], 'carol');
    assert.deepEqual(
      await node.document('/v1/agent-opportunities').then((it) => it['opportunities']),
      [],
    );
  });
  test('the beacon of an agent that has none, and again with the next sequence', async () => {
    for (const status of ['none', 'current']) {
      const { claims, nextActions } = await node.document('/v1/agents/vera/work-match');
      assert.equal((claims as JsonObject)['status'], status);
      if (status === 'none') await follow((nextActions as Items)[0], 'vera');
    }
  });
  test('a delivery and a vote', async () => {
    const fill = { deliverableHash: hashOfDigit('b'), evidenceHash: hashOfDigit('c') };
    const { nextActions: due } = await node.document('/v1/agents/bob/operations');
    const deliveries = (due as Items).filter(({ action }) => action === 'submitWorkResult');
    const ordersOf = (requests: Items) =>
      requests.map(
        ({ envelope }) => ((envelope as JsonObject)['payload'] as JsonObject)['orderId'],
      );
    // The order accepted first is due first.
    assert.deepEqual(ordersOf(deliveries), ['taken', 'targeted']);
    assert.deepEqual((due as Items).slice(0, 2), deliveries);
    assert.ok(!(due as Items).some(({ action }) => action === 'openDispute'));
    await follow(deliveries[0], 'bob', fill);
    const { order, nextActions } = await brief('review');
    const { verification } = order as { verification: { committee: { verifierId: string }[] } };
    const [member] = verification.committee;
    const [vote] = nextActions as unknown as SignedRequest[];
    assert.ok(vote);
    assert.equal((vote.envelope as JsonObject)['actorId'], member?.verifierId);
    await follow(vote, member?.verifierId ?? '', { ...fill, vote: 'REJECT' });
    assert.equal(((await audit('review'))['votes'] as JsonObject)['rejects'], 1);
  });
});

describe('truncated lists say so', () => {
  test('recruits and activity of a dossier, the newest first', async () => {
    const whole = await node.document('/v1/agents/alice/decision-dossier');
    assert.equal((whole['lineage'] as JsonObject)['truncated'], false);
    for (let i = 1; i <= 20; i++) await node.join(`recruit-${i}`, { referrerAgentId: 'alice' });
    const { lineage, activity } = await node.document('/v1/agents/alice/decision-dossier');
    const { recruits, referrals, truncated } = lineage as {
      recruits: Items;
      referrals: number;
      truncated: boolean;
    };
    assert.equal(referrals, 21);
    assert.deepEqual([recruits.length, truncated], [20, true]);
    assert.equal(recruits[0]?.['agentId'], 'recruit-20');
    const { events, truncated: cut } = activity as { events: Items; truncated: boolean };
    assert.deepEqual([events.length, cut], [50, true]);
    assert.deepEqual(events[0]?.['data'], {
      agentId: 'recruit-20',
      referrerAgentId: 'alice',
      status: 'pending',
    });
  });
  test('matches, the best paid of equals first', async () => {
    const whole = await node.document('/v1/agents/bob/work-match');
    assert.equal(whole['truncated'], false);
    const create = (i: number) =>
      node.act('alice', 'createWorkOrder', workOrderOf(`many-${i}`, { funding: 20_000_000 + i }));
    await Promise.all(Array.from({ length: 51 }, (_, i) => create(i)));
    const { matches, truncated } = await node.document('/v1/agents/bob/work-match');
    const ids = idsOf(matches);
    assert.deepEqual([ids.length, truncated], [50, true]);
    assert.deepEqual([ids[0], ids[1], ids.at(-1)], ['many-50', 'many-49', 'many-1']);
    const dossier = (await node.document('/v1/agents/bob/decision-dossier'))['work'] as JsonObject;
    assert.deepEqual(idsOf(dossier['matches']), ids.slice(0, 10));
    assert.equal(dossier['truncated'], true);
  });
});

describe('a match of an agent', () => {
  test('finds nothing after the beacon has expired, and suggests the next beacon', async () => {
    const expiresAtHeight = node.height + 2;
    const beacon = beaconOf('carol', node.height, { sequence: 7, expiresAtHeight });
    await node.act('carol', 'publishBeacon', beacon);
    assert.ok(idsOf((await node.document('/v1/agents/carol/work-match'))['matches']).length > 0);
    await node.join('later');
    // Blocks continue without a write, so expiry comes.
    while (node.height <= expiresAtHeight) await setTimeout(5);
    const { claims, matches, nextActions } = await node.document('/v1/agents/carol/work-match');
    assert.equal((claims as JsonObject)['status'], 'expired');
    assert.deepEqual(matches, []);
    const [publish] = nextActions as unknown as SignedRequest[];
    assert.equal(publish?.action, 'publishBeacon');
    await follow(publish, 'carol');
    const again = (await node.document('/v1/agents/carol/work-match'))['claims'] as JsonObject;
    assert.deepEqual([again['status'], again['lastSequence']], ['current', 8]);
  });
  test('that has accepted all it may says why it can take no more', async () => {
    const unfinished = async (): Promise<number> => {
      const { standing } = await node.document('/v1/agents/carol/work-match');
      assert.equal((standing as JsonObject)['unfinishedLimit'], 2);
      return (standing as JsonObject)['unfinishedOrders'] as number;
    };
    for (let i = await unfinished(); i < 2; i++) {
      await node.act('carol', 'acceptWork', { orderId: `many-${i}`, agentId: 'carol' });
    }
    assert.equal(await unfinished(), 2);
    const { matches, nextActions } = await node.document('/v1/agents/carol/work-match');
    assert.ok((matches as Items).length > 0);
    for (const { acceptable, refusal } of matches as Items) {
      assert.deepEqual([acceptable, refusal], [false, 'WORK_UNPROVEN_LIMIT']);
    }
    assert.deepEqual(nextActions, []);
  });
});

test('jurors show how often they agreed with an answer of the operator', async () => {
  const { actorId: operator } = node.running.node.dataDir.operator;
  const { order } = await brief('paid');
  const jury = (order as JsonObject)['firstVerification'];
  const { votes } = jury as { votes: { verifierId: string }[] };
  const verifierId = votes[0]?.verifierId ?? '';
  await node.act(operator, 'publishAnswer', { orderId: 'paid', answer: 'ACCEPT' });
  const { juror } = await node.document(`/v1/agents/${verifierId}`);
  assert.deepEqual(juror, { agreed: 1, silent: 0, verifierId, wrong: 0 });
  const { jurors } = await node.document('/v1/validation');
  assert.ok(
    (jurors as Items).some((one) => one['verifierId'] === verifierId && one['agreed'] === 1),
  );
});

describe('warnings about an order', () => {
  const HARD = {
    validationPolicy: { ...DEFAULT_VALIDATION_POLICY, requiredAccepts: 7, committeeSize: 7 },
  };

  test('are refusals if there are too few eligible groups, with their number', async () => {
    const { body } = await node.post('/v1/intents:simulate', {
      actorId: 'alice',
      action: 'createWorkOrder',
      payload: workOrderOf('hard', HARD),
    });
    const { code, detail } = body['refusal'] as { code: string; detail: string };
    assert.deepEqual([body['outcome'], code], ['refused', 'WORK_JURY_UNAVAILABLE']);
    assert.match(detail, /needs 7 accepts, and unrelated verifiers of \d groups/);
  });

  test('say that a small payment does not count, with the threshold as a number', async () => {
    const { body } = await node.post('/v1/intents:simulate', {
      actorId: 'alice',
      action: 'createWorkOrder',
      payload: workOrderOf('small', { funding: 1_000_000 }),
    });
    const warnings = body['warnings'] as { code: string; data: JsonObject }[];
    const { data } = warnings.find(({ code }) => code === 'FUNDING_DOES_NOT_COUNT') ?? {};
    assert.deepEqual([data?.['funding'], data?.['minimumFunding']], [1_000_000, 10_000_000]);
  });
});

test('a brief of an order with a bond says how to agree to it, and what the agent lacks', async () => {
  await node.join('dora');
  const target = { agentId: 'dora', workerBond: 700 };
  await node.act('alice', 'createWorkOrder', workOrderOf('bonded', target));
  const document = await brief('bonded');
  const { conditions } = document['availability'] as { conditions: { refusal: string }[] };
  assert.ok(conditions.some(({ refusal }) => refusal === 'WORKER_BOND_MISMATCH'));
  assert.equal(document['acceptWork'], null, 'dora has nothing to lock');
  const { actorId: operator } = node.running.node.dataDir.operator;
  await node.act(operator, 'transfer', { to: 'dora', amount: 700 });
  const accept = { orderId: 'bonded', agentId: 'dora', workerBond: 700 };
  assert.deepEqual((await brief('bonded'))['acceptWork'], {
    action: 'acceptWork',
    payload: accept,
  });
  const [step] = (await brief('bonded'))['nextActions'] as { envelope: JsonObject }[];
  assert.deepEqual(step?.envelope['payload'], accept);
  await node.act('dora', 'acceptWork', accept);
  assert.equal(((await brief('bonded'))['order'] as JsonObject)['workerBond'], 700);
  await node.act('dora', 'submitWorkResult', resultOf('bonded', { agentId: 'dora' }));
  assert.equal((await node.document('/v1/accounts/dora'))['balance'], 0, 'held to the end');
});
