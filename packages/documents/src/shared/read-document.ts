/**
 * A read document: a pure function of a snapshot with name, route, parameters and schema. The HTTP route,
 * OpenAPI description and MCP tool are derived from it.
 */
import { hashValue, Height, type JsonObject } from '@netd/protocol';
import { exactly, Type, type Static, type TObject, type TProperties } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { documentHead, snapshotFacts, SnapshotFacts } from './facts.ts';
import { CONVENTIONS_PATH, Links, type LinkMap } from './links.ts';
import { withTimes } from './times.ts';

/** Members that contain the hash of the rest of a document. */
export const FINGERPRINTS = [
  'evidence.growthHash',
  'evidence.seedHash',
  'evidence.opportunityIndexHash',
  'evidence.dossierHash',
  'evidence.workMatchHash',
  'reportHash',
] as const;
export type Fingerprint = (typeof FINGERPRINTS)[number];

/** Fingerprints that the interface also requires on the top level. */
const ON_TOP: ReadonlySet<Fingerprint> = new Set([
  'evidence.growthHash',
  'evidence.opportunityIndexHash',
]);

export interface ReadDocument {
  /** For example NET-AGENT-LINEAGE/1. */
  readonly name: string;
  readonly route: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly path: TObject;
  readonly query: TObject;
  readonly schema: TObject;
  /** True if the path may name something that does not exist, which gives 404. */
  readonly canMiss: boolean;
  /**
   * @throws ApiError a NOT_FOUND code if the parameters name nothing, CURSOR_INVALID if a cursor is of
   * another list
   */
  render: (snapshot: Snapshot, parameters: Record<string, unknown>) => JsonObject;
}

const FRAME = { chainId: Type.String(), height: Height, snapshot: SnapshotFacts };

export const DocumentFrame = Type.Object(
  { ...FRAME, links: Links },
  { title: 'Document', description: 'What documents have in common, beside `schema`.' },
);

type Parameters<Path extends TProperties, Query extends TProperties> = Static<TObject<Path>> &
  Static<TObject<Query>>;

/**
 * Defines a document. Adds schema, chainId, height, snapshot, the conventions link, and the fingerprint. Records get
 * the times of their positions, except in a document with a fingerprint, because not every node has every block.
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
  /** True if the document is the same at every height. Then it has neither height nor snapshot. */
  constant?: boolean;
  build: (
    snapshot: Snapshot,
    parameters: Parameters<Path, Query>,
  ) => { links?: LinkMap; [member: string]: unknown };
}): ReadDocument {
  const { name, fingerprint, description, constant = false } = definition;
  const { schema, addTimes } = withTimes(
    exactly(
      {
        schema: Type.Literal(name),
        ...(constant ? { chainId: Type.String() } : FRAME),
        ...definition.content,
        links: Links,
      },
      { description },
    ),
  );
  return {
    name,
    route: definition.route,
    operationId: definition.operationId,
    tag: definition.tag,
    summary: definition.summary,
    path: exactly(definition.path ?? {}),
    query: Type.Object(definition.query ?? {}),
    schema,
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
      if (fingerprint) return withFingerprint(document, fingerprint);
      return addTimes(document, snapshot) as JsonObject;
    },
  };
}

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
