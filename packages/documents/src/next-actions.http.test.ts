/** Signs every next action of the documents on a real node, which must accept it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  acknowledgementOf,
  beaconOf,
  messageOf,
  resultOf,
  workOrderOf,
} from '@netd/ledger/testing';
import type { JsonObject, JsonValue } from '@netd/protocol';
import { followRequest } from '@netd/testkit/follow-request';
import type { HttpNode } from '@netd/testkit/http-node';
import { openOrderFixtures } from '@netd/testkit/order-fixtures';
import { LINK_NAMES } from './shared/links.ts';
import { DOCUMENTS } from './registry.ts';
import type { SignedRequest } from './shared/signed-request.ts';

let node: HttpNode;
before(async () => {
  node = await openOrderFixtures();
  await node.join('newcomer');
  await node.join('found');
  await node.act('found', 'publishBeacon', beaconOf('found', node.height));
  await node.join('spender');
  const actions = ['faucet', 'transfer', 'delegate', 'createWorkOrder', 'cancelWorkOrder'];
  await node.act('spender', 'extendAgentCapabilities', { agentId: 'spender', actions });
  await node.act('spender', 'faucet', { amount: 10_000_000 });
  const { actorId: operator } = node.running.node.dataDir.operator;
  await node.join('rich');
  await node.act(operator, 'transfer', { to: 'rich', amount: 10_000_000 });
});
after(() => node.stop());

/** Agents of all kinds. */
const AGENTS = ['newcomer', 'found', 'spender', 'rich', 'alice', 'bob', 'carol', 'vera'] as const;

const nextActions = async (path: string): Promise<SignedRequest[]> =>
  (await node.document(path))['nextActions'] as unknown as SignedRequest[];

/** Returns every document with next actions. */
const readsOf = (agentId: string): string[] => [
  `/v1/agents/${agentId}/operations`,
  `/v1/agents/${agentId}/decision-dossier`,
  `/v1/agents/${agentId}/work-match`,
  `/v1/agent-startup?actorId=${agentId}`,
  `/v1/agent-opportunities?actorId=${agentId}`,
  `/v1/tokenomics?actorId=${agentId}`,
  `/v1/nodes?actorId=${agentId}`,
  `/v1/replicas?actorId=${agentId}`,
  `/v1/validators?actorId=${agentId}`,
  ...['open', 'targeted', 'free', 'taken', 'review', 'verified', 'paid', 'cancelled'].map(
    (orderId) => `/v1/work-orders/${orderId}/brief?actorId=${agentId}`,
  ),
];

test('the list of reads is whole: every document with nextActions is among them', () => {
  const asked = readsOf('x').map((path) => path.split('?')[0]);
  for (const { route, schema } of DOCUMENTS) {
    if (!('nextActions' in schema.properties)) continue;
    const pattern = new RegExp(`^${route.replaceAll(/:[a-zA-Z]+/g, '[^/]+')}$`);
    // This node has no validator candidate; staking.http.test.ts covers it.
    if (route === '/v1/validators/:validatorId' || route === '/v1/conventions') continue;
    assert.ok(
      asked.some((path) => pattern.test(path ?? '')),
      route,
    );
  }
});

/** Simulates the request. */
async function accepted(request: SignedRequest): Promise<string> {
  const { envelope } = request;
  const { status, body } = await node.post('/v1/intents:simulate', envelope as JsonObject);
  assert.equal(status, 200);
  const { outcome, refusal } = body as { outcome: string; refusal: { code: string } | null };
  return `${outcome} ${refusal?.code ?? ''}`;
}

describe('the first next action is accepted unchanged', () => {
  for (const agentId of AGENTS) {
    test(`of every document that ${agentId} asks for`, async () => {
      let offered = 0;
      for (const path of readsOf(agentId)) {
        const [first] = await nextActions(path);
        if (!first) continue;
        offered++;
        assert.equal((first.envelope as JsonObject)['actorId'], agentId, path);
        assert.equal(await accepted(first), 'accepted ', `${path}: ${first.action}`);
      }
      assert.ok(offered >= 6, `${offered} documents offer something`);
    });
  }

  test('signed and committed, document by document, until nothing is left that is new', async () => {
    const seen = new Set<string>();
    for (const agentId of AGENTS) {
      for (const path of readsOf(agentId)) {
        const [first] = await nextActions(path);
        if (!first) continue;
        const { status, text } = await followRequest(node, first, agentId);
        assert.equal(status, 201, `${path}: ${first.action}: ${text}`);
        seen.add(first.action);
      }
    }
    for (const action of [
      'acceptWork',
      'submitWorkResult',
      'publishBeacon',
      'commitMemoryCheckpoint',
      'submitNodeHeartbeat',
      'extendAgentCapabilities',
      'faucet',
      'voteWork',
      'cancelWorkOrder',
      'openDispute',
    ]) {
      assert.ok(seen.has(action), `${action} was offered to nobody`);
    }
  });
});

describe('the order', () => {
  const actionsOf = async (path: string): Promise<string[]> =>
    (await nextActions(path)).map(({ action }) => action);

  test('starts with obligations, then earnings, then improvements', async () => {
    await node.join('busy');
    await node.join('writer');
    await node.act('spender', 'createWorkOrder', workOrderOf('owed', { agentId: 'busy' }));
    await node.act('busy', 'acceptWork', { orderId: 'owed', agentId: 'busy' });
    await node.act('spender', 'createWorkOrder', workOrderOf('next', { agentId: 'busy' }));
    await node.act('writer', 'sendAgentMessage', messageOf(node, 'writer', 'busy'));
    const owed = ['submitWorkResult', 'acknowledgeAgentMessage', 'acceptWork', 'publishBeacon'];
    for (const path of ['/v1/agents/busy/operations', '/v1/agent-startup?actorId=busy']) {
      assert.deepEqual((await actionsOf(path)).slice(0, 4), owed, path);
    }
    await node.act('busy', 'submitWorkResult', resultOf('owed', { agentId: 'busy' }));
    assert.deepEqual((await actionsOf('/v1/agents/busy/operations')).slice(0, 3), owed.slice(1));
    const [acknowledge] = await nextActions('/v1/agents/busy/operations');
    assert.ok(acknowledge);
    const { messageId } = (acknowledge.envelope as JsonObject)['payload'] as { messageId: string };
    await node.act('busy', 'acknowledgeAgentMessage', acknowledgementOf('busy', messageId));
    assert.deepEqual((await actionsOf('/v1/agents/busy/operations')).slice(0, 2), owed.slice(2));
  });

  test('has the capability before the action that needs it, and both are accepted in turn', async () => {
    await node.join('poor');
    const [extend, faucet, ...rest] = await nextActions('/v1/tokenomics?actorId=poor');
    assert.deepEqual(
      [extend?.action, faucet?.action, rest],
      ['extendAgentCapabilities', 'faucet', []],
    );
    for (const request of [extend, faucet]) {
      const { status, text } = await followRequest(node, request as SignedRequest, 'poor');
      assert.equal(status, 201, text);
    }
    // The newcomer's allowance is used up.
    assert.deepEqual(await actionsOf('/v1/tokenomics?actorId=poor'), []);
  });

  test('is that of a newcomer if the reader is unknown or cannot sign', async () => {
    const newcomers = await actionsOf('/v1/agent-startup');
    assert.deepEqual(newcomers.slice(0, 2), ['AgentRegistration', 'publishBeacon']);
    for (const nobody of ['nobody', '..', '%00']) {
      assert.deepEqual(await actionsOf(`/v1/agent-startup?actorId=${nobody}`), newcomers);
    }
  });
});

describe('links', () => {
  /** Yields all `links`, at any depth. */
  function* linksIn(value: JsonValue): Generator<[name: string, path: string]> {
    if (value === null || typeof value !== 'object') return;
    if (!Array.isArray(value) && typeof value['links'] === 'object') {
      yield* Object.entries(value['links'] as Record<string, string>);
    }
    for (const member of Object.values(value)) yield* linksIn(member);
  }

  test('have a name that the conventions explain, and lead somewhere', async () => {
    const { linkNames } = await node.document('/v1/conventions');
    assert.deepEqual(linkNames, LINK_NAMES);
    const plain = DOCUMENTS.filter(({ path }) => Object.keys(path.properties).length === 0);
    const paths = [...plain.map(({ route }) => route), ...AGENTS.flatMap(readsOf), '/v1/network'];
    const found = new Map<string, string>();
    for (const path of paths) {
      for (const [name, link] of linksIn(await node.document(path))) {
        found.set(link, `${name} of ${path}`);
      }
    }
    assert.ok(found.size > 100, `only ${found.size} links`);
    const { paths: described } = await node.description();
    for (const [link, where] of found) {
      if (described[link]?.['post'] && !described[link]['get']) continue;
      const { status } = await node.get(link);
      assert.equal(status, 200, `${link}: ${where}`);
    }
  });
});
