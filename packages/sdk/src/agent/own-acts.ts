import { canonicalize, type JsonObject, type Receipt } from '@netd/protocol';
import { completePayload } from '../actions.ts';
import { AmountError, inUnet } from '../amount.ts';
import type { Simulation } from '../client.ts';
import { NetError } from '../http.ts';
import { AgentError } from './agent-error.ts';
import { exactValue } from './exact-value.ts';
import { isCutShort, type AgentParts } from './parts.ts';
import { refusalOf } from './refusal-of.ts';
import { requireScope } from './work-offer.ts';

export async function actOnce(
  parts: AgentParts,
  action: string,
  given: object,
  { id, isNamed }: { id: string; isNamed: boolean },
): Promise<Receipt> {
  const { outbox } = parts;
  const name = `own/${id}`;
  const payload = await completed(
    parts,
    name,
    action,
    amountsInUnet(action, exactValue(given) as JsonObject),
  );
  try {
    return await actExtended(parts, name, action, payload);
  } finally {
    // Without a caller's id, no other call can mean this act, unless a bound has ended this one.
    if (!isNamed && !isCutShort(parts)) await outbox.forget(name);
  }
}

function amountsInUnet(action: string, given: JsonObject): JsonObject {
  try {
    return inUnet(action, given);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw new AgentError('AMOUNT_INVALID', `${error.path}: ${JSON.stringify(error.given)}`);
  }
}

export async function actExtended(
  parts: AgentParts,
  name: string,
  action: string,
  payload: JsonObject,
): Promise<Receipt> {
  const { outbox } = parts;
  try {
    return await outbox.act(name, action, payload);
  } catch (error) {
    if (!(error instanceof NetError) || error.code !== 'CAPABILITY_MISSING') throw error;
    if (!(await permit(parts, action, payload))) throw error;
    return outbox.act(name, action, payload);
  }
}

async function completed(
  parts: AgentParts,
  name: string,
  action: string,
  given: JsonObject,
): Promise<JsonObject> {
  const { retryingClient, outbox, agentId } = parts;
  const known = await outbox.signed(name);
  if (known) {
    const isSame =
      known.action === action &&
      Object.entries(given).every(
        ([member, value]) =>
          Object.hasOwn(known.payload, member) &&
          canonicalize(known.payload[member]) === canonicalize(value),
      );
    if (!isSame) throw new AgentError('ACT_ID_USED', name.slice('own/'.length));
    return known.payload;
  }
  if (action === 'acceptWork') await requireScope(parts, given['orderId']);
  return completePayload(agentId, action, given, {
    height: () => retryingClient.height(),
    agent: (who) => retryingClient.read('/v1/agents/{agentId}', { agentId: who }),
  });
}

/**
 * Adds the capability that an act lacks, unless the node would refuse the act even with it. Older nodes
 * cannot tell.
 * @returns false if the chain refuses the capability
 * @throws NetError with the refusal, before anything is signed
 */
export async function permit(
  parts: AgentParts,
  action: string,
  payload: JsonObject,
): Promise<boolean> {
  const refusal = await refusalIfPermitted(parts, action, payload);
  if (refusal && refusal.code !== 'CAPABILITY_MISSING') throw refusalOf(refusal);
  return extend(parts, action);
}

async function refusalIfPermitted(
  { retryingClient, agentId }: AgentParts,
  action: string,
  payload: JsonObject,
): Promise<Simulation['refusal']> {
  const unsigned = { actorId: agentId, action, payload, capabilities: [action] };
  try {
    const { refusal } = await retryingClient.persist(() =>
      retryingClient.client.post<Simulation>('/v1/intents:simulate', unsigned),
    );
    return refusal;
  } catch (error) {
    // A node that cannot simulate this decides about the act itself.
    if (error instanceof NetError) return null;
    throw error;
  }
}

/** Adds one capability. Concurrent calls share one extension. Returns false if the chain refuses it. */
export async function extend(parts: AgentParts, action: string): Promise<boolean> {
  const { extending } = parts;
  let extension = extending.get(action);
  if (!extension) {
    extension = extendOnce(parts, action).finally(() => extending.delete(action));
    extending.set(action, extension);
  }
  return extension;
}

async function extendOnce({ outbox, agentId }: AgentParts, action: string): Promise<boolean> {
  const id = `extend/${action}`;
  try {
    await outbox.act(id, 'extendAgentCapabilities', { agentId, actions: [action] });
    await outbox.forget(id);
    return true;
  } catch (error) {
    if (!(error instanceof NetError) || error.path === '/expiresAtHeight') throw error;
    return error.code === 'CAPABILITIES_UNCHANGED';
  }
}

/**
 * Adds each capability that a refusal names as missing, and retries.
 * @param actions in payload order
 */
export async function withActions(
  parts: AgentParts,
  actions: readonly string[],
  operation: () => Promise<Receipt>,
): Promise<Receipt> {
  const added = new Set<string>();
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof NetError) || error.code !== 'SESSION_TOO_WIDE') throw error;
      const missing = actions[Number(error.path?.split('/').at(-1))];
      if (missing === undefined || added.has(missing)) throw error;
      added.add(missing);
      if (!(await extend(parts, missing))) throw error;
    }
  }
}
