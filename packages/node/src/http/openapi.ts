/** The OpenAPI 3.1 description: everything in it comes from the schemas that the routes carry. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { ACTIONS, AgentBeacon } from '@netd/ledger';
import {
  AgentRegistration,
  BlockHeader,
  canonicalize,
  FinalityCertificate,
  Genesis,
  InvitationClaim,
  OperatorApplication,
  Problem,
  Receipt,
  SignedIntent,
  ValidatorSet,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';
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
      { name: 'operators', description: 'Applications for roles, and their claims.' },
      { name: 'downloads', description: 'Client tools.' },
      { name: 'messages', description: 'Commitments to encrypted messages.' },
      { name: 'memory', description: 'Checkpoints and handovers of portable memory.' },
      { name: 'tokens', description: 'Custom tokens.' },
      { name: 'work', description: 'Work orders.' },
      { name: 'protocol', description: 'Contributions to the protocol, and its releases.' },
      { name: 'governance', description: 'Proposals and votes.' },
      { name: 'wallet', description: 'Wallet builds and compatibility.' },
      { name: 'readiness', description: 'Audits and the way to a mainnet.' },
      { name: 'discovery', description: 'Read-only, over MCP and A2A.' },
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

/** Schemas that recur, by the name they get under components. */
const NAMED: [name: string, schema: object][] = [
  ['Problem', Problem],
  ['Receipt', Receipt],
  ['FinalityCertificate', FinalityCertificate],
  ['ValidatorSet', ValidatorSet],
  ['BlockHeader', BlockHeader],
  ['SignedIntent', SignedIntent],
  ['AgentRegistration', AgentRegistration],
  ['AgentBeacon', AgentBeacon],
  ['OperatorApplication', OperatorApplication],
  ['InvitationClaim', InvitationClaim],
  ['Genesis', Genesis],
];

/** Names what recurs once instead of repeating it: schemas by their content, problem responses by status. */
export const transformObject: NonNullable<FastifyDynamicSwaggerOptions['transformObject']> = (
  input,
) => {
  if (!('openapiObject' in input)) return input.swaggerObject;
  const plain = JSON.parse(JSON.stringify(input.openapiObject)) as JsonObject;
  const references = new Map(
    NAMED.map(([name, schema]) => [
      canonicalize(JSON.parse(JSON.stringify(schema))),
      `#/components/schemas/${name}`,
    ]),
  );
  const responses: Record<string, JsonValue> = {};
  const fold = (value: JsonValue): JsonValue => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(fold);
    const reference = references.get(canonicalize(value));
    if (reference !== undefined) return { $ref: reference };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fold(member)]));
  };
  const document = fold(plain) as JsonObject;
  const paths = document['paths'] as Record<string, JsonObject>;
  document['paths'] = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path.replaceAll(COLON, ':'), item]),
  );
  for (const path of Object.values(document['paths'] as Record<string, JsonObject>)) {
    for (const operation of Object.values(path) as { responses?: Record<string, JsonValue> }[]) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        if (!canonicalize(response).includes('application/problem+json')) continue;
        responses[`Problem${status}`] = response;
        if (operation.responses) {
          operation.responses[status] = { $ref: `#/components/responses/Problem${status}` };
        }
      }
    }
  }
  const components = document['components'] as Record<string, JsonObject>;
  const schemas = JSON.parse(JSON.stringify(Object.fromEntries(NAMED))) as JsonObject;
  components['schemas'] = { ...components['schemas'], ...schemas };
  components['responses'] = responses;
  return document;
};

/** A literal colon, until the plugin has looked for parameters. */
const COLON = '%3A';

/** Bodies are checked by the ledger's rules, but described like everything else. */
export const transformSchema: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({
  schema,
  url,
}) => ({ schema, url: url.replaceAll('::', COLON) });
