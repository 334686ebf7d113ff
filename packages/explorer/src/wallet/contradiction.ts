/**
 * Whether what the node says an act would do is what was asked for. The node sees the act only as it is: where it speaks of another
 * recipient or another amount, it lies or is broken, and nothing is signed.
 */
import type { JsonObject, JsonValue } from '@netd/protocol';
import type { Simulation } from '@netd/sdk/core';
import { textOf } from './json-text.ts';

type Expected = (payload: Readonly<Record<string, JsonValue>>, actorId: string) => JsonObject;

/** The event that each of these acts has, with the members that follow from what is signed. */
const EVENTS: Readonly<Record<string, readonly [type: string, Expected]>> = {
  transfer: [
    'Transferred',
    (p, me) => ({ fromActorId: me, toActorId: p['to'] ?? null, amount: p['amount'] ?? null }),
  ],
  faucet: ['FaucetPaid', (p, me) => ({ actorId: me, amount: p['amount'] ?? null })],
  createWorkOrder: [
    'WorkOrderCreated',
    (p, me) => ({ requesterId: me, orderId: p['orderId'] ?? null, funding: p['funding'] ?? null }),
  ],
  acceptWork: ['WorkAccepted', (p, me) => ({ workerId: me, orderId: p['orderId'] ?? null })],
  delegate: [
    'StakeDelegated',
    (p, me) => ({
      actorId: me,
      validatorId: p['validatorId'] ?? null,
      amount: p['amount'] ?? null,
    }),
  ],
  transferToken: [
    'TokenTransferred',
    (p, me) => ({
      fromActorId: me,
      toActorId: p['to'] ?? null,
      tokenId: p['tokenId'] ?? null,
      amount: p['amount'] ?? null,
    }),
  ],
  sendAgentMessage: [
    'AgentMessageSent',
    (p, me) => ({ fromAgentId: me, toAgentId: p['toAgentId'] ?? null }),
  ],
};

/** A sentence, or null where nothing speaks against it. */
export function contradictionOf(envelope: JsonObject, simulation: Simulation): string | null {
  const { action, actorId, chainId } = envelope;
  if (simulation.chainId !== chainId) {
    return `The node tried it out on the chain ${simulation.chainId}, and the key is for ${textOf(chainId)}.`;
  }
  const expected = EVENTS[textOf(action)];
  if (!expected || simulation.outcome === 'refused') return null;
  const [type, membersOf] = expected;
  const told = simulation.events.find((event) => event.type === type)?.data;
  if (!told) return `The node says that this would cause no ${type}.`;
  const members = membersOf(envelope['payload'] as JsonObject, textOf(actorId));
  for (const [name, value] of Object.entries(members)) {
    if (told[name] !== value) {
      return `You asked for ${name} ${textOf(value)}, and the node says that it would be ${textOf(told[name])}.`;
    }
  }
  return null;
}

/** How much the balance of each account would change, by the simulation. */
export function balancesAfter(simulation: Simulation): { accountId: string; balance: number }[] {
  return simulation.changes.flatMap(({ key, value }) => {
    const balance = (value as { balance?: unknown } | null)?.balance;
    return key.startsWith('account/') && typeof balance === 'number'
      ? [{ accountId: key.slice('account/'.length), balance }]
      : [];
  });
}
