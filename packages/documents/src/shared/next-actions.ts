/** Selects requests that the rules would accept from a reader, in an order in which they can be signed. */
import { grantsAt, holdsCapability } from '@netd/ledger';
import type { JsonObject } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { refusalOf, type Step } from './dry-run.ts';
import { intentRequest, YOUR_ID, type SignedRequest } from './signed-request.ts';

export const ACTOR_QUERY = {
  actorId: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'The agent that nextActions are for; without it, an agent that has just registered.',
    }),
  ),
};

export interface Suggestion {
  action: string;
  payload: JsonObject;
  why: string;
  /** The only agent that can sign it. If absent, any reader can. */
  actorId?: string;
  /** Descriptions of example values, by path in the payload. */
  replace?: Readonly<Record<string, string>>;
}

/**
 * Returns each request after the one that adds its capability. Omits requests that the rules would refuse.
 * @param reader the agent that would sign; null for an unknown reader, who gets those of a new agent
 */
export function nextActionsFor(
  snapshot: Snapshot,
  reader: string | null,
  suggestions: readonly Suggestion[],
): SignedRequest[] {
  const extended = new Set<string>();
  return suggestions.flatMap(({ action, payload, why, replace = {}, actorId = reader }) => {
    if (reader !== null && actorId !== reader) return [];
    const own = { action, payload };
    const extension = extended.has(`${actorId} ${action}`)
      ? null
      : extensionFor(snapshot, actorId, action);
    const steps = extension ? [extension, own] : [own];
    if (actorId !== null && refusalOf(snapshot, actorId, ...steps) !== null) return [];
    if (extension) extended.add(`${actorId} ${action}`);
    const signer = actorId === null ? {} : { actorId };
    return [
      ...(extension
        ? [
            intentRequest(snapshot, extension.action, extension.payload, {
              why: `Adds ${action} to the capabilities, which registration does not give.`,
              ...signer,
            }),
          ]
        : []),
      intentRequest(snapshot, action, payload, { why, replace, ...signer }),
    ];
  });
}

/** Returns the request that adds a missing capability; null if none is missing or none can be added. */
function extensionFor(snapshot: Snapshot, actorId: string | null, action: string): Step | null {
  const grants = grantsAt(snapshot, snapshot.height + 1);
  if (grants.base.has(action) || !grants.policy.has(action)) return null;
  const authority = actorId === null ? undefined : snapshot.get('authority', actorId);
  if (authority) {
    if (!authority.roles.includes('AGENT')) return null;
    if (holdsCapability(authority, action, snapshot.height + 1, grants)) return null;
  }
  const payload = { agentId: actorId ?? YOUR_ID, actions: [action] };
  return { action: 'extendAgentCapabilities', payload };
}

/** Returns the agent's id if it has active authority, otherwise null. */
export function readerOf(snapshot: Snapshot, actorId: string | undefined): string | null {
  if (actorId === undefined) return null;
  return snapshot.get('authority', actorId)?.active === true ? actorId : null;
}
