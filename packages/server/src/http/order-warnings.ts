import { orderWarnings } from '@netd/documents';
import type { HttpContext } from './context.ts';

export type Warnings = ReturnType<typeof orderWarnings>;

export function warningsOf(context: Pick<HttpContext, 'read'>, orderId: string): Warnings {
  return context.read((snapshot) => {
    const order = snapshot.get('order', orderId);
    return order?.status === 'OPEN' ? orderWarnings(snapshot, order, order.agentId) : [];
  });
}
