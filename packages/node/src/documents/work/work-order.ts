/** NET-WORK-ORDER/1: the public record of a work order; its scope is known by its hash only. */
import { WorkValidationPolicy, type WorkOrderRecord } from '@netd/ledger';
import { ActorId, ChainPosition, Hash, ProtectiveDelay, RecordId } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { ApiError } from '../../chain/api-error.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { Deadline, deadlineView } from '../shared/deadline.ts';
import { orNull } from '../shared/or-null.ts';
import { Links, proofLink } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';

export const WORK_ORDER_STATUSES = ['OPEN', 'ACCEPTED', 'VERIFYING', 'PAID', 'REJECTED'] as const;
export const ASSIGNMENT_MODES = ['OPEN_MARKET', 'TARGETED'] as const;

const closed = { additionalProperties: false };
export const WorkOrderView = Type.Object(
  {
    orderId: RecordId,
    requesterId: ActorId,
    assignmentMode: Type.Enum([...ASSIGNMENT_MODES]),
    agentId: orNull(ActorId, 'The agent a TARGETED order names.'),
    workerId: orNull(ActorId, 'The agent that has accepted it.'),
    title: Type.String(),
    scopeHash: Hash,
    jobType: Type.String(),
    requirements: Type.Array(Type.String()),
    funding: Type.Integer({ description: 'What the worker gets, in unet.' }),
    verificationFee: Type.Integer({ description: 'What the verifiers share, in unet.' }),
    workerBond: Type.Integer({
      description:
        'What the worker locks with its acceptance, in unet: back with the delivery, the requester’s for a missed one. 0: none.',
    }),
    validationPolicy: WorkValidationPolicy,
    acceptWithin: ProtectiveDelay,
    deliverWithin: ProtectiveDelay,
    verifyWithin: ProtectiveDelay,
    status: Type.Enum([...WORK_ORDER_STATUSES]),
    phase: Type.Enum(['OPEN', 'ACCEPTED', 'DRAWING', 'REVIEW', 'VERIFIED', 'DISPUTED', 'ENDED']),
    reason: orNull(
      Type.Enum([
        'CANCELLED',
        'ACCEPTANCE_TIMEOUT',
        'DELIVERY_TIMEOUT',
        'VERIFICATION_REJECTED',
        'VERIFICATION_TIMEOUT',
        'DISPUTE_UPHELD',
      ]),
      'Why it is REJECTED.',
    ),
    createdAt: ChainPosition,
    acceptedAt: orNull(ChainPosition),
    returns: Type.Integer({ description: 'How often a missed delivery reopened it.' }),
    result: orNull(
      Type.Object(
        {
          deliverableHash: Hash,
          evidence: orNull(Type.Object({}, { additionalProperties: true })),
          transitionHash: Hash,
          submittedAt: ChainPosition,
        },
        closed,
      ),
    ),
    verification: orNull(
      Type.Object(
        {
          round: Type.Integer(),
          seed: Hash,
          sampled: Type.Boolean(),
          committee: Type.Array(
            Type.Object({ verifierId: ActorId, independenceGroup: Type.String() }, closed),
          ),
          votes: Type.Array(
            Type.Object(
              {
                verifierId: ActorId,
                independenceGroup: Type.String(),
                vote: Type.Enum(['ACCEPT', 'REJECT']),
                evidenceHash: Hash,
                reExecutionHash: orNull(Hash),
                votedAt: ChainPosition,
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
    disputableUntil: orNull(Deadline, 'Up to when requester and worker may dispute.'),
    dispute: orNull(
      Type.Object(
        { openedBy: ActorId, reasonHash: Hash, bond: Type.Integer(), openedAt: ChainPosition },
        closed,
      ),
    ),
    deadline: orNull(Deadline, 'When the phase ends by itself.'),
    endedAt: orNull(ChainPosition),
    links: Links,
  },
  {
    title: 'WorkOrderRecord',
    additionalProperties: false,
    description: 'The public record of a work order.',
  },
);

export const workOrder = defineDocument({
  name: 'NET-WORK-ORDER/1',
  route: '/v1/work-orders/:orderId',
  operationId: 'getWorkOrder',
  tag: 'work',
  summary: 'One work order',
  description: 'One work order.',
  path: { orderId: RecordId },
  canMiss: true,
  content: { order: WorkOrderView },
  build: (snapshot, { orderId }) => ({ order: workOrderView(orderAt(snapshot, orderId)) }),
});

/** @throws ApiError WORK_ORDER_NOT_FOUND */
export function orderAt(snapshot: Snapshot, orderId: string): WorkOrderRecord {
  const order = snapshot.get('order', orderId);
  if (!order) throw new ApiError('WORK_ORDER_NOT_FOUND');
  return order;
}

export function workOrderView(order: WorkOrderRecord) {
  const { disputableUntil, deadline, ...view } = order;
  const { orderId } = order;
  return {
    ...view,
    disputableUntil: disputableUntil && deadlineView(disputableUntil),
    deadline: deadline && deadlineView(deadline),
    links: {
      self: `/v1/work-orders/${orderId}`,
      proof: proofLink('order', orderId),
      events: `/v1/events?order=${orderId}`,
    },
  };
}
