/** What the schemas of routes have in common: lists, snapshots, problems by status. */
import { Hash, Height, Problem } from '@netd/protocol';
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1_000;

export const pageQuery = (
  limits: { default: number; maximum: number } = {
    default: DEFAULT_PAGE_SIZE,
    maximum: MAX_PAGE_SIZE,
  },
) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.maximum,
      description: `How many to list, ${limits.default} unless told.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 200, description: '`nextCursor` of the page before.' }),
  ),
});

export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Pass it as cursor for the next page; null at the end.',
});

export const SnapshotFacts = Type.Object(
  { height: Height, stateRoot: Hash, blockHash: Hash, certificateHash: Hash },
  {
    additionalProperties: false,
    description: 'The certified block the document is a function of.',
  },
);

/** A read document: schema name, chain, height and what it holds. */
export function documentSchema(
  name: string,
  properties: TProperties,
  description: string,
): TObject {
  return Type.Object(
    { schema: Type.Literal(name), chainId: Type.String(), height: Height, ...properties },
    { additionalProperties: false, description },
  );
}

export const statusText: Record<number, string> = {
  400: 'The request, a parameter or the envelope is malformed.',
  403: 'A signed intent is required here.',
  404: 'There is nothing of this name.',
  405: 'The path does not answer this method.',
  406: 'The path does not answer in this media type.',
  408: 'The request did not arrive in time.',
  409: 'A rule of the ledger refuses the envelope.',
  413: 'The body is too large.',
  415: 'The content type is not supported.',
  429: 'Too many requests from this address.',
  431: 'The headers are too large.',
  500: 'Something unexpected went wrong.',
  503: 'The node is not ready, overloaded, or cannot write.',
};

/** Problem responses for the statuses an operation can answer, on top of those that all can. */
export function problems(...statuses: number[]): Record<number, TSchema> {
  const all = [...new Set([400, 405, 408, 431, 500, 503, ...statuses])].sort((a, b) => a - b);
  return Object.fromEntries(
    all.map((status) => [
      status,
      {
        description: statusText[status] ?? 'A problem.',
        content: { 'application/problem+json': { schema: Problem } },
      },
    ]),
  );
}

/** A 200 response, with 304 for those who have it already. */
export function found(schema: TSchema): Record<number, TSchema> {
  return {
    200: schema,
    304: {
      description: 'The client has the current one (If-None-Match).',
      type: 'null',
    },
  };
}
