/** A message may contain a data part with the arguments of net_prepare_intent. */
import type { JsonObject } from '@netd/protocol';
import { MalformedMessage, type SendMessage } from './a2a-message.ts';
import { violationsOfPrepare, type WantedIntent as Intent } from './prepare-intent.ts';

export interface WantedIntent {
  intent: Intent;
  place: string;
}

/**
 * Returns null if no part names an action.
 * @throws MalformedMessage if a part does, but is incomplete
 */
export function wantedIntent(parts: SendMessage['message']['parts']): WantedIntent | null {
  const index = parts.findIndex(({ data }) => isWish(data));
  if (index < 0) return null;
  const place = `/message/parts/${index}/data`;
  const given = { payload: {}, ...(parts[index]?.data as JsonObject) };
  const faults = violationsOfPrepare(given);
  if (faults) {
    throw new MalformedMessage(
      'An action is asked for by actorId, action and payload; see the places.',
      faults.map(({ path, message }) => ({ path: `${place}${path}`, message })),
    );
  }
  return { intent: given as unknown as Intent, place };
}

function isWish(data: unknown): boolean {
  return data !== null && typeof data === 'object' && Object.hasOwn(data, 'action');
}
