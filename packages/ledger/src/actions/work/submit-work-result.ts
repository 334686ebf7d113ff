import { ActorId, FreeString, Hash, RecordId, Uri } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import {
  entering,
  holdsBondToTheEnd,
  leaveUnjudged,
  putOrder,
  requireOrder,
  unlockWorkerBond,
} from './order.ts';
import type { WorkOrderRecord } from './records.ts';

export const submitWorkResult = defineAction({
  name: 'submitWorkResult',
  summary:
    'Deliver: commit to the deliverable of an accepted order, which starts its verification.',
  grant: { AGENT: 'base' },
  payload: exactly({
    orderId: RecordId,
    agentId: ActorId,
    deliverableHash: Type.String({ ...Hash, description: 'Taken as given, never recomputed.' }),
    evidence: Type.Optional(
      exactly({
        schema: Type.Optional(Type.Literal('NET-WORK-EVIDENCE/1')),
        proofType: Type.Optional(
          Type.String({
            ...FreeString,
            description: 'One of proofTypes of the validation policy.',
          }),
        ),
        artifactHash: Type.Optional(Hash),
        uri: Type.Optional(Uri),
      }),
    ),
  }),
  actor: 'agentId',
  errors: [
    'WORK_ORDER_UNKNOWN',
    'WORK_ORDER_NOT_ACCEPTED',
    'NOT_WORK_AGENT',
    'PROOF_TYPE_UNACCEPTED',
  ],
  events: ['WorkResultSubmitted', 'WorkUnjudged'],

  check({ state }, { orderId, agentId, evidence }) {
    const order = requireOrder(state, orderId);
    requireThat(order.status === 'ACCEPTED', 'WORK_ORDER_NOT_ACCEPTED', '/payload/orderId');
    requireThat(order.workerId === agentId, 'NOT_WORK_AGENT', '/payload/orderId');
    const proofType = evidence?.proofType;
    const taken: readonly string[] = order.validationPolicy.proofTypes;
    requireThat(
      proofType === undefined || taken.includes(proofType),
      'PROOF_TYPE_UNACCEPTED',
      '/payload/evidence/proofType',
      () => `the order takes ${taken.join(', ')}`,
    );
    return order;
  },

  apply(context, payload, order) {
    const { state, transitionHash, emit } = context;
    const { orderId, agentId, deliverableHash, evidence } = payload;
    const { requesterId } = order;
    const isHeld = holdsBondToTheEnd(order);
    if (!isHeld) unlockWorkerBond(state, order);
    const delivered: WorkOrderRecord = {
      ...order,
      status: 'VERIFYING',
      ...entering('DRAWING', order, context),
      result: {
        deliverableHash,
        evidence: evidence ?? null,
        submittedAt: positionOf(context),
        transitionHash,
      },
    };
    putOrder(state, order, delivered);
    emit('WorkResultSubmitted', {
      deliverableHash,
      orderId,
      requesterId,
      workerBond: isHeld ? 0 : order.workerBond,
      workerId: agentId,
    });
    if (order.jury === 'none') leaveUnjudged(context, delivered, 'NO_JURY');
  },
});
