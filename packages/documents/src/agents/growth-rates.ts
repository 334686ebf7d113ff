/** Growth during the last day of block time. */
import { ActorId, Height, MILLISECONDS_PER_DAY, RecordId, timestampToMs } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { firstHeight } from '../shared/first-height.ts';

const MAX_COUNTED = 10_000;
const Counted = Type.Integer({ minimum: 0, maximum: MAX_COUNTED });
const Share = orNull(Type.Integer({ minimum: 0, maximum: 10_000 }), 'In 1/10,000; null of none.');

export const GrowthRates = exactly(
  {
    sinceHeight: Height,
    registrations: Counted,
    qualifications: Counted,
    paidOrders: Counted,
    activeBps: Share,
    qualifiedBps: Share,
  },
  {
    description: `Since sinceHeight, the first block of the last day before the newest one, up to ${MAX_COUNTED} of each; and which share of all agents is active, of all referrals qualified.`,
  },
);

export const LastQualified = orNull(
  exactly({ agentId: ActorId, referrerAgentId: ActorId, orderId: RecordId, height: Height }),
  'The newest referral that paid work has qualified.',
);

interface Totals {
  agents: { registered: number; active: number };
  referrals: { pending: number; qualified: number };
}

export function growthRates(
  snapshot: Snapshot,
  { agents, referrals }: Totals,
): Static<typeof GrowthRates> {
  const sinceHeight = firstOfTheDay(snapshot);
  const count = (type: string): number =>
    snapshot.eventCountFrom(sinceHeight, `type:${type}`, MAX_COUNTED);
  return {
    sinceHeight,
    registrations: count('AgentRegistered'),
    qualifications: count('ReferralQualified'),
    paidOrders: count('WorkOrderPaid'),
    activeBps: share(agents.active, agents.registered),
    qualifiedBps: share(referrals.qualified, referrals.qualified + referrals.pending),
  };
}

export function lastQualified(snapshot: Snapshot): Static<typeof LastQualified> {
  const [event] = snapshot.latestEvents('type:ReferralQualified', 1);
  if (!event) return null;
  const { agentId, referrerAgentId, orderId } = event.data as Record<string, string>;
  return { agentId, referrerAgentId, orderId, height: event.height } as Static<
    typeof LastQualified
  >;
}

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.floor((part * 10_000) / whole);

function firstOfTheDay(snapshot: Snapshot): number {
  const timeOf = (height: number): number =>
    timestampToMs(snapshot.blockAt(height)?.header.timestamp ?? snapshot.block.header.timestamp);
  const from = timeOf(snapshot.height) - MILLISECONDS_PER_DAY;
  let low = firstHeight(snapshot);
  let high = snapshot.height;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (timeOf(middle) >= from) high = middle;
    else low = middle + 1;
  }
  return low;
}
