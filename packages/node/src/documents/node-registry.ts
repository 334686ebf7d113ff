/** NET-NODE-REGISTRY/1: follower nodes by their last signed heartbeats. */
import type { NodeHeartbeatRecord } from '@netd/ledger';
import { ActorId } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';
import { Boundaries, READ_BOUNDARIES } from './boundaries.ts';
import { evidenceOf, evidenceSchema } from './evidence.ts';
import { Heartbeat, heartbeatView } from './heartbeat.ts';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';
import { intentRequest, SignedRequest, YOUR_ID } from './signed-request.ts';

const closed = { additionalProperties: false };

export const FollowerNode = Type.Object(
  {
    agentId: ActorId,
    heartbeat: Heartbeat,
    links: Type.Object({ agent: Type.String(), proof: Type.String() }, closed),
  },
  closed,
);

export function followerNode(
  snapshot: Snapshot,
  record: NodeHeartbeatRecord,
): Static<typeof FollowerNode> {
  const { agentId } = record;
  return {
    agentId,
    heartbeat: heartbeatView(snapshot, record),
    links: {
      agent: `/v1/agents/${agentId}`,
      proof: `/v1/state/proof?key=node-heartbeat/${agentId}`,
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
  query: PAGE_QUERY,
  content: {
    total: Type.Integer({ description: 'Agents that have ever sent a heartbeat.' }),
    nodes: Type.Array(FollowerNode, { description: 'The latest heartbeat first.' }),
    ...PAGE_CONTENT,
    evidence: evidenceSchema(),
    nextActions: Type.Array(SignedRequest, { description: 'How to stand here.' }),
    links: Type.Object({ topology: Type.String(), replicas: Type.String() }, closed),
    boundaries: Boundaries,
  },
  build: (snapshot, page) => {
    const { items, nextCursor } = pageOf(snapshot, 'node-heartbeat', { list: 'nodes', page });
    return {
      total: snapshot.get('counter', 'node-heartbeats') ?? 0,
      nodes: items.map((record) => followerNode(snapshot, record)),
      nextCursor,
      evidence: evidenceOf(snapshot, ['counter/node-heartbeats']),
      nextActions: [
        intentRequest(
          snapshot,
          'submitNodeHeartbeat',
          {
            agentId: YOUR_ID,
            sequence: 1,
            observedHeight: snapshot.height,
            observedStateRoot: snapshot.block.header.stateRoot,
            nodeVersion: 'your-node/1.0',
          },
          {
            why: 'Shows that one more node has verified the chain, and up to where.',
            replace: {
              '/sequence': 'a number above that of your last heartbeat',
              '/observedHeight': 'the height your own node has verified last',
              '/observedStateRoot': 'the state root your own node has computed there',
              '/nodeVersion': 'what you run',
            },
          },
        ),
      ],
      links: { topology: '/v1/topology', replicas: '/v1/replicas' },
      boundaries: [
        ...READ_BOUNDARIES,
        'A heartbeat shows that its sender knew a state root of the chain; whoever reads the chain knows it too, so it is no proof of a node that runs.',
      ],
    };
  },
});
