/** Opens a block with the system transitions that are due. */
import { isReached, type Now } from './deadline.ts';
import type { StateOverlay, StateReader } from './state.ts';
import type { SystemKind } from './system/registry.ts';
import { TIMER_KINDS, TIMER_LIMITS, timerId, timerQueue } from './timer-queue.ts';

/** The most system transitions in one block, which leaves room for envelopes. */
export const MAX_SYSTEM_TRANSITIONS = Object.values(TIMER_LIMITS).reduce<number>(
  (sum, limit) => sum + limit,
  0,
);

/**
 * Executes the system transitions that are due. Within a kind, waits for a height come before waits for a
 * time, each in the order of deadlines.
 * @param execute called with a kind and its subject, after the timer is deleted; `awaitHeight` gets the
 *   timer's id
 */
export function beginBlock(
  state: StateOverlay,
  now: Now,
  execute: (kind: SystemKind, subject: string) => void,
): void {
  for (const kind of TIMER_KINDS) {
    let left: number = TIMER_LIMITS[kind];
    const waiting = [
      ...state.due(timerQueue(kind, 'HEIGHT'), now.height, left),
      ...state.due(timerQueue(kind, 'TIME'), now.time, left),
    ];
    for (const key of waiting) {
      if (left-- === 0) break;
      if (!key.startsWith('timer/')) {
        execute(kind, key.slice(key.indexOf('/') + 1));
        continue;
      }
      const id = timerId(kind, key.slice(`timer/${kind}/`.length));
      const timer = state.get('timer', id);
      if (!timer) throw new Error(`there is no timer ${id}`);
      if (!isReached(timer.deadline, now)) {
        execute('awaitHeight', id);
        continue;
      }
      state.delete('timer', id);
      execute(kind, timer.subject);
    }
  }
}

/** True if a transition is due. Reads only the front of each queue. */
export function hasDueWork(state: Pick<StateReader, 'due'>, now: Now): boolean {
  return TIMER_KINDS.some(
    (kind) =>
      state.due(timerQueue(kind, 'HEIGHT'), now.height, 1).length > 0 ||
      state.due(timerQueue(kind, 'TIME'), now.time, 1).length > 0,
  );
}
