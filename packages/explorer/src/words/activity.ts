/** Values over time for the charts of jobs, money, juries and presence. */
import { addSums, type FramePlace, type FrameSums } from '@netd/protocol/frames';

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

/** A value for each frame; null if nothing of the kind happened. */
type ValueOf = (frame: FrameSums, step: { milliseconds: number; blocks: number }) => number | null;

/** Joins frames of less than a minute, because a rate of two jobs in two seconds would be 3,600 jobs per hour. */
function joined(frames: readonly FrameSums[]): FrameSums[] {
  const long: FrameSums[] = [];
  for (const frame of frames) {
    const before = long.at(-1);
    const isShort =
      before !== undefined && Date.parse(frame.first.time) - Date.parse(before.first.time) < MINUTE;
    if (isShort) long[long.length - 1] = addSums(before, frame);
    else long.push(frame);
  }
  return long;
}

/**
 * A frame's step lasts until the next frame begins, because spans without transitions have none.
 * @param frames oldest first
 * @param end the newest block, which ends the last step
 */
function seriesOf(frames: readonly FrameSums[], end: FramePlace, valueOf: ValueOf): Series {
  const steps = frames.map((frame, at) => {
    const next = frames[at + 1]?.first ?? end;
    const [from, to] = [Date.parse(frame.first.time), Date.parse(next.time)];
    const blocks = next.height - frame.first.height;
    return { frame, at: (from + to) / 2_000, milliseconds: to - from, blocks };
  });
  const long = steps.filter(({ milliseconds }) => milliseconds > 0);
  return {
    times: long.map(({ at }) => at),
    values: long.map(({ frame, ...step }) => valueOf(frame, step)),
  };
}

/** Leaves out the current step, which has not ended: its rate would be too low. */
const finished = ({ times, values }: Series): Series =>
  times.length > 2 ? { times: times.slice(0, -1), values: values.slice(0, -1) } : { times, values };

type Make = (frames: readonly FrameSums[], end: FramePlace) => Series;

export const jobsPerHour: Make = (frames, end) =>
  finished(
    seriesOf(
      joined(frames),
      end,
      ({ paidJobs }, { milliseconds }) => (paidJobs * HOUR) / milliseconds,
    ),
  );

/** Values are unet per hour. */
export const unetPerHour: Make = (frames, end) =>
  finished(
    seriesOf(joined(frames), end, ({ earned }, { milliseconds }) => (earned * HOUR) / milliseconds),
  );

/** Parts of delivered jobs that were paid. Withdrawn and expired orders had no worker, and don't count. */
export const acceptanceRate: Make = (frames, end) =>
  seriesOf(frames, end, ({ paidJobs, refusedJobs }) =>
    paidJobs + refusedJobs === 0 ? null : paidJobs / (paidJobs + refusedJobs),
  );

/** Average milliseconds from acceptance to payment: blocks waited, at the pace of the step. */
export const timeToPayment: Make = (frames, end) =>
  seriesOf(frames, end, ({ paidJobs, waitedBlocks }, { milliseconds, blocks }) =>
    paidJobs === 0 || blocks === 0 ? null : (waitedBlocks / paidJobs) * (milliseconds / blocks),
  );

/** Parts of the votes that agree with the majority of their jury, without those that abstained. */
export const juryAgreement: Make = (frames, end) =>
  seriesOf(frames, end, ({ judgedVotes, agreedVotes }) =>
    judgedVotes === 0 ? null : agreedVotes / judgedVotes,
  );

const numberIn = ({ data }: Timed, name: string): number =>
  typeof data[name] === 'number' ? data[name] : 0;
const idIn = ({ data }: Timed, name: string): string => String(data[name]);
const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

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
