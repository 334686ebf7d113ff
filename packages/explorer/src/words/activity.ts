/** Values over time for the charts of jobs, money, juries and presence, from frames. */
import type { FramePlace, FrameSums } from '@netd/protocol/frames';

export interface Series {
  /** Seconds since 1970, the middle of each step, ascending. */
  times: number[];
  /** Null for a step in which nothing of the kind happened. */
  values: (number | null)[];
}

const HOUR = 3_600_000;

/** A value for each frame; null if nothing of the kind happened. */
type ValueOf = (frame: FrameSums, step: { milliseconds: number; blocks: number }) => number | null;

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

const perHour =
  (member: 'paidJobs' | 'earned' | 'beacons'): Make =>
  (frames, end) =>
    finished(
      seriesOf(frames, end, (frame, { milliseconds }) => (frame[member] * HOUR) / milliseconds),
    );

export const jobsPerHour = perHour('paidJobs');

/** Values are unet per hour. */
export const unetPerHour = perHour('earned');

/** An agent that stays online publishes a beacon now and then, so this is not the number of agents. */
export const beaconsPerHour = perHour('beacons');

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
