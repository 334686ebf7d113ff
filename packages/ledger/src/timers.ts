/**
 * Timers: what the ledger will do by itself and when, where no record says so of itself (`waitsBeyond`). A timer names the
 * system transition that a deadline brings and its subject; the block in which the deadline is reached opens with it.
 */
import type { Deadline } from './deadline.ts';
import type { WritableState } from './state.ts';
import { timerId, type TimerKind } from './timer-queue.ts';

/** Sets the timer of a kind for a subject, or sets it anew. */
export function setTimer(
  state: WritableState,
  kind: TimerKind,
  subject: string,
  deadline: Deadline,
): void {
  const awaits = deadline.time === 0 ? 'HEIGHT' : 'TIME';
  state.put('timer', timerId(kind, subject), { awaits, deadline, kind, subject });
}

/** Takes a timer back, where it is set. */
export function clearTimer(state: WritableState, kind: TimerKind, subject: string): void {
  const id = timerId(kind, subject);
  if (state.get('timer', id)) state.delete('timer', id);
}
