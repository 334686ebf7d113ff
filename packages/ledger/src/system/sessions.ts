import { endSession } from '../actions/sessions/session.ts';
import type { SystemTransition } from '../transition.ts';

export const expireSession: SystemTransition = {
  summary: 'The last height of a session has passed: its key acts no more.',
  events: ['SessionEnded'],
  apply(context, subject) {
    const session = context.state.get('session', subject);
    if (!session) throw new Error(`there is no session ${subject}`);
    endSession(context, session, 'EXPIRED');
  },
};
