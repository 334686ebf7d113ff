/** Shortened ids keep both ends, because strangers choose the names. */
import { envelopeKind, type JsonObject } from '@netd/protocol';
import { words } from '@netd/protocol/sentences';

export { words };

export function shortHash(hash: string, keep = 8): string {
  return hash.length <= 2 * keep + 1 ? hash : `${hash.slice(0, keep)}…${hash.slice(-4)}`;
}

export const LONGEST_ID = 28;

export function shortId(id: string, longest = LONGEST_ID): string {
  if (id.length <= longest) return id;
  const end = Math.floor((longest - 1) / 3);
  return `${id.slice(0, longest - 1 - end)}…${id.slice(-end)}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the transition's action, system kind, or envelope kind. */
export function transitionName(envelope: Readonly<Record<string, unknown>>): string {
  const { action, kind } = envelope;
  if (typeof action === 'string') return words(action);
  return words(
    typeof kind === 'string' ? kind : (envelopeKind(envelope as JsonObject) ?? 'transition'),
  );
}
