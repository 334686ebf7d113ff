/** What the owner of an agent has it do by name: each once, whatever dies in between. */
import { bytesToHex, type JsonObject, type Receipt } from '@netd/protocol';
import { NetError } from '../http.ts';
import { AgentError } from './agent-error.ts';
import type { AgentParts } from './parts.ts';

/** Does one action; see `Agent.act`. */
export async function actOnce(
  parts: AgentParts,
  action: string,
  payload: JsonObject,
  id: string | undefined,
): Promise<Receipt> {
  const { outbox } = parts;
  const name = `own/${id ?? bytesToHex(crypto.getRandomValues(new Uint8Array(16)))}`;
  if (id !== undefined && !(await outbox.isFree(name, action, payload))) {
    throw new AgentError('ACT_ID_USED', id);
  }
  let receipt: Receipt;
  try {
    receipt = await outbox.act(name, action, payload);
  } catch (error) {
    if (!(error instanceof NetError) || error.code !== 'CAPABILITY_MISSING') throw error;
    if (!(await extend(parts, action))) throw error;
    receipt = await outbox.act(name, action, payload);
  }
  if (id === undefined) await outbox.forget(name);
  return receipt;
}

/** Adds an action of the policy set to what the agent may do. @returns false where it is none of those */
async function extend({ outbox, agentId }: AgentParts, action: string): Promise<boolean> {
  const id = `extend/${action}`;
  try {
    await outbox.act(id, 'extendAgentCapabilities', { agentId, actions: [action] });
    await outbox.forget(id);
    return true;
  } catch (error) {
    if (error instanceof NetError) return false;
    throw error;
  }
}
