/** Reads change nothing and fetch nothing. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@netd/protocol';
import { check } from '../check.ts';
import { Skip } from '../skip.ts';
import { expectProblem, membersOf, mentions, textOf } from '../expect.ts';
import type { Network } from '../network.ts';
import { PLAIN_READS } from './documents.ts';
import { beaconOf, checkpointOf, hashOf, orderOf } from './payloads.ts';

const ATTEMPTS = 5;
const QUIET_MILLISECONDS = 300;

/** Reads every document about an agent and an order. */
async function readAll(net: Network, agentId: string, orderId: string): Promise<string[]> {
  const paths = [
    ...PLAIN_READS,
    `/v1/agent-lineage/${agentId}`,
    `/v1/agents/${agentId}/operations`,
    `/v1/agents/${agentId}/decision-dossier`,
    `/v1/agents/${agentId}/work-match`,
    `/v1/agent-seeding?inviter=${agentId}`,
    `/.well-known/net-agent-intake.json?inviter=${agentId}`,
    `/v1/discovery?agentId=${agentId}`,
    `/v1/agent-directory?agentId=${agentId}`,
    `/v1/work-orders/${orderId}`,
    `/v1/work-orders/${orderId}/brief`,
    `/v1/work-orders/${orderId}/audit`,
    '/.well-known/agent-card.json',
    '/llms.txt',
  ];
  const texts: string[] = [];
  for (const path of paths) texts.push((await net.http.get(path)).text);
  return texts;
}

/** Creates an agent and an order whose declared addresses are all `at`. */
async function declared(net: Network, at: string) {
  const actor = await net.spender('declares');
  const { actorId: agentId } = actor;
  const orderId = net.fresh('order');
  const endpoint = { endpoint: `${at}/a2a` };
  const replica = (providerId: string) => ({
    providerId,
    uri: `${at}/${providerId}`,
    bundleHash: hashOf('c'),
  });
  await net.does(actor, 'publishBeacon', beaconOf(agentId, await net.height(), 1, endpoint));
  await net.does(
    actor,
    'commitMemoryCheckpoint',
    checkpointOf(agentId, net.fresh('memory'), {
      storageReplicas: [replica('one'), replica('two')],
    }),
  );
  await net.does(actor, 'createWorkOrder', orderOf(orderId));
  return { agentId, orderId };
}

const facts = async (net: Network, agentId: string, orderId: string) => {
  const agent = await net.http.document(`/v1/agents/${agentId}`);
  const order = await net.http.document(`/v1/work-orders/${orderId}`);
  const withoutHeights = (document: JsonObject): string =>
    JSON.stringify(document, (name, value: unknown) =>
      ['height', 'snapshot'].includes(name) ? undefined : value,
    );
  return { agent: withoutHeights(agent), order: withoutHeights(order) };
};

export const SAFETY_CHECKS = [
  check('reading everything changes nothing', ['reads.change-nothing'], async (net) => {
    const { agentId, orderId } = await net.once('declared', () =>
      declared(net, 'https://nowhere.example'),
    );
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await net.http.document('/health');
      await readAll(net, agentId, orderId);
      const after = await net.http.document('/health');
      if (before['stateRoot'] === after['stateRoot']) return;
      // Other clients may write meanwhile: blame reads only for blocks without transitions.
      const { blocks } = await net.http.document('/v1/blocks?limit=100');
      const since = (blocks as JsonObject[])
        .map((block) => ({ ...(block['header'] as JsonObject | undefined), ...block }))
        .filter(({ height }) => Number(height) > Number(before['height']));
      assert.ok(
        since.some(({ transitionCount }) => Number(transitionCount) > 0),
        'the state root moved without a transition',
      );
    }
    throw new Skip('others kept changing the state while it was read');
  }),

  check(
    'reading about an agent gives it nothing, and reading a brief takes nothing',
    ['reads.grant-nothing', 'reads.accept-no-work'],
    async (net) => {
      const { agentId, orderId } = await net.once('declared', () =>
        declared(net, 'https://nowhere.example'),
      );
      const before = await facts(net, agentId, orderId);
      await readAll(net, agentId, orderId);
      assert.deepEqual(await facts(net, agentId, orderId), before);
    },
  ),

  check(
    'reads about an agent that does not exist do not create it',
    ['reads.create-no-identity', 'reads.no-invitation'],
    async (net) => {
      const absent = net.fresh('imagined');
      for (const path of [
        `/v1/agents/${absent}/operations`,
        `/v1/agent-lineage/${absent}`,
        `/v1/agents/${absent}/decision-dossier`,
        `/v1/agents/${absent}/work-match`,
      ]) {
        expectProblem(await net.http.get(path), 404, 'AGENT_NOT_FOUND');
      }
      for (const path of ['/v1/agent-seeding', '/.well-known/net-agent-intake.json']) {
        await net.http.document(`${path}?inviter=${absent}`);
      }
      for (const path of ['/v1/agents?limit=1000', '/v1/referrals', '/v1/operator-applications']) {
        assert.ok(!mentions(await net.http.document(path), absent), `${path} lists ${absent}`);
      }
    },
  ),

  check('nothing is contacted that an agent has declared', ['reads.no-contact'], async (net) => {
    const { hostname } = new URL(net.url);
    if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
      throw new Skip('the node is elsewhere: its connections cannot be seen from here');
    }
    const callers: string[] = [];
    const listener = createServer((socket) => {
      callers.push(textOf(socket.remotePort));
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = listener.address() as AddressInfo;
      const { agentId, orderId } = await net.once('declared here', async () => {
        const actor = await net.agent('declares-here');
        const endpoint = { endpoint: `https://127.0.0.1:${port}/a2a` };
        const beacon = beaconOf(actor.actorId, await net.height(), 1, endpoint);
        await net.does(actor, 'publishBeacon', beacon);
        return { agentId: actor.actorId, orderId: net.id('no-order') };
      });
      const texts = await readAll(net, agentId, orderId);
      assert.ok(
        texts.some((text) => text.includes(`:${port}/a2a`)),
        'no read shows the address',
      );
      await new Promise((resolve) => setTimeout(resolve, QUIET_MILLISECONDS));
      assert.deepEqual(callers, [], 'a declared endpoint was contacted');
    } finally {
      listener.close();
    }
  }),

  check(
    'no read shows key material, a body or private scope, or asks agents to install anything',
    ['reads.hide-private', 'auth.no-key-material', 'reads.install-nothing'],
    async (net) => {
      const { agentId, orderId } = await net.once('declared', () =>
        declared(net, 'https://nowhere.example'),
      );
      for (const text of await readAll(net, agentId, orderId)) {
        assert.doesNotMatch(text, /PRIVATE KEY-----/);
        assert.doesNotMatch(text, /curl [^\n|]*\|\s*(ba|z)?sh|npm (i|install) -g/);
        let document: JsonObject = {};
        try {
          document = JSON.parse(text) as JsonObject;
        } catch {
          // Plain text has no members.
        }
        for (const [name, where] of membersOf(document)) {
          assert.doesNotMatch(name, /^(privateKey|secret|secretKey|mnemonic|plaintext)$/, where);
        }
      }
    },
  ),

  check(
    'what answered was described: status, media type and body',
    ['discovery.openapi.true'],
    async ({ http }) => {
      await http.describe();
      assert.deepEqual([...http.surprises], []);
    },
  ),
];
