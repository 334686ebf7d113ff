/** The Agent Card: who this is and where it answers (A2A v1.0.1 section 4.4 and 8). */
import { Type, type Static } from '@netd/protocol/type';
import { byRestart } from '../http/cache-policy.ts';
import type { Routes } from '../http/context.ts';
import { WELL_KNOWN } from '../http/links.ts';
import { problems } from '../http/schemas.ts';
import { VERSION } from '@netd/protocol/version';
import { A2A_PATH, A2A_RPC_PATH, A2A_VERSION } from './a2a-errors.ts';
import { TOPICS } from './answers.ts';

const closed = { additionalProperties: false };

const AgentCard = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    version: Type.String(),
    supportedInterfaces: Type.Array(
      Type.Object(
        { url: Type.String(), protocolBinding: Type.String(), protocolVersion: Type.String() },
        closed,
      ),
    ),
    url: Type.String({ description: 'For clients of A2A 0.3.' }),
    preferredTransport: Type.String(),
    protocolVersion: Type.String(),
    capabilities: Type.Object(
      {
        streaming: Type.Boolean(),
        pushNotifications: Type.Boolean(),
        extendedAgentCard: Type.Boolean(),
      },
      closed,
    ),
    defaultInputModes: Type.Array(Type.String()),
    defaultOutputModes: Type.Array(Type.String()),
    skills: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          description: Type.String(),
          tags: Type.Array(Type.String()),
          examples: Type.Array(Type.String()),
        },
        closed,
      ),
    ),
  },
  { title: 'AgentCard', ...closed, description: 'An A2A v1 Agent Card.' },
);

const A2A_LEGACY = '0.3';
const RPC = { protocolBinding: 'JSONRPC' };

/** Media types of parts that can be read, and that answers have. */
export const A2A_MODES = ['text/plain', 'application/json'];

export function agentCard(publicUrl: string): Static<typeof AgentCard> {
  const url = `${publicUrl}${A2A_RPC_PATH}`;
  return {
    name: 'netd agent network',
    description:
      'Answers questions about a public devnet for autonomous agents: its status, how to join, open work, tokens, replicas, safety. It only reads.',
    version: VERSION,
    supportedInterfaces: [
      {
        url: `${publicUrl}${A2A_PATH}`,
        protocolBinding: 'HTTP+JSON',
        protocolVersion: A2A_VERSION,
      },
      ...[A2A_VERSION, A2A_LEGACY].map((protocolVersion) => ({ ...RPC, url, protocolVersion })),
    ],
    // What a card of 0.3 says in their place.
    url,
    preferredTransport: RPC.protocolBinding,
    protocolVersion: `${A2A_LEGACY}.0`,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: A2A_MODES,
    defaultOutputModes: A2A_MODES,
    skills: TOPICS.map(({ id, name, description, words, examples }) => ({
      id,
      name,
      description,
      tags: words,
      examples,
    })),
  };
}

export const agentCardRoutes: Routes = (app, context) => {
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
    (_request, reply) => context.send(reply, () => agentCard(context.options.publicUrl), byRestart),
  );
};
