import { drawCommittee } from '../../actions/work/committee.ts';
import type { SystemTransition } from '../../transition.ts';
import { orderOf } from './order-of.ts';

export const drawWorkCommittee: SystemTransition = {
  summary: 'Draws the committee of an order whose result stands in an earlier block.',
  events: ['WorkCommitteeDrawn'],
  apply: (context, orderId) => drawCommittee(context, orderOf(context, orderId)),
};
