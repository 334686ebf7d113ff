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
import { payloadSchemaName } from '../documents/signed-request.ts';
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
      contact: { name: 'The maintainers of netd' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/', description: 'This node' }],
    // Reads are public; what a write needs is inside its body, signed.
    security: [],
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
          payloadSchemaName(name),
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
  const plain = plainOf(input.openapiObject);
  const references = new Map(
    NAMED.map(([name, schema]) => [contentOf(plainOf(schema)), `#/components/schemas/${name}`]),
  );
  const responses: Record<string, JsonValue> = {};
  const fold = (value: JsonValue): JsonValue => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(fold);
    const reference = references.get(contentOf(value));
    if (reference !== undefined) return { $ref: reference };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fold(member)]));
  };
  const document = fold(plain) as JsonObject;
  const paths = document['paths'] as Record<string, JsonObject>;
  document['paths'] = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path.replaceAll(COLON, ':'), item]),
  );
  for (const path of Object.values(document['paths'] as Record<string, JsonObject>)) {
    for (const operation of Object.values(path) as Operation[]) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        if (!canonicalize(response).includes('application/problem+json')) continue;
        responses[`Problem${status}`] = response;
        if (operation.responses) {
          operation.responses[status] = { $ref: `#/components/responses/Problem${status}` };
        }
      }
      describePayload(operation);
    }
  }
  const components = document['components'] as Record<string, JsonObject>;
  const schemas = plainOf(Object.fromEntries(NAMED));
  components['schemas'] = { ...components['schemas'], ...schemas };
  components['responses'] = responses;
  return document;
};

interface Operation {
  operationId?: string;
  requestBody?: { content: Record<string, { schema: JsonObject }> };
  responses?: Record<string, JsonValue>;
}

/** Says of an intent what its payload has to be: that of the action the operation is named after, or of any. */
function describePayload({ operationId = '', requestBody }: Operation): void {
  const media = requestBody?.content['application/json'];
  if (!media) return;
  const variant = (name: string): JsonObject => ({
    properties: {
      action: { const: name },
      payload: { $ref: `#/components/schemas/${payloadSchemaName(name)}` },
    },
  });
  const payload = ACTIONS.has(operationId)
    ? variant(operationId)
    : { anyOf: [...ACTIONS.keys()].map(variant) };
  const described = (schema: JsonObject): JsonObject =>
    schema['$ref'] === '#/components/schemas/SignedIntent' ? { allOf: [schema, payload] } : schema;
  const options = media.schema['anyOf'] as JsonObject[] | undefined;
  media.schema = options ? { anyOf: options.map(described) } : described(media.schema);
}

/** Schema objects carry members that only matter to their library. */
const plainOf = (schema: object): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;

/** What two schemas are compared by: the plugin writes a constant as an enumeration of one. */
function contentOf(schema: JsonValue): string {
  const text = JSON.stringify(schema, (_name, value: JsonValue) => {
    if (value === null || typeof value !== 'object' || !('const' in value)) return value;
    const { const: only = null, ...rest } = value;
    return { ...rest, enum: [only] };
  });
  return canonicalize(JSON.parse(text));
}

/** A literal colon, until the plugin has looked for parameters. */
const COLON = '%3A';

/**
 * Bodies are checked by the ledger's rules, but described like everything else. What an operation answers with when all
 * goes well describes the operation too, where it has nothing of its own to say.
 */
export const transformSchema: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({
  schema,
  url,
}) => {
  const { response = {} } = schema as { response?: Record<string, { description?: string }> };
  const { description } = response['200'] ?? response['201'] ?? {};
  return {
    schema: { ...(description === undefined ? {} : { description }), ...schema },
    url: url.replaceAll('::', COLON),
  };
};
