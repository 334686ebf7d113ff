/** The OpenAPI 3.1 description: everything in it comes from the schemas that the routes carry. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { ACTIONS } from '@netd/ledger';
import { Problem, SignedIntent, type JsonObject } from '@netd/protocol';
import { payloadSchemaName } from '../documents/shared/signed-request.ts';
import { INTERFACE_VERSION } from '../version.ts';
import { capitalized, NamedSchemas, plainOf, reference } from './openapi-schemas.ts';
import { statusText } from './schemas.ts';

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
  };
}

/** Names every shape once instead of repeating it, and problem responses by their status. */
export const transformObject: NonNullable<FastifyDynamicSwaggerOptions['transformObject']> = (
  input,
) => {
  if (!('openapiObject' in input)) return input.swaggerObject;
  const document = plainOf(input.openapiObject);
  const schemas = new NamedSchemas();
  const responses: Record<string, JsonObject> = { NotModified: NOT_MODIFIED, Problem: ANY_PROBLEM };
  const intent = describeIntents(schemas);
  schemas.refer(plainOf(Problem), '');
  const paths = Object.entries(
    document['paths'] as unknown as Record<string, Record<string, Operation>>,
  );
  const operations = paths.flatMap(([, item]) => Object.values(item));
  for (const operation of operations) {
    const { operationId, parameters = [], requestBody } = operation;
    const place = capitalized(operationId);
    for (const parameter of parameters) {
      parameter['schema'] = schemas.refer(parameter['schema'] as JsonObject, `${place}Parameter`);
    }
    const media = requestBody?.content['application/json'];
    if (media) media.schema = describeBody(schemas, intent, operationId, media.schema);
    operation.responses = describeResponses(operation.responses, (status, response) => {
      for (const content of Object.values(response.content ?? {})) {
        content.schema = schemas.refer(content.schema, `${place}Result`);
      }
      // The operation and its schema say it already.
      if (response.description === operation.description) response.description = 'Success.';
      if (!isProblem(response)) return response;
      responses[`Problem${status}`] = response as unknown as JsonObject;
      return { $ref: `#/components/responses/Problem${status}` };
    });
  }
  document['components'] = {
    responses,
    schemas: schemas.components(),
  };
  document['paths'] = Object.fromEntries(
    paths.map(([path, item]) => [path.replaceAll(COLON, ':'), item as unknown as JsonObject]),
  );
  return document;
};

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema: JsonObject }>;
}

interface Operation {
  operationId: string;
  description?: string;
  parameters?: JsonObject[];
  requestBody?: { content: Record<string, { schema: JsonObject }> };
  responses: Record<string, Response>;
}

/** What every operation can answer is described once, as what it answers by default. */
const BY_DEFAULT = ['405', '408', '431', '500', '503'];

const ANY_PROBLEM: JsonObject = {
  description: `A problem that any operation can answer. ${BY_DEFAULT.map((status) => `${status}: ${statusText[Number(status)]}`).join(' ')}`,
  content: { 'application/problem+json': { schema: reference('Problem') } },
};

const NOT_MODIFIED: JsonObject = { description: 'The client has the current one (If-None-Match).' };

const isProblem = ({ content }: Response): boolean =>
  content?.['application/problem+json'] !== undefined;

function describeResponses(
  described: Operation['responses'],
  describe: (status: string, response: Response) => Response,
): Operation['responses'] {
  const folded = BY_DEFAULT.every((status) => isProblem(described[status] ?? {}));
  const own = Object.entries(described).filter(
    ([status]) => !folded || !BY_DEFAULT.includes(status),
  );
  const named = own.map(([status, response]): [string, Response] => [
    status,
    status === '304' ? { $ref: '#/components/responses/NotModified' } : describe(status, response),
  ]);
  const rest = folded ? { default: { $ref: '#/components/responses/Problem' } } : {};
  return { ...Object.fromEntries(named), ...rest };
}

/** An intent for each action, with the payload it has to carry. @returns any of them */
function describeIntents(schemas: NamedSchemas): JsonObject {
  const { title: _, properties, required, ...about } = plainOf(SignedIntent);
  const { action: _action, payload: _payload, ...common } = properties as JsonObject;
  const own = ['action', 'payload'];
  const envelope = schemas.refer(
    {
      ...about,
      title: 'IntentEnvelope',
      properties: common,
      required: (required as string[]).filter((name) => !own.includes(name)),
      description: 'What every intent holds beside its action and payload.',
    },
    'IntentEnvelope',
  );
  const mapping: Record<string, string> = {};
  const intents = [...ACTIONS.values()].map(({ name, payload, summary }) => {
    const title = payloadSchemaName(name);
    const described = schemas.refer({ description: summary, title, ...plainOf(payload) }, title);
    // A payload that is known by a name of its own has both.
    const known = described['$ref'] === reference(title)['$ref'];
    const members = {
      action: { type: 'string', enum: [name] },
      payload: known ? described : schemas.add(title, described),
    };
    const intent = schemas.add(intentSchemaName(name), {
      allOf: [envelope, { type: 'object', properties: members, required: own }],
    });
    mapping[name] = intent['$ref'] as string;
    return intent;
  });
  return schemas.add('Intent', {
    description: 'One action, signed by the actor who asks for it.',
    oneOf: intents,
    discriminator: { propertyName: 'action', mapping },
  });
}

const intentSchemaName = (action: string): string => `${capitalized(action)}Intent`;

/** Says which intents an operation takes: those of the action it is named after, or all. */
function describeBody(
  schemas: NamedSchemas,
  intent: JsonObject,
  operationId: string,
  body: JsonObject,
): JsonObject {
  const wanted = ACTIONS.has(operationId) ? reference(intentSchemaName(operationId)) : intent;
  const place = `${capitalized(operationId)}Body`;
  const describe = (schema: JsonObject): JsonObject =>
    schema['title'] === plainOf(SignedIntent)['title'] ? wanted : schemas.refer(schema, place);
  const options = body['anyOf'] as JsonObject[] | undefined;
  return options ? { anyOf: options.map(describe) } : describe(body);
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
