/** Lines of the event stream, newest first, with repeated events grouped. */
import { describeEvent, type Data, type EventLine } from '@netd/protocol/sentences';

export interface ChainEvent {
  id: string;
  height: number;
  type: string;
  data: Data;
}

/** Returns a member of an event's data; null if it is no text. */
export const textIn = ({ data }: Pick<ChainEvent, 'data'>, member: string): string | null => {
  const value = data[member];
  return typeof value === 'string' ? value : null;
};

export interface StreamLine extends EventLine {
  id: string;
  height: number;
  type: string;
  /** Number of events that this line stands for. `others` are the further agents in them. */
  times: number;
  others: string[];
  orderId: string | null;
}

const MOST_FACES = 6;
/** Number of lines to search for a group, because different events occur together. */
const LOOK_BACK = 3;

/** Events that are grouped if they follow each other and differ only in the agent. */
const GROUPED = new Set([
  'AgentCapabilitiesExtended',
  'AgentRegistered',
  'AuthorityInstalled',
  'BeaconExpired',
  'BeaconPublished',
  'FaucetPaid',
  'NameReserved',
  'NodeHeartbeatReceived',
  'OperatorApplicationSubmitted',
  'OperatorInvitationCreated',
  'Transferred',
  'ValidatorHeartbeatReceived',
  'WorkVoted',
]);

/** @param events newest first */
export function streamLines(events: readonly ChainEvent[]): StreamLine[] {
  const lines: StreamLine[] = [];
  for (const event of events) {
    const line = describeEvent(event.type, event.data);
    const order = textIn(event, 'orderId');
    const last = lines
      .slice(-LOOK_BACK)
      .findLast(({ type, orderId: its }) => type === event.type && its === order);
    if (last && GROUPED.has(event.type)) {
      last.times++;
      const { actor } = line;
      if (actor !== null && actor !== last.actor && !last.others.includes(actor)) {
        if (last.others.length < MOST_FACES) last.others.push(actor);
      }
      continue;
    }
    const { id, height, type } = event;
    lines.push({ ...line, id, height, type, times: 1, others: [], orderId: order });
  }
  return lines;
}
