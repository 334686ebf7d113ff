import { nextOfOrder, type OrderFacts, type OrderPhase } from '@netd/protocol/sentences';
import { count, counted, shortNet } from './amount.ts';
import { duration } from './time.ts';

export type Column = 'open' | 'working' | 'checking' | 'ended';

const COLUMNS: Record<OrderPhase, Column> = {
  OPEN: 'open',
  ACCEPTED: 'working',
  DRAWING: 'checking',
  REVIEW: 'checking',
  REVEAL: 'checking',
  VERIFIED: 'checking',
  VOTED_DOWN: 'checking',
  UNJUDGED: 'checking',
  CONTESTED: 'checking',
  DISPUTED: 'checking',
  ENDED: 'ended',
};

export function columnOf({ phase }: { phase: OrderPhase }): Column {
  return COLUMNS[phase] ?? 'ended';
}

/** Orders of each status in the first page of a list. */
export const LISTED = 50;

/**
 * Returns the number of unfinished orders that a list lacks. A list may be longer than its first page.
 * @param proven the number in the state; undefined without a record
 */
export const unlisted = (orders: readonly { phase: OrderPhase }[], proven = 0): number =>
  Math.max(0, Math.min(proven, LISTED) - orders.filter(({ phase }) => phase !== 'ENDED').length);

/**
 * Returns how much a list of orders covers, and the sum of its money; null unless the list is whole.
 * @param total on the whole chain; null if unknown
 * @param hasMore true if older orders can still be loaded
 */
export function coverage(
  orders: readonly { funding: number }[],
  total: number | null,
  hasMore: boolean,
): { shown: string; isPart: boolean; money: number | null } {
  const isPart = total !== null && total > orders.length;
  const isWhole = !isPart && (total !== null || !hasMore);
  const shown = count(orders.length);
  return {
    shown: isPart ? `${shown} of ${count(total)}` : isWhole ? shown : `${shown} so far`,
    isPart,
    money: isWhole ? orders.reduce((sum, { funding }) => sum + funding, 0) : null,
  };
}

export function missing(
  requirements: readonly string[],
  capabilities: readonly string[],
): string[] {
  const held = new Set(capabilities);
  return requirements.filter((one) => !held.has(one));
}

/** A span of the rules: it is over once both parts have passed. */
interface Span {
  heights: number;
  milliseconds: number;
}

/** Names both parts, because only the node says how long a block takes. */
export const spanWords = ({ heights, milliseconds }: Span): string =>
  `${duration(milliseconds)}, or ${counted(heights, 'block')} if they take longer`;

/** The shortest warning before a deadline, in milliseconds. */
const LEAST_WARNING = 2 * 60_000;

/**
 * Returns the time left until a deadline, or the blocks once its time has passed.
 * @param whole milliseconds from the acceptance to the deadline
 * @param now the height, and milliseconds since 1970
 */
export function leftUntil(
  deadline: { height: number; time: number },
  whole: number,
  now: { height: number; time: number },
): { left: string; urgency: 'early' | 'soon' | 'late' } {
  const [time, blocks] = [deadline.time - now.time, deadline.height - now.height];
  if (time <= 0)
    return { left: counted(Math.max(0, blocks), 'block'), urgency: blocks > 0 ? 'soon' : 'late' };
  const isSoon = time <= Math.max(whole / 4, Math.min(LEAST_WARNING, whole / 2));
  return { left: duration(time), urgency: isSoon ? 'soon' : 'early' };
}

interface Told extends OrderFacts<unknown> {
  requesterId: string;
  workerId: string | null;
  funding: number;
  createdAt: { height: number };
  endedAt: { height: number } | null;
}

/** Returns a line about an order for lists: its state, price, agents, and the block of its start or end. */
export function orderNote(order: Told): string {
  const { requesterId, workerId, funding, createdAt, endedAt } = order;
  const who = workerId === null ? `by ${requesterId}` : `${requesterId} → ${workerId}`;
  const when = `block ${count((endedAt ?? createdAt).height)}`;
  return [nextOfOrder(order).now, `${shortNet(funding)} NET`, who, when].join(', ');
}
