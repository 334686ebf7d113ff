import { describeEvent, plainText, type Tone } from '@netd/protocol/sentences';

export interface EventLine {
  text: string;
  tone: Tone;
}

const LONGEST_ID = 32;
const MAX_ORDERS = 1_000;

function shortId(id: string): string {
  return id.length <= LONGEST_ID ? id : `${id.slice(0, 16)}…${id.slice(-8)}`;
}

/** Events that need no line, because another event of the same transition says the same. */
const SAID_ELSEWHERE = new Set(['ReferralRecorded']);

export class EventLines {
  private readonly votes = new Map<string, { cast: number; drawn: number }>();

  describe({ type, data }: { type: string; data: Record<string, unknown> }): EventLine | null {
    if (SAID_ELSEWHERE.has(type)) return null;
    const { tone, parts } = describeEvent(type, data);
    return { tone, text: plainText(parts, shortId) + this.counted(type, data) };
  }

  private counted(type: string, { orderId, verifierIds }: Record<string, unknown>): string {
    const id = String(orderId);
    const order = this.votes.get(id);
    if (type === 'WorkCommitteeDrawn') {
      if (this.votes.size >= MAX_ORDERS) this.votes.clear();
      this.votes.set(id, { cast: order?.cast ?? 0, drawn: (verifierIds as unknown[]).length });
    } else if (type === 'WorkOrderPaid' || type === 'WorkOrderRejected') this.votes.delete(id);
    if (type !== 'WorkVoted' || !order) return '';
    order.cast += 1;
    return ` (${order.cast} of ${order.drawn})`;
  }
}
