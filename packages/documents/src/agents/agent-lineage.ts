import { agentStatsOf, type ReferralRecord } from '@netd/ledger';
import { ActorId, ChainPosition, Hash, RecordId } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { Boundaries } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { ChainIntegrity, chainIntegrity } from '../shared/integrity.ts';
import { Links, proofLink } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';
import { Reserve, reserveOf } from './reserve.ts';

const MAX_ANCESTORS = 16;
const MAX_DESCENDANTS = 100;
const MAX_DEPTH = 4;

const Node = exactly(
  {
    agentId: ActorId,
    depth: Type.Integer(),
    status: Type.Enum(['active', 'suspended', 'retired']),
    referrals: exactly({ total: Type.Integer(), qualified: Type.Integer() }),
    reserve: Reserve,
    links: Links,
  },
  { title: 'LineageNode' },
);

const Edge = exactly(
  {
    referrerAgentId: ActorId,
    agentId: ActorId,
    status: Type.Enum(['pending', 'qualified']),
    registeredAt: ChainPosition,
    qualification: orNull(
      exactly({
        orderId: RecordId,
        transitionHash: Hash,
        links: Links,
      }),
    ),
    links: Links,
  },
  { title: 'LineageEdge' },
);

const graph = (order: string) =>
  exactly({
    nodes: Type.Array(Node, { description: order }),
    edges: Type.Array(Edge),
    truncated: Type.Boolean({ description: 'There is more: follow `lineage` of the outermost.' }),
  });

export const agentLineage = defineDocument({
  name: 'NET-AGENT-LINEAGE/1',
  route: '/v1/agent-lineage/:agentId',
  operationId: 'getAgentLineage',
  tag: 'agents',
  summary: 'Referral edges around an agent, with qualifications and reserves',
  description: 'A bounded graph of referrals: how an agent came here, and which agents it brought.',
  path: { agentId: ActorId },
  canMiss: true,
  content: {
    agent: Node,
    ancestors: graph('The referrer first, then its referrer, and so on.'),
    descendants: graph('Breadth first, newest first among those of one referrer.'),
    limits: exactly({
      ancestors: Type.Integer(),
      descendants: Type.Integer(),
      depth: Type.Integer(),
    }),
    integrity: ChainIntegrity,
    evidence: evidenceSchema(),
    boundaries: Boundaries,
  },
  build: (snapshot, { agentId }) => {
    if (!snapshot.get('agent', agentId)) throw new ApiError('AGENT_NOT_FOUND');
    return {
      agent: nodeOf(snapshot, agentId, 0),
      ancestors: ancestors(snapshot, agentId),
      descendants: descendants(snapshot, agentId),
      limits: { ancestors: MAX_ANCESTORS, descendants: MAX_DESCENDANTS, depth: MAX_DEPTH },
      integrity: chainIntegrity(snapshot),
      evidence: evidenceOf([`agent/${agentId}`, `agent-stats/${agentId}`, `referral/${agentId}`]),
      links: {
        agent: `/v1/agents/${agentId}`,
        operations: `/v1/agents/${agentId}/operations`,
        referrals: `/v1/referrals?referrer=${agentId}`,
        growth: '/v1/agent-growth',
      },
      boundaries: [
        'Lineage says which agent named which. It is neither endorsement nor ownership nor reputation.',
      ],
    };
  },
});

interface Graph {
  nodes: Static<typeof Node>[];
  edges: Static<typeof Edge>[];
  truncated: boolean;
}

/** The loop ends, because a referrer is always older than its recruits. */
function ancestors(snapshot: Snapshot, agentId: string): Graph {
  const nodes: Graph['nodes'] = [];
  const edges: Graph['edges'] = [];
  let referral = snapshot.get('referral', agentId);
  while (referral && nodes.length < MAX_ANCESTORS) {
    nodes.push(nodeOf(snapshot, referral.referrerAgentId, nodes.length + 1));
    edges.push(edgeOf(referral));
    referral = snapshot.get('referral', referral.referrerAgentId);
  }
  return { nodes, edges, truncated: referral !== undefined };
}

function descendants(snapshot: Snapshot, agentId: string): Graph {
  const nodes: Graph['nodes'] = [];
  const edges: Graph['edges'] = [];
  let truncated = false;
  let level = [agentId];
  for (let depth = 1; level.length > 0; depth++) {
    const next: string[] = [];
    for (const value of level) {
      const { total } = referralsOf(snapshot, value);
      const limit = depth > MAX_DEPTH ? 0 : Math.min(MAX_DESCENDANTS - nodes.length, total);
      truncated ||= limit < total;
      if (limit === 0) continue;
      const recruited = snapshot.list('referral', 'referrals-by-referrer', { value, limit }).items;
      for (const referral of recruited) {
        nodes.push(nodeOf(snapshot, referral.agentId, depth));
        edges.push(edgeOf(referral));
        next.push(referral.agentId);
      }
    }
    level = next;
  }
  return { nodes, edges, truncated };
}

function referralsOf(snapshot: Snapshot, agentId: string): { total: number; qualified: number } {
  const { referrals, qualifiedReferrals } = agentStatsOf(snapshot, agentId);
  return { total: referrals, qualified: qualifiedReferrals };
}

function nodeOf(snapshot: Snapshot, agentId: string, depth: number): Static<typeof Node> {
  const agent = snapshot.get('agent', agentId);
  if (!agent) throw new Error(`a referral names ${agentId}, who is no agent`);
  return {
    agentId,
    depth,
    status: agent.status,
    referrals: referralsOf(snapshot, agentId),
    reserve: reserveOf(snapshot, agentId),
    links: {
      lineage: `/v1/agent-lineage/${agentId}`,
      accountProof: proofLink('account', agentId),
    },
  };
}

function edgeOf(referral: ReferralRecord): Static<typeof Edge> {
  const { agentId, referrerAgentId, status, registeredAt } = referral;
  const { qualifyingTransitionHash: transitionHash, qualifyingOrderId: orderId } = referral;
  return {
    referrerAgentId,
    agentId,
    status,
    registeredAt,
    qualification:
      transitionHash === null || orderId === null
        ? null
        : {
            orderId,
            transitionHash,
            links: {
              transition: `/v1/transitions/${transitionHash}`,
              receiptProof: proofLink('work-receipt', orderId),
              audit: `/v1/work-orders/${orderId}/audit`,
            },
          },
    links: { proof: proofLink('referral', agentId) },
  };
}
