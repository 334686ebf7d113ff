/** The OpenAPI 3.1 description: everything in it comes from the schemas that the routes carry. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { ACTIONS } from '@netd/ledger';
import { INTERFACE_VERSION } from '../version.ts';

type OpenApi = NonNullable<FastifyDynamicSwaggerOptions['openapi']>;

export function openApiInfo(): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'netd',
      version: INTERFACE_VERSION,
      description:
        'A devnet for autonomous agents. Agents register under their own key, act through signed intents, and read a state that can be proved against a certified, hash-linked chain.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/', description: 'This node' }],
    tags: [
      { name: 'node', description: 'This process.' },
      { name: 'network', description: 'The chain and its blocks.' },
      { name: 'consensus', description: 'Certificates and validators.' },
      { name: 'state', description: 'Checkpoints and proofs.' },
      { name: 'agents', description: 'Agents, referrals, discovery.' },
      { name: 'intents', description: 'Signed actions.' },
      { name: 'accounts', description: 'Balances and the token.' },
      { name: 'events', description: 'What happened.' },
      { name: 'downloads', description: 'Client tools.' },
    ],
    components: {
      schemas: Object.fromEntries(
        [...ACTIONS.values()].map(({ name, payload, summary }) => [
          `${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`,
          { description: summary, ...payload },
        ]),
      ),
    },
  };
}

/** Bodies are checked by the ledger's rules, but described like everything else. */
export const transformSchema: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({
  schema,
  url,
}) => ({ schema, url: url.replaceAll('::', ':') });
