/**
 * What a read document is: one object that holds its name, its route, its parameters, its schema and the pure function
 * that makes it from a snapshot. The HTTP route, the OpenAPI description and the MCP tool all derive from it.
 */
import type { CollectionName, Collections } from '@netd/ledger';
import { hashValue, Height, type JsonObject } from '@netd/protocol';
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { makeCursor, readCursor } from '../http/cursor.ts';
import { DEFAULT_PAGE_SIZE, NextCursor, pageQuery, SnapshotFacts } from '../http/schemas.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { documentHead, snapshotFacts } from './facts.ts';

/** The hash members of documents that bind all the rest of them. */
export const FINGERPRINTS = [
  'evidence.growthHash',
  'evidence.seedHash',
  'evidence.opportunityIndexHash',
  'evidence.dossierHash',
  'evidence.workMatchHash',
  'reportHash',
] as const;
export type Fingerprint = (typeof FINGERPRINTS)[number];

export interface ReadDocument {
  /** The schema identifier, as NET-AGENT-LINEAGE/1. */
  readonly name: string;
  /** The path that answers with it, in Fastify's form: `/v1/agent-lineage/:agentId`. */
  readonly route: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Parameters in the path and in the query, by name. */
  readonly path: TObject;
  readonly query: TObject;
  /** The whole document. */
  readonly schema: TObject;
  /** Whether there can be nothing of the name that the path gives: then it answers 404. */
  readonly canMiss: boolean;
  /**
   * The document at a snapshot, whole.
   * @throws Refusal where the parameters name nothing (a NOT_FOUND code) or a cursor is not of this list
   */
  render: (snapshot: Snapshot, parameters: Record<string, unknown>) => JsonObject;
}

type Parameters<Path extends TProperties, Query extends TProperties> = Static<TObject<Path>> &
  Static<TObject<Query>>;

/**
 * Defines a read document. `content` and `build` leave out what every document starts with (schema, chainId, height,
 * snapshot) and the fingerprint, which the frame fills in.
 */
export function defineDocument<
  Path extends TProperties = TProperties,
  Query extends TProperties = TProperties,
>(definition: {
  name: string;
  route: string;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  path?: Path;
  query?: Query;
  content: TProperties;
  fingerprint?: Fingerprint;
  canMiss?: boolean;
  build: (snapshot: Snapshot, parameters: Parameters<Path, Query>) => object;
}): ReadDocument {
  const { name, fingerprint, description } = definition;
  const closed = { additionalProperties: false };
  return {
    name,
    route: definition.route,
    operationId: definition.operationId,
    tag: definition.tag,
    summary: definition.summary,
    path: Type.Object(definition.path ?? {}, closed),
    query: Type.Object(definition.query ?? {}),
    schema: Type.Object(
      {
        schema: Type.Literal(name),
        chainId: Type.String(),
        height: Height,
        snapshot: SnapshotFacts,
        ...definition.content,
      },
      { ...closed, description },
    ),
    canMiss: definition.canMiss ?? false,
    render: (snapshot, parameters) => {
      const document = {
        ...documentHead(snapshot, name),
        snapshot: snapshotFacts(snapshot),
        ...definition.build(snapshot, parameters as Parameters<Path, Query>),
      } as unknown as JsonObject;
      return fingerprint ? withFingerprint(document, fingerprint) : document;
    },
  };
}

/** The document with the hash of all of it but this member. */
function withFingerprint(document: JsonObject, fingerprint: Fingerprint): JsonObject {
  const hash = hashValue(document);
  const [outer, inner] = fingerprint.split('.') as [string, string | undefined];
  if (inner === undefined) return { ...document, [outer]: hash };
  return { ...document, [outer]: { ...(document[outer] as JsonObject), [inner]: hash } };
}

/** The query of a paged document. */
export const PAGE_QUERY = pageQuery();
/** The content of a paged document beside its items. */
export const PAGE_CONTENT = { nextCursor: NextCursor };

/**
 * One page of a list of state records, newest first, with the cursor of the next.
 * @param options.list the list of the collection, and `value` under it
 * @param options.filters everything but limit and cursor that the page depends on: a cursor belongs to them
 * @param options.keep records it refuses are left out
 * @throws Refusal CURSOR_INVALID
 */
export function pageOf<Name extends CollectionName>(
  snapshot: Snapshot,
  collection: Name,
  options: {
    list: string;
    value?: string;
    filters?: object;
    page: { limit?: number; cursor?: string };
    keep?: (record: Collections[Name]) => boolean;
  },
): { items: Collections[Name][]; nextCursor: string | null } {
  const { list, value, filters = {}, page, keep } = options;
  const below = readCursor(collection, filters, page.cursor);
  const { items, next } = snapshot.list(collection, list, {
    ...(value === undefined ? {} : { value }),
    ...(keep ? { keep } : {}),
    below,
    limit: page.limit ?? DEFAULT_PAGE_SIZE,
  });
  return { items, nextCursor: makeCursor(collection, filters, next) };
}
