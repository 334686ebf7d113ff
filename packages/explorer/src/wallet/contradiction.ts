/** Refuses to sign if the node's simulation contradicts the request's recipients or amounts. */
import type { JsonObject, JsonValue } from '@netd/protocol';
import type { Simulation } from '@netd/sdk/core';
import { textOf } from './json-text.ts';

type Expected = (payload: Readonly<Record<string, JsonValue>>, actorId: string) => JsonObject;

/** The event that each action must cause, with members that the payload determines. */
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
  acceptWork: [
    'WorkAccepted',
    (p, me) => ({
      workerId: me,
      orderId: p['orderId'] ?? null,
      workerBond: p['workerBond'] ?? 0,
    }),
  ],
  submitWorkResult: [
    'WorkResultSubmitted',
    (p, me) => ({
      workerId: me,
      orderId: p['orderId'] ?? null,
      deliverableHash: p['deliverableHash'] ?? null,
    }),
  ],
  openDispute: [
    'DisputeOpened',
    (p, me) => ({ actorId: me, orderId: p['orderId'] ?? null, bond: p['bond'] ?? null }),
  ],
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
  burnToken: [
    'TokenBurned',
    (p, me) => ({ actorId: me, tokenId: p['tokenId'] ?? null, amount: p['amount'] ?? null }),
  ],
  grantSession: [
    'SessionGranted',
    (p, me) => ({
      agentId: me,
      sessionId: p['sessionId'] ?? null,
      publicKeyHash: p['publicKeyHash'] ?? null,
      budget: p['budget'] ?? null,
    }),
  ],
  sendAgentMessage: [
    'AgentMessageSent',
    (p, me) => ({ fromAgentId: me, toAgentId: p['toAgentId'] ?? null }),
  ],
};

/** A dispute that answers another one has this event instead. */
const ANSWER: Readonly<Record<string, string>> = { DisputeOpened: 'DisputeAnswered' };

export function contradictionOf(envelope: JsonObject, simulation: Simulation): string | null {
  const { action, actorId, chainId } = envelope;
  if (!isReadable(simulation)) {
    return 'The simulation of the node cannot be read.';
  }
  if (simulation.chainId !== chainId) {
    return `The node simulated it on the chain ${simulation.chainId}, but the key is for ${textOf(chainId)}.`;
  }
  const expected = EVENTS[textOf(action)];
  if (!expected || simulation.outcome === 'refused') return null;
  const [type, membersOf] = expected;
  // A second event of the type would be another act.
  const told = simulation.events.filter(
    (event) => event.type === type || event.type === ANSWER[type],
  );
  if (told.length === 0) return `The node says that this would cause no ${type}.`;
  const members = membersOf(envelope['payload'] as JsonObject, textOf(actorId));
  for (const { type: kind, data } of told) {
    for (const [name, value] of Object.entries(members)) {
      // An answer's bond is smaller if the account holds less.
      const isLess = kind === ANSWER[type] && name === 'bond' && Number(data[name]) < Number(value);
      if (data[name] === value || isLess) continue;
      return `You asked for ${name} ${textOf(value)}, and the node says that it would be ${textOf(data[name])}.`;
    }
  }
  return told.length === 1 ? null : `The node says that this would cause ${type} more than once.`;
}

/** Checks the form, because a node may answer anything. */
function isReadable(simulation: Simulation): boolean {
  const { chainId, outcome, events, changes, refusal } = simulation as Loose<Simulation>;
  return (
    typeof chainId === 'string' &&
    Array.isArray(events) &&
    events.every((event) => typeof event?.type === 'string' && isObject(event.data)) &&
    Array.isArray(changes) &&
    changes.every((change) => typeof change?.key === 'string') &&
    (outcome === 'refused'
      ? typeof refusal?.code === 'string' && typeof refusal.detail === 'string'
      : outcome === 'accepted' && refusal === null)
  );
}

type Loose<T> = { [Member in keyof T]?: T[Member] | undefined };

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function balancesAfter(simulation: Simulation): { accountId: string; balance: number }[] {
  return simulation.changes.flatMap(({ key, value }) => {
    const balance = (value as { balance?: unknown } | null)?.balance;
    return key.startsWith('account/') && typeof balance === 'number'
      ? [{ accountId: key.slice('account/'.length), balance }]
      : [];
  });
}
