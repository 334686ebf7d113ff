/** What of a payload follows from the schema and the chain, so that a person types only what is theirs to decide. */
import type { Action } from '@netd/ledger';
import { hashValue, type JsonObject } from '@netd/protocol';
import type { TSchema } from '@netd/protocol/type';
import type { NetClient } from '@netd/sdk';

const LIFETIME = 2_000;

/** The members that may be left out. */
export function filledIn(action: Action): Set<string> {
  const { properties, required } = membersOf(action);
  const names = Object.entries(properties)
    .filter(
      ([name, member]) =>
        required.includes(name) &&
        (constantOf(member) !== undefined || name === action.actor || name === 'expiresAtHeight'),
    )
    .map(([name]) => name);
  return new Set(action.name === 'publishBeacon' ? [...names, 'metadataHash', 'sequence'] : names);
}

export async function completePayload(
  client: NetClient,
  actorId: string,
  action: Action,
  given: JsonObject,
  height: number,
): Promise<JsonObject> {
  const payload = { ...given };
  const { properties } = membersOf(action);
  for (const name of filledIn(action)) {
    if (Object.hasOwn(payload, name)) continue;
    const constant = constantOf(properties[name]);
    if (constant !== undefined) payload[name] = constant;
    else if (name === action.actor) payload[name] = actorId;
    else if (name === 'expiresAtHeight') payload[name] = height + LIFETIME;
  }
  if (action.name === 'publishBeacon') {
    const { endpoint, capabilities, protocols } = payload;
    payload['metadataHash'] ??= hashValue({
      endpoint: endpoint ?? null,
      capabilities: capabilities ?? null,
      protocols: protocols ?? null,
    });
    if (payload['sequence'] === undefined) {
      const { beaconSequence } = await client.read('/v1/agents/{agentId}', { agentId: actorId });
      payload['sequence'] = beaconSequence + 1;
    }
  }
  return payload;
}

function membersOf({ payload }: Action): {
  properties: Record<string, TSchema>;
  required: readonly string[];
} {
  const { properties = {}, required = [] } = payload as {
    properties?: Record<string, TSchema>;
    required?: readonly string[];
  };
  return { properties, required };
}

function constantOf(schema: TSchema | undefined): string | boolean | undefined {
  const { const: constant } = (schema ?? {}) as { const?: unknown };
  return typeof constant === 'string' || typeof constant === 'boolean' ? constant : undefined;
}
