import type { NodeHeartbeatRecord } from '@netd/ledger';
import { ActorId } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Boundaries } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { Heartbeat, heartbeatView, isLive } from './heartbeat.ts';
import { Links, proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';
import { ACTOR_QUERY, nextActionsFor, readerOf } from '../shared/next-actions.ts';
import { NextActions, YOUR_ID, type SignedRequest } from '../shared/signed-request.ts';

export const FollowerNode = exactly(
  {
    agentId: ActorId,
    status: Type.Enum(['LIVE', 'SILENT'], {
      description:
        'LIVE: its last heartbeat is at most 1,024 heights and 30 minutes old, by the times of blocks. SILENT: it was there once.',
    }),
    heartbeat: Heartbeat,
    links: Links,
  },
  { title: 'FollowerNode' },
);

export function followerNode(
  snapshot: Snapshot,
  record: NodeHeartbeatRecord,
): Static<typeof FollowerNode> {
  const { agentId } = record;
  return {
    agentId,
    status: isLive(snapshot, record) ? 'LIVE' : 'SILENT',
    heartbeat: heartbeatView(snapshot, record),
    links: {
      agent: `/v1/agents/${agentId}`,
      proof: proofLink('node-heartbeat', agentId),
    },
  };
}

export const nodeRegistry = defineDocument({
  name: 'NET-NODE-REGISTRY/1',
  route: '/v1/nodes',
  operationId: 'listNodes',
  tag: 'network',
  summary: 'Follower nodes with their last signed heartbeats',
  description: 'Agents that report which height and state root their node has verified.',
  query: { ...ACTOR_QUERY, ...PAGE_QUERY },
  content: {
    nodes: Type.Array(FollowerNode),
    ...PAGE_CONTENT,
    evidence: evidenceSchema(),
    nextActions: NextActions,
    boundaries: Boundaries,
  },
  build: (snapshot, { actorId, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'node-heartbeat', {
      list: 'nodes',
      page,
      total: counterOf(snapshot, 'node-heartbeats'),
    });
    return {
      total,
      nodes: items.map((record) => followerNode(snapshot, record)),
      nextCursor,
      evidence: evidenceOf(['counter/node-heartbeats']),
      nextActions: heartbeatActions(snapshot, readerOf(snapshot, actorId)),
      links: { topology: '/v1/topology', replicas: '/v1/replicas' },
      boundaries: [
        'LIVE and SILENT depend on blocks: while no block is made, no node becomes SILENT.',
        'A heartbeat shows that its sender knew a state root of the chain; every reader of the chain knows it too, so it is no proof of a node that runs.',
      ],
    };
  },
});

function heartbeatActions(snapshot: Snapshot, reader: string | null): SignedRequest[] {
  const agentId = reader ?? YOUR_ID;
  return nextActionsFor(snapshot, reader, [
    {
      action: 'submitNodeHeartbeat',
      payload: {
        agentId,
        sequence: (snapshot.get('node-heartbeat', agentId)?.sequence ?? 0) + 1,
        observedHeight: snapshot.height,
        observedStateRoot: snapshot.block.header.stateRoot,
        nodeVersion: 'your-node/1.0',
      },
      why: 'Shows that one more node has verified the chain, and up to where.',
      replace: {
        '/sequence': 'a number above that of your last heartbeat',
        '/observedHeight': 'the height your own node has verified last',
        '/observedStateRoot': 'the state root your own node has computed there',
        '/nodeVersion': 'what you run',
      },
    },
  ]);
}
