import { drawCommittee } from '../../actions/work/committee.ts';
import { rejectOrder } from '../../actions/work/order.ts';
import type { WorkOrderRecord } from '../../actions/work/records.ts';
import type { WritableState } from '../../state.ts';
import type { SystemTransition } from '../../transition.ts';
import { orderOf } from './order-of.ts';

export const timeOutWorkVerification: SystemTransition = {
  summary:
    'The committee did not decide in time: it is drawn again once, then the order ends with a refund.',
  events: ['WorkCommitteeDrawn', 'WorkOrderRejected'],
  apply(context, orderId) {
    const order = orderOf(context, orderId);
    countMissedVotes(context.state, order);
    if (order.verification?.round === 1) drawCommittee(context, order);
    else {
      const isAsked = (order.verification?.votes.length ?? 0) > 0;
      rejectOrder(context, order, isAsked ? 'VERIFICATION_TIMEOUT' : 'UNVERIFIED');
    }
  },
};

function countMissedVotes(state: WritableState, { verification }: WorkOrderRecord): void {
  const voted = new Set(verification?.votes.map(({ verifierId }) => verifierId));
  for (const { verifierId } of verification?.committee ?? []) {
    const verifier = state.get('verifier', verifierId);
    if (!verifier || voted.has(verifierId)) continue;
    state.put('verifier', verifierId, { ...verifier, votesMissed: verifier.votesMissed + 1 });
  }
}
