/**
 * Queues of future system transitions. A record with a last valid height is in the queue itself; everything
 * else has a timer. A timer waits for its time first, then for its height, so that whatever a block finds due
 * can run at a cost that does not grow with the queue.
 */
import { deadlineBeyond, type Deadline } from './deadline.ts';

/**
 * Kinds of due system transitions in the order in which they open a block, with the most of each per block.
 * The rest opens the next block, which follows at once. Each kind has its own queue, so that a flood of one
 * delays no other. At 192 per block, 100,000 equal deadlines take 521 blocks, less than a minute at 100 ms
 * each.
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

/** A deadline of something whose record does not itself define one. */
export interface TimerRecord {
  kind: TimerKind;
  /** The id that the system transition is about. */
  subject: string;
  deadline: Deadline;
  /** The part of the deadline that it waits for now. */
  awaits: 'TIME' | 'HEIGHT';
}

/** A place in a queue: `at` is a height, or a time in milliseconds. */
export interface QueueEntry {
  queue: string;
  at: number;
}

export type TimerId = `${TimerKind}/${string}`;

export const timerId = (kind: TimerKind, subject: string): TimerId => `${kind}/${subject}`;

/** @throws Error if the text does not begin with a kind of timer */
export function parseTimerId(text: string): TimerId {
  const kind = TIMER_KINDS.find((known) => text.startsWith(`${known}/`));
  if (!kind) throw new Error(`${text} is not the id of a timer`);
  return timerId(kind, text.slice(kind.length + 1));
}

export const timerQueue = (kind: TimerKind, awaits: TimerRecord['awaits']): string =>
  `${kind}:${awaits}`;

/**
 * Returns the queue entry of a record that waits for its own last height. Its id is the transition's subject;
 * the transition must write or delete it so that it leaves the queue.
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
