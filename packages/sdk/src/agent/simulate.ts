import type { JsonObject } from '@netd/protocol';
import type { Simulation } from '../client.ts';
import { permit } from './own-acts.ts';
import type { AgentParts } from './parts.ts';
import { refusalOf } from './refusal-of.ts';

/**
 * Simulates an act, after adding a missing capability. Returns the node's warnings; undefined from older
 * nodes.
 */
export async function requireAcceptable(
  parts: AgentParts,
  action: string,
  payload: JsonObject,
): Promise<Simulation['warnings'] | undefined> {
  const { retryingClient, agentId } = parts;
  const asked = (): Promise<Simulation> =>
    retryingClient.persist(() =>
      retryingClient.client.simulate({ actorId: agentId }, action, payload),
    );
  let { refusal, warnings } = await asked();
  if (refusal?.code === 'CAPABILITY_MISSING' && (await permit(parts, action, payload))) {
    ({ refusal, warnings } = await asked());
  }
  if (refusal) throw refusalOf(refusal);
  return warnings;
}
