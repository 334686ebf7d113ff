import { agentStatsOf } from '@netd/ledger';
import { ActorId } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';

const RECRUITS = 20;

const Status = Type.Enum(['pending', 'qualified']);
const Edge = exactly({ agentId: ActorId, status: Status }, { title: 'LineageNeighbour' });

export const LineageSummary = exactly({
  referrer: orNull(
    Edge,
    'Who recruited the agent; qualified once the agent has done verified paid work.',
  ),
  referrals: Type.Integer({ description: 'Agents it has recruited, ever.' }),
  qualifiedReferrals: Type.Integer(),
  recruits: Type.Array(Edge),
  truncated: Type.Boolean(),
});

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
