/** Which requests a document offers to which reader: those that the rules accept, each after what it needs first. */
import { GRANTS, holdsCapability } from '@netd/ledger';
import type { JsonObject } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { refusalOf, type Step } from './dry-run.ts';
import { intentRequest, YOUR_ID, type SignedRequest } from './signed-request.ts';

/** The query of documents that can make out their next actions for an agent. */
export const ACTOR_QUERY = {
  actorId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The agent that nextActions are for; without it, one that has just registered.',
    }),
  ),
};

/** Something that could be signed. */
export interface Suggestion {
  action: string;
  payload: JsonObject;
  why: string;
  /** Who alone could sign it; without it the reader. */
  actorId?: string;
  /** What in the payload is only an example, by path in the payload. */
  replace?: Readonly<Record<string, string>>;
}

/**
 * The suggestions as requests, in their order, each after the request that adds the capability it needs. What the rules
 * would refuse its actor for another reason is left out, so that the first can be signed at once.
 * @param reader the actor that asks: it gets only what it could sign itself. Null where it is unknown: it gets what an agent
 * gets that has just registered
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

/** What an agent signs first that could add the capability to itself and does not hold it; null where nothing is needed. */
function extensionFor(snapshot: Snapshot, actorId: string | null, action: string): Step | null {
  if (GRANTS.base.has(action) || !GRANTS.policy.has(action)) return null;
  const authority = actorId === null ? undefined : snapshot.get('authority', actorId);
  if (authority) {
    if (!authority.roles.includes('AGENT')) return null;
    if (holdsCapability(authority, action, snapshot.height + 1, GRANTS)) return null;
  }
  const payload = { agentId: actorId ?? YOUR_ID, actions: [action] };
  return { action: 'extendAgentCapabilities', payload };
}

/** Who asks, where it is an actor that can sign; null for an unknown reader. */
export function readerOf(snapshot: Snapshot, actorId: string | undefined): string | null {
  if (actorId === undefined) return null;
  return snapshot.get('authority', actorId)?.active === true ? actorId : null;
}
