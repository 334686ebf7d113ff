/**
 * Queues of future system transitions. A record with a last valid height queues by itself; every other
 * deadline has a timer. A timer waits for its time first, then for its height, so the cost of due work does
 * not grow with the queue.
 */
import { deadlineBeyond, type Deadline } from './deadline.ts';

/**
 * Most transitions per block of each kind, in the order in which they open it. The rest opens the next block,
 * which follows at once. A flood of one kind delays no other. At 192 per block, 100,000 equal deadlines take
 * less than a minute at 100 ms each.
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
  activateRules: 1,
  decideRules: 1,
} as const;
export type TimerKind = keyof typeof TIMER_LIMITS;

export const TIMER_KINDS = Object.keys(TIMER_LIMITS) as TimerKind[];

export interface TimerRecord {
  kind: TimerKind;
  subject: string;
  deadline: Deadline;
  awaits: 'TIME' | 'HEIGHT';
}

/** `at` is a height, or a time in milliseconds. */
export interface QueueEntry {
  queue: string;
  at: number;
}

export type TimerId = `${TimerKind}/${string}`;

export const timerId = (kind: TimerKind, subject: string): TimerId => `${kind}/${subject}`;

export function parseTimerId(text: string): TimerId {
  const kind = TIMER_KINDS.find((known) => text.startsWith(`${known}/`));
  if (!kind) throw new Error(`${text} is not the id of a timer`);
  return timerId(kind, text.slice(kind.length + 1));
}

export const timerQueue = (kind: TimerKind, awaits: TimerRecord['awaits']): string =>
  `${kind}:${awaits}`;

/** Queues a record by itself. The transition must write or delete the record, so that it leaves the queue. */
export function waitsBeyond(kind: TimerKind, lastHeight: number): QueueEntry {
  return { queue: timerQueue(kind, 'HEIGHT'), at: deadlineBeyond(lastHeight).height };
}

export function queueEntryOf({ kind, awaits, deadline }: TimerRecord): QueueEntry {
  return {
    queue: timerQueue(kind, awaits),
    at: awaits === 'TIME' ? deadline.time : deadline.height,
  };
}
