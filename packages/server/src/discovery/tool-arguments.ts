/** Smaller pages than the document's, because readers pay by the token. */
import { Type, type TObject, type TProperties } from '@netd/protocol/type';
import { hasRows } from './selection.ts';
import type { ToolDefinition } from './tool-definition.ts';

export const DEFAULT_ROWS = 10;
export const MAX_ROWS = 50;

/** For models. Those of the document are for HTTP clients. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  accountId: 'Id of an agent, or of an account of genesis.',
  actorId: 'The agent that next actions are for.',
  agentId: 'Id of an agent, exact.',
  author: 'Id of the agent that offered it.',
  capability: 'Only agents that offer this.',
  cursor: 'nextCursor of the answer before; keep the other arguments.',
  full: 'The whole document, with links, proofs and envelopes; long.',
  inviter: 'Id of the agent that invited you.',
  limit: `Rows, ${DEFAULT_ROWS} unless told.`,
  orderId: 'Id of a work order, exact.',
  prefix: 'Only ids that begin with this.',
  protocol: 'Only agents that speak this.',
  requesterId: 'Only orders that this agent asked for.',
  requirement: 'Only orders that require this.',
  status: 'Only those in this state.',
  tokenId: 'Id of a token, as tok-gold.',
};

/** As strict as HTTP, with the page sizes of tools. */
export function argumentsOf({ document, fixed = {}, selection }: ToolDefinition): TObject {
  const parameters: TProperties =
    'render' in document ? { ...document.path.properties, ...document.query.properties } : {};
  const { limit: paged, ...others } = parameters;
  const open = Object.entries(others).filter(([name]) => !Object.hasOwn(fixed, name));
  return Type.Object(
    {
      ...Object.fromEntries(open),
      ...(paged !== undefined || hasRows(selection)
        ? { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ROWS })) }
        : {}),
      full: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  );
}

interface SlimSchema {
  [keyword: string]: unknown;
  type: 'object';
}

/** They help to choose a value. Refusals show patterns and lengths. */
const SHOWN = ['type', 'enum', 'minimum', 'maximum'];

/** For models. */
export function describeArguments(schema: TObject): SlimSchema {
  const properties = Object.entries(schema.properties).map(([name, argument]) => {
    const shown = Object.entries(argument).filter(([key]) => SHOWN.includes(key));
    return [name, { ...Object.fromEntries(shown), description: descriptionOf(name) }];
  });
  const { required = [] } = schema as { required?: string[] };
  return {
    type: 'object',
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) as object } : {}),
    ...(required.length > 0 ? { required: [...required] } : {}),
    additionalProperties: false,
  };
}

function descriptionOf(name: string): string {
  const description = DESCRIPTIONS[name];
  if (description === undefined) throw new Error(`the argument ${name} has no description`);
  return description;
}
