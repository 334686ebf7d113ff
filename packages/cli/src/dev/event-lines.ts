/** Chain events as sentences for a person at a terminal. */
import { netText } from '@netd/protocol';

export type Tone = 'green' | 'cyan' | 'yellow' | 'magenta' | 'blue' | 'red' | 'gray';

export interface EventLine {
  text: string;
  tone: Tone;
}

type Data = Record<string, unknown>;
type Describe = (data: Data, votes: Votes) => string;

const LONGEST_ID = 32;
const MAX_ORDERS = 1_000;

/** Shortens long ids in the middle. */
function shortId(value: unknown): string {
  const id = String(value);
  return id.length <= LONGEST_ID ? id : `${id.slice(0, 16)}…${id.slice(-8)}`;
}

const net = (unet: unknown): string => netText(Number(unet));

/** Vote counts of the committees whose drawing was seen. */
class Votes {
  private readonly orders = new Map<string, { cast: number; drawn: number }>();

  drawn(orderId: string, count: number): void {
    const cast = this.orders.get(orderId)?.cast ?? 0;
    if (this.orders.size >= MAX_ORDERS) this.orders.clear();
    this.orders.set(orderId, { cast, drawn: count });
  }

  cast(orderId: string): string {
    const order = this.orders.get(orderId);
    if (!order) return '';
    order.cast += 1;
    return ` (${order.cast} of ${order.drawn})`;
  }

  ended(orderId: string): void {
    this.orders.delete(orderId);
  }
}

/** Events with their own sentence. Others are shown by name. */
const EVENT_LINES: Readonly<Record<string, readonly [Tone, Describe]>> = {
  AgentRegistered: [
    'green',
    ({ agentId, referrerAgentId }) =>
      `${shortId(agentId)} joined${referrerAgentId ? `, recruited by ${shortId(referrerAgentId)}` : ''}`,
  ],
  BeaconPublished: ['gray', ({ agentId }) => `${shortId(agentId)} says where it is`],
  FaucetPaid: [
    'gray',
    ({ actorId, amount }) => `${shortId(actorId)} draws ${net(amount)} from the faucet`,
  ],
  Transferred: [
    'gray',
    ({ fromActorId, toActorId, amount }) =>
      `${shortId(fromActorId)} sends ${net(amount)} to ${shortId(toActorId)}`,
  ],
  WorkOrderCreated: [
    'cyan',
    ({ requesterId, agentId, funding, orderId }) =>
      `${shortId(requesterId)} offers ${net(funding)} for ${shortId(orderId)}${agentId ? `, to ${shortId(agentId)}` : ''}`,
  ],
  WorkAccepted: [
    'cyan',
    ({ workerId, orderId }) => `${shortId(workerId)} takes ${shortId(orderId)}`,
  ],
  WorkResultSubmitted: [
    'cyan',
    ({ workerId, orderId }) => `${shortId(workerId)} delivers ${shortId(orderId)}`,
  ],
  WorkCommitteeDrawn: [
    'gray',
    ({ orderId, verifierIds }, votes) => {
      const count = (verifierIds as unknown[]).length;
      votes.drawn(String(orderId), count);
      return count === 0
        ? `there are too few verifiers for ${shortId(orderId)}`
        : `${count} verifiers are drawn for ${shortId(orderId)}`;
    },
  ],
  WorkVoted: [
    'yellow',
    ({ verifierId, vote, orderId }, votes) =>
      `${shortId(verifierId)} ${vote === 'ACCEPT' ? 'accepts' : 'rejects'} ${shortId(orderId)}${votes.cast(String(orderId))}`,
  ],
  WorkVerified: [
    'yellow',
    ({ orderId }) => `${shortId(orderId)} is verified; the dispute window is open`,
  ],
  WorkOrderPaid: [
    'green',
    ({ workerId, paid, orderId }, votes) => {
      votes.ended(String(orderId));
      return `${shortId(workerId)} is paid ${net(paid)} for ${shortId(orderId)}`;
    },
  ],
  WorkOrderRejected: [
    'red',
    ({ orderId, reason, refund }, votes) => {
      votes.ended(String(orderId));
      return `${shortId(orderId)} ends unpaid (${words(reason)}); ${net(refund)} go back`;
    },
  ],
  WorkReleased: [
    'yellow',
    ({ workerId, orderId }) => `${shortId(workerId)} gives ${shortId(orderId)} back`,
  ],
  WorkOrderReopened: [
    'red',
    ({ workerId, orderId }) =>
      `${shortId(orderId)} is open again, not done by ${shortId(workerId)}`,
  ],
  DisputeOpened: [
    'red',
    ({ actorId, orderId }) => `${shortId(actorId)} disputes ${shortId(orderId)}`,
  ],
  AgentMessageSent: [
    'magenta',
    ({ fromAgentId, toAgentId }) =>
      `${shortId(fromAgentId)} writes to ${shortId(toAgentId)}, sealed`,
  ],
  AgentMessageAcknowledged: [
    'magenta',
    ({ fromAgentId, toAgentId, status }) =>
      `${shortId(toAgentId)} has ${status === 'REJECTED' ? 'refused' : 'read'} what ${shortId(fromAgentId)} wrote`,
  ],
  MemoryCheckpointCommitted: [
    'blue',
    ({ agentId, generation }) =>
      `${shortId(agentId)} commits generation ${String(generation)} of its memory`,
  ],
  MemoryHandoverFinalized: [
    'blue',
    ({ agentId }) => `${shortId(agentId)} has moved to another runtime`,
  ],
  AgentCapabilitiesExtended: [
    'gray',
    ({ agentId }) => `${shortId(agentId)} extends what it may do`,
  ],
  OperatorApplicationSubmitted: [
    'gray',
    ({ actorId, role }) => `${shortId(actorId)} applies to be ${words(role)}`,
  ],
  OperatorInvitationCreated: [
    'gray',
    ({ actorId, approvedBy }) =>
      `${shortId(approvedBy ?? 'the policy')} approves ${shortId(actorId)}`,
  ],
  AuthorityInstalled: [
    'green',
    ({ actorId, role }) => `${shortId(actorId)} becomes ${words(role)}`,
  ],
};

/** Events that another event of the same transition covers. */
const SAID_ELSEWHERE = new Set(['ReferralRecorded']);

/** Fields that name the subject of an event without its own sentence. */
const SUBJECTS = ['agentId', 'actorId', 'validatorId', 'proposerId', 'verifierId', 'orderId'];

/** Turns events into lines, and counts votes. */
export class EventLines {
  private readonly votes = new Votes();

  /** Returns null if another line covers it. */
  describe({ type, data }: { type: string; data: Data }): EventLine | null {
    if (SAID_ELSEWHERE.has(type)) return null;
    const known = EVENT_LINES[type];
    if (known) {
      const [tone, describe] = known;
      return { tone, text: describe(data, this.votes) };
    }
    const subject = SUBJECTS.map((member) => data[member]).find((id) => typeof id === 'string');
    const what = words(type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '));
    return { tone: 'gray', text: subject === undefined ? what : `${shortId(subject)}: ${what}` };
  }
}

function words(value: unknown): string {
  return String(value).replaceAll('_', ' ').toLowerCase();
}
