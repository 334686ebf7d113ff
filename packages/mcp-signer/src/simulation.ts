/** Simulates actions, so that the owner is not asked about one that the chain would refuse. */
import type { ErrorCode, JsonObject } from '@netd/protocol';
import { AgentError, type Agent, type NetError, type Simulation } from '@netd/sdk';
import { refusalOf } from '@netd/sdk/internal';
import type { Signer } from './signer.ts';

interface Simulated {
  action: 'acceptWork' | 'createWorkOrder' | 'openDispute' | 'transfer';
  payload: JsonObject;
  amount: number;
}

interface SessionFacts {
  spent: number;
}

export async function sessionFacts(
  { client, agentId }: Agent,
  { session: { sessionId } }: Signer,
): Promise<SessionFacts & { actions: string[]; budget: number; maxAmount: number | null }> {
  const { sessions } = await client.read('/v1/agents/{agentId}', { agentId });
  const session = sessions.find((one) => one.sessionId === sessionId);
  if (!session) throw new AgentError('SESSION_ENDED');
  return session;
}

/**
 * Simulates without a signature, because signed bytes could be sent before the owner approves.
 * @returns the node's warnings
 * @throws NetError with the code of the refusal
 */
export async function requireAccepted(
  agent: Agent,
  signer: Signer,
  { action, payload, amount }: Simulated,
): Promise<Simulation['warnings']> {
  const { actions, budget, spent, maxAmount } = await sessionFacts(agent, signer);
  if (!actions.includes(action)) throw refusalWith('SESSION_ACTION_MISSING');
  if (maxAmount !== null && amount > maxAmount) throw refusalWith('SESSION_AMOUNT_EXCEEDED');
  if (amount > budget - spent) throw refusalWith('SESSION_BUDGET_EXCEEDED');
  const { agentId: actorId, client } = agent;
  const { refusal, warnings } = await client.simulate({ actorId }, action, payload as never);
  // The agent adds missing capabilities when it acts.
  if (refusal && refusal.code !== 'CAPABILITY_MISSING') {
    throw refusalOf(refusal);
  }
  return warnings;
}

const refusalWith = (code: ErrorCode): NetError => refusalOf({ code });
