import type { Action } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import type { WriteContext } from '../../transition.ts';
import type { SessionRecord } from './records.ts';

/** Sessions per agent, few enough for a key rotation to end all at once. */
export const MAX_SESSIONS = 16;

export type SessionEnd =
  'EXPIRED' | 'REVOKED' | 'KEY_ROTATED' | 'KEY_RECOVERED' | 'AUTHORITY_ENDED';

export const sessionKey = (agentId: string, sessionId: string): string => `${agentId}/${sessionId}`;

export function sessionIdsOf(state: ReadableState, agentId: string): string[] {
  return state.get('session-roster', agentId)?.sessionIds ?? [];
}

export function requireSession(
  state: ReadableState,
  agentId: string,
  sessionId: string,
  path: string,
): SessionRecord {
  const session = state.get('session', sessionKey(agentId, sessionId));
  requireThat(session, 'SESSION_UNKNOWN', path);
  return session;
}

/**
 * Checks the session's bounds only; the agent's own rights are checked elsewhere.
 * @param spent unet that would leave the account
 */
export function requireWithinSession(
  session: SessionRecord,
  { name }: Pick<Action, 'name'>,
  spent: { amount: number; path: string } | null,
): void {
  requireThat(
    name === 'revokeSession' || session.actions.includes(name),
    'SESSION_ACTION_MISSING',
    '/action',
  );
  if (!spent) return;
  const { amount, path } = spent;
  requireThat(
    session.maxAmount === null || amount <= session.maxAmount,
    'SESSION_AMOUNT_EXCEEDED',
    path,
    () => `${amount} unet would leave the account, at most ${session.maxAmount} may`,
  );
  const left = session.budget - session.spent;
  requireThat(
    amount <= left,
    'SESSION_BUDGET_EXCEEDED',
    path,
    () => `${amount} unet would leave the account, ${left} are left of the budget`,
  );
}

/** Does nothing if the session has just revoked itself. */
export function countSpent(state: WritableState, session: SessionRecord, amount: number): void {
  const id = sessionKey(session.agentId, session.sessionId);
  const current = state.get('session', id);
  if (current && amount > 0)
    state.put('session', id, { ...current, spent: current.spent + amount });
}

/** Ends a session. Its key cannot be registered again. */
export function endSession(
  { state, emit }: Pick<WriteContext, 'state' | 'emit'>,
  { agentId, sessionId, spent }: SessionRecord,
  reason: SessionEnd,
): void {
  const id = sessionKey(agentId, sessionId);
  state.delete('session', id);
  const sessionIds = sessionIdsOf(state, agentId).filter((live) => live !== sessionId);
  if (sessionIds.length > 0) state.put('session-roster', agentId, { sessionIds });
  else state.delete('session-roster', agentId);
  emit('SessionEnded', { agentId, reason, sessionId, spent });
}

export function endSessions(
  context: Pick<WriteContext, 'state' | 'emit'>,
  agentId: string,
  reason: SessionEnd,
): void {
  for (const sessionId of sessionIdsOf(context.state, agentId)) {
    const session = context.state.get('session', sessionKey(agentId, sessionId));
    if (session) endSession(context, session, reason);
  }
}
