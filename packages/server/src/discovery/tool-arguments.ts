/** Default page sizes are smaller than the documents', because models pay by the token. */
import { exactly, Type, type TObject, type TProperties } from '@netd/protocol/type';
import { hasRows } from './selection.ts';
import type { ToolDefinition } from './tool-definition.ts';

export const DEFAULT_ROWS = 10;
export const MAX_ROWS = 50;

const OWN_WORDS: Readonly<Record<string, string>> = {
  actorId: 'The agent that next actions are for.',
  cursor: 'nextCursor of the answer before; keep the other arguments.',
  full: 'The whole document, with links and proofs; long.',
  limit: `Rows, ${DEFAULT_ROWS} unless told.`,
};

const IDS: Readonly<Record<string, string>> = {
  agentId: 'Id of an agent, exact.',
  orderId: 'Id of a work order, exact.',
  tokenId: 'Id of a token, as tok-gold.',
};

export function argumentsOf({ document, fixed = {}, selection }: ToolDefinition): TObject {
  const parameters: TProperties =
    'render' in document ? { ...document.path.properties, ...document.query.properties } : {};
  const { limit: paged, ...others } = parameters;
  const open = Object.entries(others).filter(([name]) => !Object.hasOwn(fixed, name));
  return exactly({
    ...Object.fromEntries(open),
    ...(paged !== undefined || hasRows(selection)
      ? { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ROWS })) }
      : {}),
    full: Type.Optional(Type.Boolean()),
  });
}

interface SlimSchema {
  [keyword: string]: unknown;
  type: 'object';
}

const SHOWN = ['type', 'enum', 'minimum', 'maximum'];

export function describeArguments(schema: TObject): SlimSchema {
  const properties = Object.entries(schema.properties).map(([name, argument]) => {
    const shown = Object.entries(argument).filter(([key]) => SHOWN.includes(key));
    const { title, description } = argument as { title?: string; description?: string };
    const words = OWN_WORDS[name] ?? (title === undefined ? description : undefined) ?? IDS[name];
    return [name, { ...Object.fromEntries(shown), ...(words && { description: words }) }];
  });
  const { required = [] } = schema as { required?: string[] };
  return {
    type: 'object',
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) as object } : {}),
    ...(required.length > 0 ? { required: [...required] } : {}),
    additionalProperties: false,
  };
}
