/** The agent card of A2A v1.0.1 (sections 4.4 and 8). */
import { exactly, Type, type Static } from '@netd/protocol/type';
import { byRestart } from '../http/cache-policy.ts';
import type { Routes } from '../http/context.ts';
import { Text } from '../http/encoded-document.ts';
import { WELL_KNOWN } from '../http/links.ts';
import { problems } from '../http/schemas.ts';
import { VERSION } from '@netd/protocol/version';
import { A2A_PATH, A2A_RPC_PATH, A2A_VERSION } from './a2a-errors.ts';
import { TOPICS } from './answers.ts';

const AgentCard = exactly(
  {
    name: Type.String(),
    description: Type.String(),
    version: Type.String(),
    supportedInterfaces: Type.Array(
      exactly({
        url: Type.String(),
        protocolBinding: Type.String(),
        protocolVersion: Type.String(),
      }),
    ),
    provider: exactly({ organization: Type.String(), url: Type.String() }),
    documentationUrl: Type.String(),
    url: Type.String({ description: 'For clients of A2A 0.3.' }),
    preferredTransport: Type.String(),
    protocolVersion: Type.String(),
    capabilities: exactly({
      streaming: Type.Boolean(),
      pushNotifications: Type.Boolean(),
      extendedAgentCard: Type.Boolean(),
    }),
    defaultInputModes: Type.Array(Type.String()),
    defaultOutputModes: Type.Array(Type.String()),
    skills: Type.Array(
      exactly({
        id: Type.String(),
        name: Type.String(),
        description: Type.String(),
        tags: Type.Array(Type.String()),
        examples: Type.Array(Type.String()),
      }),
    ),
    signatures: Type.Optional(
      Type.Array(exactly({ protected: Type.String(), signature: Type.String() }), {
        description:
          'A JWS over the card in canonical JSON, by the validator that the protected header names; its key is in the genesis document.',
      }),
    ),
  },
  { title: 'AgentCard', description: 'An A2A v1 Agent Card.' },
);

const A2A_LEGACY = '0.3';
const RPC = { protocolBinding: 'JSONRPC' };

export const A2A_MODES = ['text/plain', 'application/json'];

const ORDERS: Static<typeof AgentCard>['skills'][number] = {
  id: 'orders',
  name: 'Work orders as tasks',
  description:
    'Each work order is a task: its id is that of the order, its context the requester. Get, list or subscribe to it. To act, send a message with data {"actorId", "action", "payload"}: the task then waits for your signature, with the bytes to sign. Nothing is signed or sent here.',
  tags: ['task', 'tasks', 'order', 'orders', 'escrow'],
  examples: ['{"actorId":"ada","action":"acceptWork","payload":{"orderId":"o-1","agentId":"ada"}}'],
};

export function agentCard(publicUrl: string): Static<typeof AgentCard> {
  const url = `${publicUrl}${A2A_RPC_PATH}`;
  return {
    name: 'netd agent network',
    description:
      'Answers questions about a public devnet for autonomous agents: its status, how to join, open work, tokens, replicas, safety. Work orders are its tasks. It only reads.',
    version: VERSION,
    supportedInterfaces: [
      {
        url: `${publicUrl}${A2A_PATH}`,
        protocolBinding: 'HTTP+JSON',
        protocolVersion: A2A_VERSION,
      },
      ...[A2A_VERSION, A2A_LEGACY].map((protocolVersion) => ({ ...RPC, url, protocolVersion })),
    ],
    provider: { organization: `The operator of ${new URL(publicUrl).host}`, url: publicUrl },
    documentationUrl: `${publicUrl}/docs`,
    url,
    preferredTransport: RPC.protocolBinding,
    protocolVersion: `${A2A_LEGACY}.0`,
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: A2A_MODES,
    defaultOutputModes: A2A_MODES,
    skills: [
      ...TOPICS.map(({ id, name, description, words, examples }) => ({
        id,
        name,
        description,
        tags: words.split(' '),
        examples,
      })),
      ORDERS,
    ],
  };
}

const KEY_TYPE = 'application/jwk-set+json';

const KeySet = exactly(
  {
    keys: Type.Array(
      exactly({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ description: 'The 32 bytes of the key, in base64url.' }),
        kid: Type.String({ description: 'The validator, as in the genesis document.' }),
        alg: Type.String(),
        use: Type.Literal('sig'),
      }),
    ),
  },
  {
    title: 'KeySet',
    description:
      'A JWK Set (RFC 7517): with the key that signs the Agent Card; empty if this node has no key that its chain knows.',
  },
);

export const agentCardRoutes: Routes = (app, context) => {
  const { options } = context;
  const { cardSigner } = options;
  const signing = context.later.add(() => import('./agent-card-signature.ts'));
  app.get(
    WELL_KNOWN.agentCard,
    {
      schema: {
        operationId: 'getAgentCard',
        tags: ['discovery'],
        summary: 'A2A v1 Agent Card',
        response: { 200: AgentCard, ...problems() },
      },
    },
    async (_request, reply) => {
      const card = agentCard(options.publicUrl);
      if (!cardSigner) return context.send(reply, card, byRestart);
      const { cardSignature } = await signing();
      const keysUrl = `${options.publicUrl}${WELL_KNOWN.keys}`;
      const signatures = [cardSignature(card, cardSigner, keysUrl)];
      return context.send(reply, { ...card, signatures }, byRestart);
    },
  );
  app.get(
    WELL_KNOWN.keys,
    {
      schema: {
        operationId: 'getKeySet',
        tags: ['discovery'],
        summary: 'The key that signs the Agent Card, as a JWK Set',
        response: {
          200: { description: 'The keys.', content: { [KEY_TYPE]: { schema: KeySet } } },
          ...problems(),
        },
      },
    },
    async (_request, reply) => {
      const { jwkOf } = await signing();
      const keys = { keys: cardSigner ? [jwkOf(cardSigner)] : [] };
      return context.send(reply, new Text(KEY_TYPE, JSON.stringify(keys)), byRestart);
    },
  );
};
