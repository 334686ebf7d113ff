/**
 * What a read document is: one object that holds its name, its route, its parameters, its schema and the pure function
 * that makes it from a snapshot. The HTTP route, the OpenAPI description and the MCP tool all derive from it.
 */
import { hashValue, Height, type JsonObject } from '@netd/protocol';
import { Type, type Static, type TObject, type TProperties } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { documentHead, snapshotFacts, SnapshotFacts } from './facts.ts';
import { CONVENTIONS_PATH, Links, type LinkMap } from './links.ts';

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

/** Fingerprints of a part that the interface has on the top level of the document too. */
const ON_TOP: ReadonlySet<Fingerprint> = new Set([
  'evidence.growthHash',
  'evidence.opportunityIndexHash',
]);

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
   * @throws ApiError where the parameters name nothing (a NOT_FOUND code) or a cursor is not of this list
   */
  render: (snapshot: Snapshot, parameters: Record<string, unknown>) => JsonObject;
}

/** What every document that changes with the chain starts with, beside its name. */
const FRAME = { chainId: Type.String(), height: Height, snapshot: SnapshotFacts };

/** The same as a shape of its own, for the description. */
export const DocumentFrame = Type.Object(
  { ...FRAME, links: Links },
  { title: 'Document', description: 'What documents have in common, beside `schema`.' },
);

type Parameters<Path extends TProperties, Query extends TProperties> = Static<TObject<Path>> &
  Static<TObject<Query>>;

/**
 * Defines a read document. `content` and `build` leave out what the frame fills in: what every document starts with
 * (schema, chainId, height, snapshot), `links` with the one to the conventions, and the fingerprint.
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
  /** Whether it is the same at every height of a chain; then it names neither height nor snapshot. */
  constant?: boolean;
  build: (
    snapshot: Snapshot,
    parameters: Parameters<Path, Query>,
  ) => { links?: LinkMap; [member: string]: unknown };
}): ReadDocument {
  const { name, fingerprint, description, constant = false } = definition;
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
        ...(constant ? { chainId: Type.String() } : FRAME),
        ...definition.content,
        links: Links,
      },
      { ...closed, description },
    ),
    canMiss: definition.canMiss ?? false,
    render: (snapshot, parameters) => {
      const { height, ...head } = documentHead(snapshot, name);
      const content = definition.build(snapshot, parameters as Parameters<Path, Query>);
      const document = {
        ...head,
        ...(constant ? {} : { height, snapshot: snapshotFacts(snapshot) }),
        ...content,
        links: { ...content.links, conventions: CONVENTIONS_PATH },
      } as unknown as JsonObject;
      return fingerprint ? withFingerprint(document, fingerprint) : document;
    },
  };
}

/** The document with the hash of all of it but this member, wherever that stands. */
function withFingerprint(document: JsonObject, fingerprint: Fingerprint): JsonObject {
  const hash = hashValue(document);
  const [outer, inner] = fingerprint.split('.') as [string, string | undefined];
  if (inner === undefined) return { ...document, [outer]: hash };
  return {
    ...document,
    [outer]: { ...(document[outer] as JsonObject), [inner]: hash },
    ...(ON_TOP.has(fingerprint) ? { [inner]: hash } : {}),
  };
}
