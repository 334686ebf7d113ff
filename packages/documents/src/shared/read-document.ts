/**
 * A read document: a pure function of a snapshot, with name, route, parameters and schema. HTTP route,
 * OpenAPI description and MCP tool derive from it.
 */
import { hashValue, Height, type JsonObject } from '@netd/protocol';
import { exactly, Type, type Static, type TObject, type TProperties } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { documentHead, snapshotFacts, SnapshotFacts } from './facts.ts';
import { CONVENTIONS_PATH, Links, type LinkMap } from './links.ts';

/** Hashes that bind the rest of a document. */
export const FINGERPRINTS = [
  'evidence.growthHash',
  'evidence.seedHash',
  'evidence.opportunityIndexHash',
  'evidence.dossierHash',
  'evidence.workMatchHash',
  'reportHash',
] as const;
export type Fingerprint = (typeof FINGERPRINTS)[number];

/** The interface has these on the top level too. */
const ON_TOP: ReadonlySet<Fingerprint> = new Set([
  'evidence.growthHash',
  'evidence.opportunityIndexHash',
]);

export interface ReadDocument {
  /** For example NET-AGENT-LINEAGE/1. */
  readonly name: string;
  /** In Fastify's form: `/v1/agent-lineage/:agentId`. */
  readonly route: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly path: TObject;
  readonly query: TObject;
  readonly schema: TObject;
  /** True if the path can name nothing, which gives 404. */
  readonly canMiss: boolean;
  /**
   * @throws ApiError a NOT_FOUND code if the parameters name nothing, CURSOR_INVALID if a cursor is not of
   * this list
   */
  render: (snapshot: Snapshot, parameters: Record<string, unknown>) => JsonObject;
}

/** The common start of documents that change with the chain. */
const FRAME = { chainId: Type.String(), height: Height, snapshot: SnapshotFacts };

/** For the description. */
export const DocumentFrame = Type.Object(
  { ...FRAME, links: Links },
  { title: 'Document', description: 'What documents have in common, beside `schema`.' },
);

type Parameters<Path extends TProperties, Query extends TProperties> = Static<TObject<Path>> &
  Static<TObject<Query>>;

/**
 * Adds to `content` and `build`: schema, chainId, height, snapshot, the link to the conventions, and the
 * fingerprint.
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
  /** True if it is the same at every height. It then has neither height nor snapshot. */
  constant?: boolean;
  build: (
    snapshot: Snapshot,
    parameters: Parameters<Path, Query>,
  ) => { links?: LinkMap; [member: string]: unknown };
}): ReadDocument {
  const { name, fingerprint, description, constant = false } = definition;
  return {
    name,
    route: definition.route,
    operationId: definition.operationId,
    tag: definition.tag,
    summary: definition.summary,
    path: exactly(definition.path ?? {}),
    query: Type.Object(definition.query ?? {}),
    schema: exactly(
      {
        schema: Type.Literal(name),
        ...(constant ? { chainId: Type.String() } : FRAME),
        ...definition.content,
        links: Links,
      },
      { description },
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

/** Adds the hash of everything else. */
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
