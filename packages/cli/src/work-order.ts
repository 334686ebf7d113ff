import { NetError, type DocumentOf } from '@netd/sdk';
import type { ActorOptions } from './acting-agent.ts';
import { didYouMean, netText } from '@netd/protocol';
import { nextOfOrder, plainText } from '@netd/protocol/sentences';
import { UsageError } from './command-error.ts';
import { timeLeft } from './times.ts';
import type { OpenNode } from './node-address.ts';
import { factsText } from './output.ts';
import { oneLine } from './printable.ts';
import { programName, sameOptions } from './program-name.ts';
import type { Terminal } from './terminal.ts';

/** Returns the event that unlocks a worker's bond. */
export const bondReturn = ({ rulesVersion = 1 }: { rulesVersion?: number }): string =>
  rulesVersion > 1 ? 'the end of the order' : 'the delivery';

export type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export async function readOrder(
  { client }: OpenNode,
  orderId: string,
): Promise<DocumentOf<'/v1/work-orders/{orderId}'>> {
  try {
    return await client.read('/v1/work-orders/{orderId}', { orderId });
  } catch (error) {
    if (!(error instanceof NetError) || error.status !== 404) throw error;
    const { orders } = await client.read('/v1/work-orders', { limit: 1_000 });
    const ids = orders.map((order) => order.orderId);
    throw new UsageError(`there is no order ${orderId}${didYouMean(orderId, ids)}`);
  }
}

export function orderText(
  order: WorkOrder,
  network: OpenNode['network'],
  terminal: Terminal,
): string {
  const { verification: committee, result } = order;
  const { next, by } = nextOfOrder(order);
  const votes = committee?.votes ?? [];
  const accepts = votes.filter(({ vote }) => vote === 'ACCEPT').length;
  const { requiredAccepts, committeeSize } = order.validationPolicy;
  return `${terminal.paint('bold', order.orderId)}  ${oneLine(order.title)}\n${factsText([
    [
      'status',
      `${order.status}${order.reason === null ? '' : `, ${order.reason}`}: ${plainText(next, oneLine)}`,
    ],
    ['time left', timeLeft(by, network)],
    ['pays', netText(order.funding)],
    order.workerBond === 0
      ? null
      : ['bond', `${netText(order.workerBond)}, back with ${bondReturn(order)}`],
    ['from', order.requesterId],
    ['worker', order.workerId ?? (order.agentId === null ? 'any agent' : `only ${order.agentId}`)],
    [
      'type',
      `${oneLine(order.jobType)}${order.requirements.length === 0 ? '' : `, asks for ${oneLine(order.requirements.join(', '))}`}`,
    ],
    ['scope', order.scopeHash],
    result
      ? ['delivered', `${result.deliverableHash}, at height ${result.submittedAt.height}`]
      : null,
    committee
      ? [
          'committee',
          `${committee.committee.map(({ verifierId }) => verifierId).join(', ')}; ${accepts} of ${votes.length} votes accept`,
        ]
      : ['verified by', `${requiredAccepts} of ${committeeSize} verifiers`],
    order.dispute ? ['dispute', `opened by ${order.dispute.openedBy}`] : null,
  ])}`;
}

/** Returns the next command that the worker can type; null if there is none. */
export function nextLine(order: WorkOrder, options: ActorOptions): string | null {
  const next = (words: string): string =>
    `  Next: ${programName()} work ${words}${sameOptions(options)}`;
  switch (order.phase) {
    case 'OPEN':
      return next(`accept ${order.orderId}`);
    case 'ACCEPTED':
      return next(`submit ${order.orderId} FILE`);
    case 'VERIFIED':
    case 'UNJUDGED':
      return next(`settle ${order.orderId} --wait`);
    case 'VOTED_DOWN':
    case 'CONTESTED':
      return next(`dispute ${order.orderId} --reason TEXT`);
    default:
      return null;
  }
}
