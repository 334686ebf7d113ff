import { hasExpired, normalizeTags, type BeaconRecord } from '@netd/ledger';
import { ActorId, ChainPosition, Height } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Boundaries } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { Heartbeat, heartbeatView, isLive } from './heartbeat.ts';
import { Links, proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf, type ListPage } from '../shared/page.ts';
import { defineDocument } from '../shared/read-document.ts';
import { ACTOR_QUERY, nextActionsFor, readerOf } from '../shared/next-actions.ts';
import { NextActions, YOUR_ID, type SignedRequest } from '../shared/signed-request.ts';
import { beaconSuggestion, claimsOf } from '../agents/claims.ts';

export const REPLICA_CAPABILITY = 'state-replica';
export const REPLICA_PROTOCOL = 'netd-http/1';

export const Replica = exactly(
  {
    agentId: ActorId,
    endpoint: Type.String({
      description: 'From the beacon: the address at which the replica says that it answers.',
    }),
    protocols: Type.Array(Type.String()),
    expiresAtHeight: Height,
    publishedAt: ChainPosition,
    status: Type.Enum(['REPORTING', 'SILENT', 'UNREPORTED'], {
      description:
        'REPORTING: a heartbeat of a node that is LIVE in /v1/nodes. SILENT: none for a while. UNREPORTED: never one.',
    }),
    heartbeat: orNull(
      Heartbeat,
      'The heartbeat of the node of the same agent; null if it has never sent one.',
    ),
    links: Links,
  },
  { title: 'Replica' },
);

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
    status: !report ? 'UNREPORTED' : isLive(snapshot, report) ? 'REPORTING' : 'SILENT',
    heartbeat,
    links: {
      agent: `/v1/agents/${agentId}`,
      beaconProof: proofLink('beacon', agentId),
      heartbeatProof: proofLink('node-heartbeat', agentId),
    },
  };
}

export function replicaPage(
  snapshot: Snapshot,
  page: { limit?: number; cursor?: string },
): ListPage<BeaconRecord> {
  return pageOf(snapshot, 'beacon', {
    list: 'beacons-by-capability',
    value: REPLICA_CAPABILITY,
    filters: { capability: REPLICA_CAPABILITY },
    page,
    keep: ({ agentId, beacon }) =>
      beacon !== null &&
      normalizeTags(beacon.capabilities).includes(REPLICA_CAPABILITY) &&
      !hasExpired(beacon.expiresAtHeight, snapshot.height) &&
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
  query: { ...ACTOR_QUERY, ...PAGE_QUERY },
  content: {
    capability: Type.Literal(REPLICA_CAPABILITY),
    latest: exactly({ height: Height, stateRoot: Type.String() }),
    replicas: Type.Array(Replica, {
      description: 'The newest beacon first; a page may hold fewer than limit and still go on.',
    }),
    ...PAGE_CONTENT,
    howToVerify: Type.Array(Type.String()),
    evidence: evidenceSchema(),
    nextActions: NextActions,
    boundaries: Boundaries,
  },
  build: (snapshot, { actorId, ...page }) => {
    const { items, total, nextCursor } = replicaPage(snapshot, page);
    const { stateRoot } = snapshot.block.header;
    return {
      capability: REPLICA_CAPABILITY,
      latest: { height: snapshot.height, stateRoot },
      replicas: items.map((record) => replicaView(snapshot, record)),
      total,
      nextCursor,
      howToVerify: [
        'Take the chain from its genesis: compare /v1/genesis of the replica with the genesis you know.',
        'Check the certificate of the block it answers from against the validator set of that genesis.',
        'Check each record by /v1/state/proof under the certified state root; a wrong answer does not verify.',
      ],
      evidence: evidenceOf(items.slice(0, 3).map(({ agentId }) => `beacon/${agentId}`)),
      nextActions: offerActions(snapshot, readerOf(snapshot, actorId)),
      links: { checkpoint: '/v1/state/checkpoint', nodes: '/v1/nodes', topology: '/v1/topology' },
      boundaries: [
        'Standing here recommends no replica: it was not asked anything on your behalf.',
      ],
    };
  },
});

function offerActions(snapshot: Snapshot, reader: string | null): SignedRequest[] {
  const agentId = reader ?? YOUR_ID;
  const claims = claimsOf(snapshot, agentId);
  if (claims.beacon?.capabilities.includes(REPLICA_CAPABILITY)) return [];
  const { payload, replace, ...suggestion } = beaconSuggestion(snapshot, agentId, claims);
  const offer = {
    capabilities: [REPLICA_CAPABILITY, ...(claims.beacon?.capabilities ?? [])],
    protocols: [REPLICA_PROTOCOL, ...(claims.beacon?.protocols ?? [])],
  };
  return nextActionsFor(snapshot, reader, [
    {
      ...suggestion,
      payload: { ...payload, ...offer },
      why: 'Lists your node here; heartbeats of the same agent then say how far it is.',
      replace: { ...replace, '/endpoint': 'where your replica answers, over https' },
    },
  ]);
}
