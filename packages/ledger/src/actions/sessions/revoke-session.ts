import { ActorId, RecordId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { endSession, requireSession } from './session.ts';

export const revokeSession = defineAction({
  name: 'revokeSession',
  summary:
    'End a session now: with the key of the agent any of its own, with that of a session that one.',
  grant: { AGENT: 'base' },
  keyOnly: true,
  payload: exactly({ agentId: ActorId, sessionId: RecordId }),
  actor: 'agentId',
  errors: ['SESSION_UNKNOWN', 'SESSION_NOT_OWN'],
  events: ['SessionEnded'],

  check({ state, session: signer }, { agentId, sessionId }) {
    const path = '/payload/sessionId';
    requireThat(!signer || signer.sessionId === sessionId, 'SESSION_NOT_OWN', path);
    return requireSession(state, agentId, sessionId, path);
  },

  apply(context, _payload, session) {
    endSession(context, session, 'REVOKED');
  },
});
