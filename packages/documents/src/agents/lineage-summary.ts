import { agentStatsOf } from '@netd/ledger';
import { ActorId } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';

/** The newest recruits. */
const RECRUITS = 20;

const Status = Type.Enum(['pending', 'qualified']);
const Edge = Type.Object(
  { agentId: ActorId, status: Status },
  { title: 'LineageNeighbour', additionalProperties: false },
);

export const LineageSummary = Type.Object(
  {
    referrer: Type.Union([Edge, Type.Null()], {
      description: 'Who recruited the agent; qualified once the agent has done verified paid work.',
    }),
    referrals: Type.Integer({ description: 'Agents it has recruited, ever.' }),
    qualifiedReferrals: Type.Integer(),
    recruits: Type.Array(Edge),
    truncated: Type.Boolean(),
  },
  { additionalProperties: false },
);

export function lineageSummary(snapshot: Snapshot, agentId: string): Static<typeof LineageSummary> {
  const own = snapshot.get('referral', agentId);
  const { items, next } = snapshot.list('referral', 'referrals-by-referrer', {
    value: agentId,
    limit: RECRUITS,
  });
  const { referrals, qualifiedReferrals } = agentStatsOf(snapshot, agentId);
  return {
    referrer: own ? { agentId: own.referrerAgentId, status: own.status } : null,
    referrals,
    qualifiedReferrals,
    recruits: items.map(({ agentId: recruit, status }) => ({ agentId: recruit, status })),
    truncated: next !== null,
  };
}
