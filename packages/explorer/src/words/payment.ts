/** What a proven order says about the payment that a worker in the page reported. */
import type { Data } from '@netd/protocol/sentences';

interface Reported {
  agentId: string;
  /** Unet. */
  paid: number;
}

/**
 * Returns the facts that the events of the order contradict.
 * @param events all proven events of the order
 * @param payer the agent whose job it should be
 */
export function paymentFaults(
  { agentId, paid }: Reported,
  events: readonly { type: string; data: Data }[],
  payer: string,
): string[] {
  const payment = events.find(({ type }) => type === 'WorkOrderPaid')?.data;
  if (payment === undefined) return ['payment'];
  const expected: [string, unknown, unknown][] = [
    ['requester', payment['requesterId'], payer],
    ['worker', payment['workerId'], agentId],
    ['amount', payment['paid'], paid],
  ];
  return expected.flatMap(([name, found, wanted]) => (found === wanted ? [] : [name]));
}
