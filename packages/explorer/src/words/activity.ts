/** Values over time for the charts of jobs, money, juries and presence. */

/** An event with the time of its block, in milliseconds since 1970. */
export interface Timed {
  time: number;
  type: string;
  data: Readonly<Record<string, unknown>>;
}

export interface Series {
  /** Seconds since 1970, the middle of each step, ascending. */
  times: number[];
  /** Null for a step in which nothing of the kind happened. */
  values: (number | null)[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STEPS = [1, 5, 15, 60, 360, 1_440, 10_080, 43_200].map((minutes) => minutes * MINUTE);
const MOST_STEPS = 48;

/** Cuts the time from the first event until now into equal steps. */
function stepsOf(
  events: readonly Timed[],
  now: number,
): { step: number; groups: Map<number, Timed[]> } {
  const from = Math.min(now, ...events.map(({ time }) => time));
  const step = STEPS.find((one) => (now - from) / one < MOST_STEPS) ?? STEPS.at(-1) ?? HOUR;
  const groups = new Map<number, Timed[]>();
  const last = Math.floor(now / step);
  const first = Math.max(Math.floor(from / step), last - MOST_STEPS);
  for (let at = first; at <= last; at++) groups.set(at, []);
  for (const event of events) groups.get(Math.floor(event.time / step))?.push(event);
  return { step, groups };
}

function seriesOf(
  events: readonly Timed[],
  now: number,
  valueOf: (group: readonly Timed[], step: number) => number | null,
): Series {
  const { step, groups } = stepsOf(events, now);
  const all = [...groups];
  return {
    times: all.map(([at]) => ((at + 0.5) * step) / 1_000),
    values: all.map(([, group]) => valueOf(group, step)),
  };
}

const numberIn = ({ data }: Timed, name: string): number =>
  typeof data[name] === 'number' ? data[name] : 0;
const idIn = ({ data }: Timed, name: string): string => String(data[name]);
const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

const paidOf = (events: readonly Timed[]): Timed[] =>
  events.filter(({ type }) => type === 'WorkOrderPaid');

/** Leaves out the current step, which has not ended: its rate would be too low. */
const finished = ({ times, values }: Series): Series =>
  times.length > 2 ? { times: times.slice(0, -1), values: values.slice(0, -1) } : { times, values };

export const jobsPerHour = (events: readonly Timed[], now: number): Series =>
  finished(seriesOf(paidOf(events), now, (group, step) => (group.length * HOUR) / step));

/** Values are unet per hour. */
export const unetPerHour = (events: readonly Timed[], now: number): Series =>
  finished(
    seriesOf(
      paidOf(events),
      now,
      (group, step) => (sum(group.map((one) => numberIn(one, 'paid'))) * HOUR) / step,
    ),
  );

/** Parts of delivered jobs that were paid. Withdrawn and expired orders had no worker, and don't count. */
export const acceptanceRate = (events: readonly Timed[], now: number): Series =>
  seriesOf(
    events.filter(
      ({ type, data }) =>
        type === 'WorkOrderPaid' ||
        (type === 'WorkOrderRejected' && typeof data['workerId'] === 'string'),
    ),
    now,
    (group) => (group.length === 0 ? null : paidOf(group).length / group.length),
  );

/** Median milliseconds from acceptance to payment, of jobs whose acceptance is among the events. */
export function timeToPayment(events: readonly Timed[], now: number): Series {
  const accepted = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'WorkAccepted') continue;
    // A released order is accepted again.
    const id = idIn(event, 'orderId');
    accepted.set(id, Math.max(event.time, accepted.get(id) ?? 0));
  }
  const known = paidOf(events).filter((event) => accepted.has(idIn(event, 'orderId')));
  return seriesOf(known, now, (group) => {
    const waits = group
      .map((event) => event.time - (accepted.get(idIn(event, 'orderId')) ?? event.time))
      .toSorted((a, b) => a - b);
    return waits[Math.floor(waits.length / 2)] ?? null;
  });
}

const ABSTAINED = 'UNJUDGEABLE';

/** Average part of the votes on an order that agree with its majority, without those that abstained. */
export function juryAgreement(events: readonly Timed[], now: number): Series {
  const votes = events.filter(
    ({ type, data }) => type === 'WorkVoted' && data['vote'] !== ABSTAINED,
  );
  return seriesOf(votes, now, (group) => {
    const orders = new Map<string, Map<string, number>>();
    for (const vote of group) {
      const order = orders.get(idIn(vote, 'orderId')) ?? new Map<string, number>();
      orders.set(idIn(vote, 'orderId'), order);
      order.set(idIn(vote, 'vote'), (order.get(idIn(vote, 'vote')) ?? 0) + 1);
    }
    if (orders.size === 0) return null;
    const parts = [...orders.values()].map((order) => {
      const counts = [...order.values()];
      return Math.max(...counts) / sum(counts);
    });
    return sum(parts) / parts.length;
  });
}

const LEAVES: ReadonlySet<string> = new Set(['BeaconExpired', 'BeaconWithdrawn']);

/**
 * Counts back from the number of agents that are online now. A beacon that only renews another one changes
 * nothing.
 */
export function agentsOnline(events: readonly Timed[], now: number, online: number): Series {
  const beacons = events
    .filter(({ type }) => type === 'BeaconPublished' || LEAVES.has(type))
    .toSorted((a, b) => a.time - b.time);
  const isOn = new Map<string, boolean>();
  const changes = new Map<Timed, number>();
  for (const event of beacons) {
    const id = idIn(event, 'agentId');
    const after = !LEAVES.has(event.type);
    // Without an earlier event, only the first beacon of an agent tells that it was offline before.
    const before = isOn.get(id) ?? (after ? numberIn(event, 'sequence') > 1 : true);
    changes.set(event, Number(after) - Number(before));
    isOn.set(id, after);
  }
  const { step, groups } = stepsOf(beacons, now);
  let count = online;
  const values: number[] = [];
  for (const [, group] of [...groups].toReversed()) {
    values.unshift(count);
    count -= sum(group.map((event) => changes.get(event) ?? 0));
  }
  return { times: [...groups.keys()].map((at) => ((at + 0.5) * step) / 1_000), values };
}
