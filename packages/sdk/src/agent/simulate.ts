import { ERROR_TABLE, type ErrorCode, type JsonObject } from '@netd/protocol';
import type { Simulation } from '../client.ts';
import { NetError, soundProblem } from '../http.ts';
import { extend } from './own-acts.ts';
import type { AgentParts } from './parts.ts';

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
  if (refusal?.code === 'CAPABILITY_MISSING' && (await extend(parts, action))) {
    ({ refusal, warnings } = await asked());
  }
  if (refusal) throw refusalOf(refusal);
  return warnings;
}

export function refusalOf(
  refusal: Pick<NonNullable<Simulation['refusal']>, 'code'> &
    Partial<NonNullable<Simulation['refusal']>>,
): NetError {
  const { code, detail = '', errors = [] } = refusal;
  const { status, title } = ERROR_TABLE[code as ErrorCode] ?? { status: 409, title: '' };
  const problem = soundProblem({ code, status, title, detail, errors });
  return problem ? new NetError(status, problem) : new NetError(200, null);
}
