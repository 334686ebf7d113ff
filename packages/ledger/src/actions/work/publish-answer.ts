import { RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { requireThat } from '../../rule-error.ts';
import { putVerifier } from '../operators/verifier-roster.ts';
import { putOrder, requireOrder } from './order.ts';
import type { WorkOrderRecord } from './records.ts';
import { MEASURED_ANSWERS } from './validation-policy.ts';

export const publishAnswer = defineAction({
  name: 'publishAnswer',
  since: 2,
  summary:
    'Publish what jurors should have voted on an ended order whose answer you knew. The counters of its jurors show who did.',
  grant: OPERATOR_ONLY,
  payload: exactly({ orderId: RecordId, answer: Type.Enum([...MEASURED_ANSWERS]) }),
  errors: ['WORK_ORDER_UNKNOWN', 'WORK_NOT_MEASURED'],
  events: ['AnswerPublished'],

  check({ state }, { orderId }) {
    const order = requireOrder(state, orderId);
    const juries = [order.firstVerification, order.verification].filter(
      (jury) => jury !== null && jury !== undefined,
    );
    const isOpen = order.phase === 'ENDED' && order.knownAnswer === undefined;
    requireThat(
      isOpen && juries.some(({ votes }) => votes.length > 0),
      'WORK_NOT_MEASURED',
      '/payload/orderId',
    );
    return { order, juries };
  },

  apply({ state, authority, emit }, { orderId, answer }, { order, juries }) {
    const answered = Object.entries({ ...order, knownAnswer: answer });
    const inOrder = answered.toSorted(([a], [b]) => (a < b ? -1 : 1));
    putOrder(state, order, Object.fromEntries(inOrder) as WorkOrderRecord);
    for (const { committee, votes } of juries) {
      for (const { verifierId } of committee) {
        const verifier = state.get('verifier', verifierId);
        if (!verifier) continue;
        const cast = votes.find((vote) => vote.verifierId === verifierId)?.vote;
        const { agreed, silent, wrong } = verifier.measured ?? { agreed: 0, silent: 0, wrong: 0 };
        const isSilent = cast === undefined || cast === 'UNJUDGEABLE';
        putVerifier(state, {
          ...verifier,
          measured: {
            agreed: agreed + Number(cast === answer),
            silent: silent + Number(isSilent),
            wrong: wrong + Number(!isSilent && cast !== answer),
          },
        });
      }
    }
    const { requesterId } = order;
    emit('AnswerPublished', { answer, operatorId: authority.actorId, orderId, requesterId });
  },
});
