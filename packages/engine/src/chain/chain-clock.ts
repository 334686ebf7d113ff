/**
 * Stops block production while the clock contradicts the elapsed time or the last block
 * (docs/decisions/021-data-directories-and-clock.md).
 */
import type { Clock } from './clock.ts';

/** Bound on the clock's jumps, and on the lead of block time over the clock. */
export const CLOCK_BOUND_MILLISECONDS = 5_000;
/** If a node starts this long after the last block, its clock may be wrong. */
const START_GAP_MILLISECONDS = 86_400_000;
/** A clock that was set is trusted after a minute, or a sixtieth of its jump if that is longer. */
const SETTLING_MILLISECONDS = 60_000;
const JUMP_PER_SETTLING = 60;
/** Interval of reference readings; long, so that small jumps cannot add up unnoticed. */
const REFERENCE_MILLISECONDS = 60_000;

type FaultKind = 'jump' | 'ahead';

export type ClockReading = { time: number; fault: null } | { time: null; fault: string };

/** A reading between two elapsed times, because the process may be suspended in between. */
interface Instant {
  time: number;
  before: number;
  after: number;
}

export class ChainClock {
  private readonly clock: Clock;
  private readonly onFault: (fault: string | null) => void;
  private reference: Instant;
  private suspect: Instant | null = null;
  private reported: FaultKind | null = null;
  private start: { at: Instant; lastBlockTime: number; gap: number } | null = null;

  /** @param onFault called when block time stops, and with null when it resumes */
  constructor(clock: Clock, onFault: (fault: string | null) => void) {
    this.clock = clock;
    this.onFault = onFault;
    this.reference = this.instant();
  }

  /**
   * Returns a warning if the last block is old, or null. The node may only have been off.
   * @param lastBlockTime milliseconds since 1970
   */
  resume(lastBlockTime: number): string | null {
    const gap = this.reference.time - lastBlockTime;
    if (gap > START_GAP_MILLISECONDS) this.start = { at: this.reference, lastBlockTime, gap };
    return this.startWarning();
  }

  startWarning(): string | null {
    if (!this.start) return null;
    const { at, lastBlockTime, gap } = this.start;
    if (this.clock.elapsedWithSleep() - at.after < settlingTime(gap)) {
      return gapSentence(lastBlockTime, gap, at.time);
    }
    this.start = null;
    return null;
  }

  /** @param lastBlockTime milliseconds since 1970 */
  read(lastBlockTime: number): ClockReading {
    const now = this.instant();
    const jump = this.jumpTo(now);
    if (jump !== 0) return this.refuse('jump', jumpSentence(now.time, jump));
    const ahead = lastBlockTime - now.time;
    if (ahead > CLOCK_BOUND_MILLISECONDS) {
      return this.refuse('ahead', aheadSentence(lastBlockTime, ahead));
    }
    if (this.reported !== null) {
      this.reported = null;
      this.onFault(null);
    }
    return { time: now.time, fault: null };
  }

  private jumpTo(now: Instant): number {
    const jump = deviation(this.reference, now);
    if (Math.abs(jump) <= CLOCK_BOUND_MILLISECONDS) {
      this.suspect = null;
      if (now.before - this.reference.after >= REFERENCE_MILLISECONDS) this.reference = now;
      return 0;
    }
    const { suspect } = this;
    if (!suspect || Math.abs(deviation(suspect, now)) > CLOCK_BOUND_MILLISECONDS) {
      this.suspect = now;
      return jump;
    }
    if (now.before - suspect.after < settlingTime(jump)) return jump;
    this.reference = now;
    this.suspect = null;
    return 0;
  }

  private refuse(kind: FaultKind, fault: string): ClockReading {
    if (this.reported !== kind) {
      this.reported = kind;
      this.onFault(fault);
    }
    return { time: null, fault };
  }

  private instant(): Instant {
    const before = this.clock.elapsedWithSleep();
    const time = this.clock.now();
    return { time, before, after: this.clock.elapsedWithSleep() };
  }
}

function deviation(from: Instant, to: Instant): number {
  const went = to.time - from.time;
  const [least, most] = [to.before - from.after, to.after - from.before];
  return went < least ? went - least : Math.max(0, went - most);
}

const settlingTime = (jump: number): number =>
  Math.max(SETTLING_MILLISECONDS, Math.abs(jump) / JUMP_PER_SETTLING);

function jumpSentence(time: number, jump: number): string {
  return (
    `the clock of this machine jumped ${jump < 0 ? 'back' : 'ahead'} by ${seconds(jump)}, to ${date(time)}: ` +
    `no blocks are made until it is set right, or has kept to this time for ${seconds(settlingTime(jump))}`
  );
}

function aheadSentence(lastBlockTime: number, ahead: number): string {
  return (
    `the last block is of ${date(lastBlockTime)}, ${seconds(ahead)} ahead of the clock of this machine: no blocks are ` +
    `made until the clock is less than ${seconds(CLOCK_BOUND_MILLISECONDS)} behind; set it right if it is wrong`
  );
}

function gapSentence(lastBlockTime: number, gap: number, time: number): string {
  const days = Math.floor(gap / START_GAP_MILLISECONDS);
  return (
    `this node started at ${date(time)} by the clock of this machine, ${days} ${days === 1 ? 'day' : 'days'} after the last block ` +
    `of ${date(lastBlockTime)}: if the clock is wrong, stop the node and set it right at once, for block time never runs back`
  );
}

const seconds = (milliseconds: number): string => `${Math.ceil(Math.abs(milliseconds) / 1_000)} s`;

const date = (time: number): string =>
  Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : `${time} ms`;
