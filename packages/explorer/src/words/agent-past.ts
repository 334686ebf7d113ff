/** Facts about an agent or account, from its events alone. */
import { movesOf } from './money.ts';
import { textIn, type ChainEvent } from './stream.ts';

export interface AgentPast {
  /** Null if no event says it. */
  isOnline: boolean | null;
  status: string | null;
  keyHash: string | null;
  roles: string[];
  /** Jobs as the worker. */
  paidJobs: number;
  refusedJobs: number;
  /** Orders as the requester. */
  fundedOrders: number;
  votes: number;
  /** Unet. */
  received: number;
  spent: number;
}

/** Events that change whether an agent is online. */
const BEACONS: Readonly<Record<string, boolean>> = {
  BeaconPublished: true,
  BeaconWithdrawn: false,
  BeaconExpired: false,
};

/** @param events proven ones, newest first; some may be missing */
export function agentPast(agentId: string, events: readonly ChainEvent[]): AgentPast {
  const is = ({ data }: ChainEvent, member: string): boolean => data[member] === agentId;
  const newest = (isOne: (event: ChainEvent) => boolean): ChainEvent | undefined =>
    events.find(isOne);
  const many = (type: string, member: string): number =>
    events.filter((event) => event.type === type && is(event, member)).length;
  const beacon = newest((event) => event.type in BEACONS && is(event, 'agentId'));
  const status = newest((event) => event.type === 'AgentStatusChanged' && is(event, 'agentId'));
  const key = newest((event) => keyOf(event, agentId) !== null);
  const moves = events.flatMap(({ type, data }) => movesOf(type, data));
  const sum = (side: 'fromId' | 'toId'): number =>
    moves.reduce((all, move) => all + (move[side] === agentId ? move.amount : 0), 0);
  return {
    isOnline: beacon === undefined ? null : (BEACONS[beacon.type] ?? null),
    status: status === undefined ? null : textIn(status, 'to'),
    keyHash: key === undefined ? null : keyOf(key, agentId),
    roles: rolesOf(agentId, events),
    paidJobs: many('WorkOrderPaid', 'workerId'),
    refusedJobs: many('WorkOrderRejected', 'workerId'),
    fundedOrders: many('WorkOrderCreated', 'requesterId'),
    votes: many('WorkVoted', 'verifierId'),
    received: sum('toId'),
    spent: sum('fromId'),
  };
}

/** Returns the hash of the key that an event gives to the agent; null if it gives none. */
function keyOf(event: ChainEvent, agentId: string): string | null {
  switch (event.type) {
    case 'AgentRegistered':
      return event.data['agentId'] === agentId ? textIn(event, 'publicKeyHash') : null;
    case 'AgentKeyRotated':
      return event.data['agentId'] === agentId ? textIn(event, 'newKeyHash') : null;
    case 'AgentKeyRecovered':
      return event.data['recoveringAgentId'] === agentId ? textIn(event, 'newKeyHash') : null;
    default:
      return null;
  }
}

function rolesOf(agentId: string, events: readonly ChainEvent[]): string[] {
  const roles = new Set<string>();
  for (const event of events.toReversed()) {
    if (event.data['actorId'] !== agentId) continue;
    const role = textIn(event, 'role') ?? '';
    if (event.type === 'AuthorityInstalled') roles.add(role);
    if (event.type === 'RoleResigned') roles.delete(role);
    if (event.type === 'AuthorityRevoked') roles.clear();
  }
  return [...roles];
}
