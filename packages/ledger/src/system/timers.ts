import { parseTimerId } from '../timer-queue.ts';
import type { SystemTransition } from '../transition.ts';

export const awaitHeight: SystemTransition = {
  summary:
    'The time of a deadline has passed, its height has not: from now on its timer waits for the height.',
  events: [],
  apply({ state }, subject) {
    const id = parseTimerId(subject);
    const timer = state.get('timer', id);
    if (!timer) throw new Error(`there is no timer ${id}`);
    state.put('timer', id, { ...timer, awaits: 'HEIGHT' });
  },
};
