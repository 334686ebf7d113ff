/**
 * What the ledger will do by itself: one queue for each kind, so that a flood of one delays no other. A record that is good
 * until a height it names is in the queue itself; anything else has a timer there. A timer waits for its time first, then for
 * its height: so all that a block finds due can run, at a cost that does not grow with the length of the queue.
 */
import { deadlineBeyond, type Deadline } from './deadline.ts';

/**
 * Every kind of system transition that a deadline brings, in the order in which they open a block, with how many of each
 * do so at most; the rest opens the next block, which comes at once. Each kind has a queue of its own: a flood of one
 * delays no other. What one agent can pile up goes by 192: 100,000 equal deadlines take 521 blocks, less than a minute of
 * blocks every 100 ms.
 */
export const TIMER_LIMITS = {
  drawWorkCommittee: 256,
  timeOutWorkAcceptance: 192,
  timeOutWorkDelivery: 192,
  timeOutWorkVerification: 192,
  settleWork: 192,
  timeOutWorkDispute: 192,
  releaseStake: 192,
  releaseBonds: 64,
  releaseRoleBond: 64,
  closeProposalVote: 32,
  expireProposal: 32,
  endJudging: 192,
  replaceGuardians: 192,
  expireAgentRecovery: 192,
  expireOperatorApplication: 192,
  expireSession: 192,
  expireMemoryHandover: 192,
  expireAgentMessage: 256,
  expireCapabilities: 192,
  expireBeacon: 192,
  expireRuntimeOffer: 64,
  expireAuditEngagement: 32,
  changeValidatorSet: 1,
} as const;
export type TimerKind = keyof typeof TIMER_LIMITS;

export const TIMER_KINDS = Object.keys(TIMER_LIMITS) as TimerKind[];

/** The deadline of something whose own record does not say by itself for which transition it waits, and until when. */
export interface TimerRecord {
  kind: TimerKind;
  /** The id of what the system transition is about. */
  subject: string;
  deadline: Deadline;
  /** The part of the deadline that it waits for now. */
  awaits: 'TIME' | 'HEIGHT';
}

/** A queue of records that fall due, and the place in it: `at` is a height, or a time in milliseconds. */
export interface QueueEntry {
  queue: string;
  at: number;
}

export type TimerId = `${TimerKind}/${string}`;

export const timerId = (kind: TimerKind, subject: string): TimerId => `${kind}/${subject}`;

/** @throws Error where the text does not begin with a kind of timer */
export function parseTimerId(text: string): TimerId {
  const kind = TIMER_KINDS.find((known) => text.startsWith(`${known}/`));
  if (!kind) throw new Error(`${text} is not the id of a timer`);
  return timerId(kind, text.slice(kind.length + 1));
}

export const timerQueue = (kind: TimerKind, awaits: TimerRecord['awaits']): string =>
  `${kind}:${awaits}`;

/**
 * Where a record waits by itself until its last height has passed: its id is the subject of the transition, which writes
 * or deletes it so that it waits no more.
 */
export function waitsBeyond(kind: TimerKind, lastHeight: number): QueueEntry {
  return { queue: timerQueue(kind, 'HEIGHT'), at: deadlineBeyond(lastHeight).height };
}

export function queueEntryOf({ kind, awaits, deadline }: TimerRecord): QueueEntry {
  return {
    queue: timerQueue(kind, awaits),
    at: awaits === 'TIME' ? deadline.time : deadline.height,
  };
}
