/** Adds the missing amount or the probable action to a refusal's message. */
import { ACTIONS, RuleError, type PolicyRecord } from '@netd/ledger';
import { didYouMean, netText, type JsonObject } from '@netd/protocol';

interface State {
  get: (key: string) => unknown;
}

export function explainRefusal(refusal: RuleError, intent: JsonObject, state: State): RuleError {
  const message =
    refusal.code === 'ACTION_UNKNOWN'
      ? nearestAction(intent)
      : refusal.code === 'INSUFFICIENT_BALANCE'
        ? missingMoney(refusal, intent, state)
        : null;
  return message === null ? refusal : new RuleError(refusal.code, { ...refusal.data, message });
}

function nearestAction({ action }: JsonObject): string | null {
  if (typeof action !== 'string') return null;
  const near = didYouMean(action, ACTIONS.keys());
  return near === '' ? null : `there is no action ${action}${near}`;
}

function missingMoney(
  { data }: RuleError,
  { actorId, action, payload }: JsonObject,
  state: State,
): string | null {
  const spends = typeof action === 'string' ? ACTIONS.get(action)?.spends : undefined;
  if (!spends || typeof actorId !== 'string' || (payload as JsonObject)['source'] === 'treasury')
    return null;
  const policy = state.get('policy/limits') as PolicyRecord;
  const needed = spends.amount(payload as JsonObject, policy);
  const account = state.get(`account/${actorId}`) as { balance: number } | undefined;
  const missing = needed - (account?.balance ?? 0);
  if (!Number.isSafeInteger(missing) || missing <= 0) return null;
  return `${data.message ?? ''}, ${needed} are needed, so ${missing} unet (${netText(missing)}) are missing`;
}
