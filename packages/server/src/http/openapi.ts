import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { ACTIONS } from '@netd/ledger';
import { canonicalize, SignedIntent, type JsonObject } from '@netd/protocol';
import { payloadSchemaName } from '@netd/documents';
import { INTERFACE_VERSION } from '@netd/protocol/version';
import { capitalized, NamedSchemas, plainOf, reference } from './openapi-schemas.ts';
import { OPENAPI_TAGS } from './openapi-tags.ts';
import { statusText } from './schemas.ts';

type OpenApi = NonNullable<FastifyDynamicSwaggerOptions['openapi']>;

export function openApiInfo(): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'netd',
      version: INTERFACE_VERSION,
      description:
        'A devnet for autonomous agents. Agents register under their own key, act through signed intents, and read a state that can be proved against a certified, hash-linked chain. Reads carry an ETag and answer 304 to If-None-Match. Integers lie within ±(2^53 − 1). Between versions answers may gain members, and tables of codes, actions and paths entries: a member, code, action or path that was released is never renamed and never gets another meaning; what changes otherwise gets another schema (/2) or another prefix (/v2). What is sent may hold no members but those described where additionalProperties is false. /v1/conventions says how values, lists and links are written.',
      contact: { name: 'The maintainers of netd' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/', description: 'This node' }],
    // Signatures in the body authorize writes.
    security: [],
    tags: OPENAPI_TAGS,
  };
}

export const transformObject: NonNullable<FastifyDynamicSwaggerOptions['transformObject']> = (
  input,
) => {
  if (!('openapiObject' in input)) return input.swaggerObject;
  const document = plainOf(input.openapiObject);
  const paths = Object.entries(
    document['paths'] as unknown as Record<string, Record<string, Operation>>,
  );
  const operations = paths.flatMap(([, item]) => Object.values(item));
  const schemas = new NamedSchemas();
  const responses = new Shared('responses');
  const intent = describeIntents(schemas);
  for (const { operationId, parameters = [], requestBody } of operations) {
    const place = capitalized(operationId);
    for (const parameter of parameters) {
      const schema = schemas.sent(parameter['schema'] as JsonObject, `${place}Parameter`);
      parameter['schema'] = schema;
      if (schemas.says(schema, parameter['description'])) delete parameter['description'];
      if (parameter['required'] === false) delete parameter['required'];
    }
    const media = requestBody?.content['application/json'];
    if (media) media.schema = describeBody(schemas, intent, operationId, media.schema);
  }
  for (const operation of operations) {
    const place = `${capitalized(operation.operationId)}Result`;
    for (const response of Object.values(operation.responses)) {
      for (const content of Object.values(response.content ?? {})) {
        const { description, ...schema } = content.schema;
        const said = description === undefined || description === response.description;
        content.schema = schemas.answer(said ? schema : content.schema, place);
      }
    }
    operation.responses = describeResponses(operation.responses, responses);
  }
  document['components'] = {
    parameters: shareParameters(operations),
    responses: responses.components(),
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
  parameters?: JsonObject[];
  requestBody?: { content: Record<string, { schema: JsonObject }> };
  responses: Record<string, Response>;
}

class Shared {
  private readonly kind: string;
  private readonly shared = new Map<string, JsonObject>();

  constructor(kind: string) {
    this.kind = kind;
  }

  refer(name: string, content: JsonObject): { $ref: string } | null {
    const known = this.shared.get(name) ?? content;
    if (canonicalize(known) !== canonicalize(content)) return null;
    this.shared.set(name, known);
    return { $ref: `#/components/${this.kind}/${name}` };
  }

  components(): JsonObject {
    return Object.fromEntries([...this.shared].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function shareParameters(operations: readonly Operation[]): JsonObject {
  const uses = new Map<string, number>();
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const text = canonicalize(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared = new Shared('parameters');
  for (const operation of operations) {
    if (operation.parameters?.length === 0) delete operation.parameters;
    operation.parameters &&= operation.parameters.map((parameter) => {
      const { name, in: where } = parameter as { name: string; in: string };
      if (uses.get(canonicalize(parameter)) === 1) return parameter;
      const named = shared.refer(`${name}Param`, parameter);
      return named ?? shared.refer(`${name}${capitalized(where)}Param`, parameter) ?? parameter;
    });
  }
  return shared.components();
}

const BY_DEFAULT = ['400', '405', '408', '412', '431', '500', '503'];

function describeResponses(
  described: Operation['responses'],
  shared: Shared,
): Operation['responses'] {
  const own = Object.entries(described).flatMap(([status, response]): [string, Response][] => {
    const schema = errorSchemaOf(response);
    if (Number(status) < 400 || schema === null) return [[status, response]];
    if (BY_DEFAULT.includes(status)) return [];
    if (schema !== 'Problem') return [[status, shared.refer(schema, anyOf(response)) ?? response]];
    const name = `${schema}${status}`;
    return [[status, shared.refer(name, response as unknown as JsonObject) ?? response]];
  });
  const { 500: unexpected } = described;
  const any = errorSchemaOf(unexpected);
  const rest = unexpected && any !== null ? shared.refer(any, anyOf(unexpected)) : null;
  return { ...Object.fromEntries(own), ...(rest ? { default: rest } : {}) };
}

function anyOf(response: Response): JsonObject {
  const isProblem = errorSchemaOf(response) === 'Problem';
  const description = isProblem ? ANY_PROBLEM : 'As Problem, in the form of this protocol.';
  return { description, content: response.content ?? {} };
}

const ANY_PROBLEM = `What any operation can answer. ${[...BY_DEFAULT, '429']
  .toSorted()
  .map((status) => `${status}: ${statusText[Number(status)]}`)
  .join(' ')}`;

function errorSchemaOf(response: Response | undefined): string | null {
  const [media] = Object.values(response?.content ?? {});
  return (media?.schema['$ref'] as string | undefined)?.split('/').at(-1) ?? null;
}

const RECORDED = ['sendAgentMessage'];

function describeIntents(schemas: NamedSchemas): JsonObject {
  const {
    title: _,
    properties,
    required,
    additionalProperties: _closed,
    ...about
  } = plainOf(SignedIntent);
  const { action: _action, payload: _payload, ...common } = properties as JsonObject;
  const own = ['action', 'payload'];
  const shared = {
    ...about,
    title: 'IntentEnvelope',
    properties: common,
    required: (required as string[]).filter((name) => !own.includes(name)),
    description: 'What every intent holds beside its action and payload.',
  };
  const envelope = schemas.sent(shared, shared.title);
  schemas.extendSent(shared.title, shared);
  const intents = [...ACTIONS.values()].map(({ name, payload, summary }) => {
    const title = payloadSchemaName(name);
    const described = schemas.sent({ description: summary, title, ...plainOf(payload) }, title);
    const known = described['$ref'] === reference(title)['$ref'];
    const named = known ? described : schemas.add(title, described);
    const recorded = RECORDED.includes(name);
    if (recorded) schemas.extendAnswered(title, plainOf(payload));
    const members = {
      action: { type: 'string', enum: [name] },
      payload: recorded ? { ...named, unevaluatedProperties: false } : named,
    };
    return schemas.add(intentSchemaName(name), {
      allOf: [envelope, { properties: members, required: own }],
    });
  });
  // Variants differ by single-value enumerations, because some generators drop the member that a
  // discriminator names.
  return schemas.add('Intent', {
    description: 'One action, signed by the actor who asks for it.',
    oneOf: intents,
  });
}

const intentSchemaName = (action: string): string => `${capitalized(action)}Intent`;

function describeBody(
  schemas: NamedSchemas,
  intent: JsonObject,
  operationId: string,
  body: JsonObject,
): JsonObject {
  const wanted = ACTIONS.has(operationId) ? reference(intentSchemaName(operationId)) : intent;
  const place = `${capitalized(operationId)}Body`;
  const describe = (schema: JsonObject): JsonObject =>
    schema['title'] === plainOf(SignedIntent)['title'] ? wanted : schemas.sent(schema, place);
  const options = body['anyOf'] as JsonObject[] | undefined;
  return options ? { anyOf: options.map(describe) } : describe(body);
}

/** Stands for a literal colon, which the plugin would take for a parameter. */
const COLON = '%3A';

export const transformSchema: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({
  schema,
  url,
}) => ({ schema, url: url.replaceAll('::', COLON) });
