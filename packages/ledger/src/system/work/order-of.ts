import type { WorkOrderRecord } from '../../actions/work/records.ts';
import type { ReadableState } from '../../state.ts';

/** @throws Error where there is none: a timer outlives no order */
export function orderOf({ state }: { state: ReadableState }, orderId: string): WorkOrderRecord {
  const order = state.get('order', orderId);
  if (!order) throw new Error(`there is no order ${orderId}`);
  return order;
}
