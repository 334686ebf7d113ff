/** Advice: matches an agent's capabilities with open orders. */
import { normalizeTag, normalizeTags, type ListName, type WorkOrderRecord } from '@netd/ledger';
import type { ErrorCode } from '@netd/protocol';
import { orNull, exactly, Type } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { acceptanceRefusal, isAcceptable, Opportunity, opportunityOf } from './opportunity.ts';

const LOOKED_AT = 320;
const UNDEMANDING_LOOKED_AT = 20;
const TARGETED_LOOKED_AT = 100;

const ALL = 10_000;

export const WorkMatch = exactly(
  {
    ...Opportunity.properties,
    basis: Type.Enum(['TARGETED', 'REQUIREMENTS', 'NO_REQUIREMENTS'], {
      description:
        'Why it is here: it names the agent, a requirement of it is met, or it has none.',
    }),
    matched: Type.Array(Type.String()),
    missing: Type.Array(Type.String(), { description: 'Requirements it does not name.' }),
    scoreBps: Type.Integer({
      description: 'Requirements met, in 1/10,000 of all, rounded down; 10,000 if there is none.',
    }),
    acceptable: Type.Boolean({
      description: 'Whether the agent could accept it in the next block.',
    }),
    refusal: orNull(Type.String()),
  },
  { title: 'WorkMatch' },
);

export interface MatchedOrder {
  order: WorkOrderRecord;
  view: Record<string, unknown> & { acceptable: boolean; refusal: ErrorCode | null };
}

/**
 * Returns TARGETED orders first, then sorts by score, funding and age, newest first.
 * @param capabilities of the current beacon
 * @returns `truncated` if there may be more matches
 */
export function matchWork(
  snapshot: Snapshot,
  agentId: string,
  capabilities: readonly string[],
  limit: number,
): { matches: MatchedOrder[]; truncated: boolean } {
  const found = new Map<string, WorkOrderRecord>();
  let truncated = false;
  const look = (list: ListName<'order'>, value: string, most: number): void => {
    const { items, next } = snapshot.list('order', list, {
      value,
      limit: most,
      keep: (order) => isAcceptable(snapshot, order) && order.requesterId !== agentId,
    });
    for (const order of items) found.set(order.orderId, order);
    truncated ||= next !== null;
  };
  const terms = new Set(normalizeTags(capabilities));
  look('orders-open-for-agent', agentId, TARGETED_LOOKED_AT);
  const share = Math.floor(LOOKED_AT / Math.max(1, terms.size));
  for (const term of terms) look('orders-open-by-requirement', term, share);
  look('orders-open-without-requirements', '', UNDEMANDING_LOOKED_AT);

  const scored = [...found.values()].map((order) => score(order, terms)).toSorted(byWorth);
  truncated ||= scored.length > limit;
  const matches = scored.slice(0, limit).map(({ order, ...comparison }) => {
    const refusal = acceptanceRefusal(snapshot, order, agentId);
    const acceptable = refusal === null;
    return { order, view: { ...opportunityOf(order), ...comparison, acceptable, refusal } };
  });
  return { matches, truncated };
}

interface Scored {
  order: WorkOrderRecord;
  basis: 'TARGETED' | 'REQUIREMENTS' | 'NO_REQUIREMENTS';
  matched: string[];
  missing: string[];
  scoreBps: number;
}

function score(order: WorkOrderRecord, terms: ReadonlySet<string>): Scored {
  const { requirements } = order;
  const matched = requirements.filter((requirement) => terms.has(normalizeTag(requirement)));
  return {
    order,
    basis:
      order.agentId !== null
        ? 'TARGETED'
        : requirements.length > 0
          ? 'REQUIREMENTS'
          : 'NO_REQUIREMENTS',
    matched,
    missing: requirements.filter((requirement) => !matched.includes(requirement)),
    scoreBps:
      requirements.length === 0 ? ALL : Math.floor((matched.length * ALL) / requirements.length),
  };
}

function byWorth(a: Scored, b: Scored): number {
  const [one, other] = [a.order, b.order];
  return (
    Number(b.basis === 'TARGETED') - Number(a.basis === 'TARGETED') ||
    b.scoreBps - a.scoreBps ||
    other.funding - one.funding ||
    other.createdAt.height - one.createdAt.height ||
    other.createdAt.index - one.createdAt.index
  );
}
