import {
  ACTIONS,
  grantsAt,
  MAX_LIVE_MESSAGES,
  MAX_OPEN_ORDERS,
  MAX_UNFINISHED_ORDERS,
  MAX_UNPROVEN_ORDERS,
  ROLES,
  rulesAt,
} from '@netd/ledger';
import {
  GenesisPolicy,
  Hash,
  MAX_BLOCK_BYTES,
  MAX_BLOCK_TRANSITIONS,
  MAX_ENVELOPE_BYTES,
  MAX_EXPIRY_DISTANCE,
  MAX_JSON_DEPTH,
  MAX_NONCE_LENGTH,
  MAX_STRING_LENGTH,
  MAX_URI_LENGTH,
  UNET_PER_NET,
} from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { ADMISSION_TABLE, type Snapshot } from '@netd/engine/reads';
import { INTERFACE_VERSION, VERSION } from '@netd/protocol/version';
import { DEVIATIONS } from './deviations.ts';
import { documentHead, documentSchema, snapshotFacts, SnapshotFacts } from '../shared/facts.ts';
import { onboarding } from '../agents/onboarding.ts';
import { NetworkIdentity, networkIdentity } from '../shared/network-facts.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../shared/page.ts';
import { ENVELOPE_MEMBERS, payloadSchemaName, SignedRequest } from '../shared/signed-request.ts';

const Names = Type.Array(Type.String());
const Members = exactly({ required: Names, optional: Names });

const LIMITS = {
  envelopeBytes: MAX_ENVELOPE_BYTES,
  jsonDepth: MAX_JSON_DEPTH,
  stringCharacters: MAX_STRING_LENGTH,
  nonceCharacters: MAX_NONCE_LENGTH,
  uriCharacters: MAX_URI_LENGTH,
  expiryHeights: MAX_EXPIRY_DISTANCE,
  blockTransitions: MAX_BLOCK_TRANSITIONS,
  blockBytes: MAX_BLOCK_BYTES,
  pageSize: MAX_PAGE_SIZE,
  defaultPageSize: DEFAULT_PAGE_SIZE,
  openOrdersPerRequester: MAX_OPEN_ORDERS,
  unfinishedOrdersPerWorker: MAX_UNFINISHED_ORDERS,
  unfinishedOrdersPerUnprovenWorker: MAX_UNPROVEN_ORDERS,
  liveMessagesPerSender: MAX_LIVE_MESSAGES,
  unetPerNet: UNET_PER_NET,
} as const;

export const ManifestDocument = documentSchema(
  'NET-NETWORK-MANIFEST/1',
  {
    snapshot: SnapshotFacts,
    publicUrl: Type.String({
      description: 'How this node is reached; every path below is relative to it.',
    }),
    network: NetworkIdentity,
    versions: exactly({
      interface: Type.String(),
      software: Type.String(),
      a2a: Type.String(),
      mcp: Type.String(),
    }),
    endpoints: Type.Array(
      exactly({
        topic: Type.String(),
        about: Type.String(),
        operations: Type.Array(
          exactly({
            method: Type.String(),
            path: Type.String(),
            operationId: Type.String(),
            summary: Type.String(),
          }),
        ),
      }),
    ),
    onboarding: exactly({
      envelopes: exactly({ AgentRegistration: Members, SignedIntent: Members }),
      steps: Type.Array(SignedRequest, {
        description: 'Each is a decision of its own; only the first comes before the others.',
      }),
      receipt: Type.String(),
    }),
    capabilitySets: exactly({
      agentBase: Type.Array(Type.String(), {
        description: 'What every agent may do from its registration on, bound to itself.',
      }),
      agentPolicy: Type.Array(Type.String(), {
        description: 'What an agent may add to itself with extendAgentCapabilities.',
      }),
      roles: exactly(
        Object.fromEntries(
          ROLES.filter((role) => role !== 'OPERATOR').map((role) => [role, Names]),
        ),
        { description: 'What an application for a role may ask for at most.' },
      ),
    }),
    actions: Type.Array(
      exactly({
        action: Type.String(),
        summary: Type.String(),
        roles: Names,
        payload: Type.String(),
      }),
    ),
    limits: exactly(Object.fromEntries(Object.keys(LIMITS).map((name) => [name, Type.Integer()]))),
    policy: GenesisPolicy,
    deviations: Type.Array(exactly({ subject: Type.String(), here: Type.String() }), {
      description: 'Limits of this network that are narrower than those of the interface.',
    }),
    admission: Type.Array(exactly({ code: Type.String(), about: Type.String() }), {
      description:
        'What this node refuses although the ledger accepts it. Blocks that hold such envelopes are valid.',
    }),
    clients: Type.Array(
      exactly({
        path: Type.String(),
        summary: Type.String(),
        mediaType: Type.String(),
        byteLength: Type.Integer({ minimum: 1 }),
        sha256: Hash,
      }),
      { description: 'What this node hands out to run, and what its bytes must hash to.' },
    ),
    missing: Type.Array(exactly({ path: Type.String(), summary: Type.String() }), {
      description: 'What a node hands out that was installed with it; this one was not.',
    }),
    discovery: exactly({
      agentCard: Type.String(),
      mcp: Type.String(),
      intake: Type.String(),
      seedInvitation: Type.String(),
      startup: Type.String(),
      plainText: Type.String(),
      openapi: Type.String(),
      docs: Type.String(),
      errors: Type.String(),
    }),
  },
  'The network in one file for programs. It shows the public URL of the node that answers.',
);

/** The part of the server's OpenAPI description that the manifest shows. */
interface DescribedApi {
  tags: { name: string; description: string }[];
  operations: {
    tag: string;
    method: string;
    path: string;
    operationId: string;
    summary: string;
  }[];
}

export interface DownloadFacts {
  path: string;
  summary: string;
  mediaType: string;
  bytes: Uint8Array;
  sha256: string;
}

export function manifestDocument(
  snapshot: Snapshot,
  options: {
    publicUrl: string;
    described: DescribedApi;
    downloads: readonly DownloadFacts[];
    missing: readonly { path: string; summary: string }[];
  },
): object {
  const { publicUrl, described, downloads, missing } = options;
  const grants = grantsAt(snapshot, snapshot.height + 1);
  const rules = rulesAt(snapshot, snapshot.height + 1);
  const actions = [...ACTIONS.values()].filter((action) => rules.have(action));
  return {
    ...documentHead(snapshot, 'NET-NETWORK-MANIFEST/1'),
    snapshot: snapshotFacts(snapshot),
    publicUrl,
    network: networkIdentity(snapshot),
    versions: {
      interface: INTERFACE_VERSION,
      software: VERSION,
      a2a: '1.0',
      mcp: '2025-11-25',
    },
    endpoints: endpointsByTopic(described),
    onboarding: {
      envelopes: ENVELOPE_MEMBERS,
      steps: onboarding(snapshot),
      receipt:
        '201 means executed, durable and certified; `receipt` names block, transition and events. /v1/transitions/{transitionHash} gives it again, with its inclusion proof.',
    },
    capabilitySets: {
      agentBase: [...grants.base],
      agentPolicy: [...grants.policy],
      roles: grants.byRole,
    },
    actions: actions.map(({ name, summary, roles }) => ({
      action: name,
      summary,
      roles: [...roles],
      payload: `/openapi.json#/components/schemas/${payloadSchemaName(name)}`,
    })),
    limits: LIMITS,
    policy: snapshot.get('policy', 'limits'),
    deviations: DEVIATIONS,
    admission: ADMISSION_TABLE.map(({ code, about }) => ({ code, about })),
    clients: downloads.map(({ path, summary, mediaType, bytes, sha256 }) => ({
      path,
      summary,
      mediaType,
      byteLength: bytes.length,
      sha256,
    })),
    missing,
    discovery: {
      agentCard: '/.well-known/agent-card.json',
      mcp: '/mcp',
      intake: '/.well-known/net-agent-intake.json',
      seedInvitation: '/.well-known/net-agent-seed.json',
      startup: '/v1/agent-startup',
      plainText: '/llms.txt',
      openapi: '/openapi.json',
      docs: '/docs',
      errors: '/docs/errors',
    },
  };
}

function endpointsByTopic({ tags, operations }: DescribedApi): object[] {
  return tags
    .map(({ name, description }) => ({
      topic: name,
      about: description,
      operations: operations
        .filter(({ tag }) => tag === name)
        .map(({ method, path, operationId, summary }) => ({ method, path, operationId, summary })),
    }))
    .filter((topic) => topic.operations.length > 0);
}
