/** NET-REPLICA-REGISTRY/1: agents whose beacons offer replicas of the state, with what their nodes last reported. */
import type { BeaconRecord } from '@netd/ledger';
import { ActorId, ChainPosition, Height } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';
import { Boundaries, READ_BOUNDARIES } from './boundaries.ts';
import { evidenceOf, evidenceSchema } from './evidence.ts';
import { Heartbeat, heartbeatView } from './heartbeat.ts';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';
import { intentRequest, SignedRequest, YOUR_ID } from './signed-request.ts';

/** The capability by which a beacon offers a replica. */
const REPLICA_CAPABILITY = 'state-replica';

const closed = { additionalProperties: false };

export const Replica = Type.Object(
  {
    agentId: ActorId,
    endpoint: Type.String({ description: 'Of the beacon: where the replica says it answers.' }),
    protocols: Type.Array(Type.String()),
    expiresAtHeight: Height,
    publishedAt: ChainPosition,
    status: Type.Enum(['REPORTING', 'SILENT', 'UNREPORTED'], {
      description:
        'REPORTING: a recent heartbeat. SILENT: none for a while. UNREPORTED: never one.',
    }),
    heartbeat: Type.Union([Heartbeat, Type.Null()], {
      description: 'Of the node of the same agent; null where it has never sent one.',
    }),
    links: Type.Object(
      { agent: Type.String(), beaconProof: Type.String(), heartbeatProof: Type.String() },
      closed,
    ),
  },
  closed,
);

/** @throws Error where the record holds no beacon: ask isReplica first */
export function replicaView(snapshot: Snapshot, record: BeaconRecord): Static<typeof Replica> {
  const { agentId, beacon, publishedAt } = record;
  if (!beacon) throw new Error(`${agentId} has no beacon`);
  const report = snapshot.get('node-heartbeat', agentId);
  const heartbeat = report ? heartbeatView(snapshot, report) : null;
  return {
    agentId,
    endpoint: beacon['endpoint'] as string,
    protocols: beacon.protocols,
    expiresAtHeight: beacon.expiresAtHeight,
    publishedAt,
    status: heartbeat === null ? 'UNREPORTED' : heartbeat.recent ? 'REPORTING' : 'SILENT',
    heartbeat,
    links: {
      agent: `/v1/agents/${agentId}`,
      beaconProof: `/v1/state/proof?key=beacon/${agentId}`,
      heartbeatProof: `/v1/state/proof?key=node-heartbeat/${agentId}`,
    },
  };
}

/** One page of the replicas that can be found now. */
export function replicaPage(
  snapshot: Snapshot,
  page: { limit?: number; cursor?: string },
): { items: BeaconRecord[]; nextCursor: string | null } {
  return pageOf(snapshot, 'beacon', {
    list: 'beacons-by-capability',
    value: REPLICA_CAPABILITY,
    filters: { capability: REPLICA_CAPABILITY },
    page,
    keep: ({ agentId, beacon }) =>
      beacon !== null &&
      beacon.capabilities.includes(REPLICA_CAPABILITY) &&
      beacon.expiresAtHeight >= snapshot.height &&
      snapshot.get('agent', agentId)?.status === 'active',
  });
}

export const replicaRegistry = defineDocument({
  name: 'NET-REPLICA-REGISTRY/1',
  route: '/v1/replicas',
  operationId: 'listReplicas',
  tag: 'network',
  summary: 'Replicas of the state: current beacons with the heartbeats of their nodes',
  description: `Current beacons of active agents with the capability ${REPLICA_CAPABILITY}, and what their nodes last reported.`,
  query: PAGE_QUERY,
  content: {
    capability: Type.Literal(REPLICA_CAPABILITY),
    latest: Type.Object({ height: Height, stateRoot: Type.String() }, closed),
    replicas: Type.Array(Replica, {
      description: 'The newest beacon first; a page may hold fewer than limit and still go on.',
    }),
    truncated: Type.Boolean({ description: 'Whether there are more: nextCursor leads to them.' }),
    ...PAGE_CONTENT,
    howToVerify: Type.Array(Type.String(), {
      description: 'Before you rely on what a replica answers.',
    }),
    evidence: evidenceSchema(),
    nextActions: Type.Array(SignedRequest, { description: 'How to offer a replica.' }),
    links: Type.Object(
      { checkpoint: Type.String(), nodes: Type.String(), topology: Type.String() },
      closed,
    ),
    boundaries: Boundaries,
  },
  build: (snapshot, page) => {
    const { items, nextCursor } = replicaPage(snapshot, page);
    const { stateRoot } = snapshot.block.header;
    return {
      capability: REPLICA_CAPABILITY,
      latest: { height: snapshot.height, stateRoot },
      replicas: items.map((record) => replicaView(snapshot, record)),
      truncated: nextCursor !== null,
      nextCursor,
      howToVerify: [
        'Take the chain from its genesis: compare /v1/genesis of the replica with the genesis you know.',
        'Check the certificate of the block it answers from against the validator set of that genesis.',
        'Check each record by /v1/state/proof under the certified state root; a wrong answer does not verify.',
      ],
      evidence: evidenceOf(
        snapshot,
        items.slice(0, 3).map(({ agentId }) => `beacon/${agentId}`),
      ),
      nextActions: [
        intentRequest(
          snapshot,
          'publishBeacon',
          {
            schema: 'NET-AGENT-BEACON/1',
            agentId: YOUR_ID,
            indexable: true,
            endpoint: 'https://replica.example',
            capabilities: [REPLICA_CAPABILITY],
            protocols: ['netd-http/1'],
            metadataHash: '0'.repeat(64),
            expiresAtHeight: snapshot.height + 1_000,
            sequence: 1,
          },
          {
            why: 'Lists your node here; heartbeats of the same agent then say how far it is.',
            replace: {
              '/endpoint': 'where your replica answers, https',
              '/metadataHash': 'the hash of what describes it',
              '/expiresAtHeight': 'the last height at which it is offered',
              '/sequence': 'a number above that of your last beacon',
            },
          },
        ),
      ],
      links: { checkpoint: '/v1/state/checkpoint', nodes: '/v1/nodes', topology: '/v1/topology' },
      boundaries: [
        ...READ_BOUNDARIES,
        'Standing here recommends no replica: nobody has asked it anything on your behalf.',
      ],
    };
  },
});
