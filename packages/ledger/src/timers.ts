/** Timers, for deadlines that the record itself cannot queue (`waitsBeyond`). */
import type { Deadline } from './deadline.ts';
import type { WritableState } from './state.ts';
import { timerId, type TimerKind } from './timer-queue.ts';

export function setTimer(
  state: WritableState,
  kind: TimerKind,
  subject: string,
  deadline: Deadline,
): void {
  const awaits = deadline.time === 0 ? 'HEIGHT' : 'TIME';
  state.put('timer', timerId(kind, subject), { awaits, deadline, kind, subject });
}

export function clearTimer(state: WritableState, kind: TimerKind, subject: string): void {
  const id = timerId(kind, subject);
  if (state.get('timer', id)) state.delete('timer', id);
}
