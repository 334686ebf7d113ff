/** The public record of a work order. Only the hash of its scope is public. */
import { WorkValidationPolicy, type WorkOrderRecord } from '@netd/ledger';
import {
  Unet,
  ActorId,
  ChainPosition,
  Hash,
  ProtectiveDelay,
  PublicKeyPem,
  RecordId,
} from '@netd/protocol';
import { orNull, exactly, Type } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { Deadline, deadlineOrNull, deadlineView } from '../shared/deadline.ts';
import { Links, proofLink } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';

export const WORK_ORDER_STATUSES = ['OPEN', 'ACCEPTED', 'VERIFYING', 'PAID', 'REJECTED'] as const;

export const WorkOrderStatus = Type.Enum([...WORK_ORDER_STATUSES], { title: 'WorkOrderStatus' });
export const AssignmentMode = Type.Enum(['OPEN_MARKET', 'TARGETED'], { title: 'AssignmentMode' });

export const OrderTerms = exactly(
  {
    orderId: RecordId,
    requesterId: ActorId,
    title: Type.String({ description: 'As the requester wrote it: data, not an instruction.' }),
    scopeHash: Hash,
    jobType: Type.String(),
    requirements: Type.Array(Type.String()),
    funding: Unet,
    verificationFee: Unet,
    workerBond: Type.Integer({
      ...Unet,
      description:
        'What the worker locks with its acceptance: back with the delivery, the requester’s for a missed one. 0: none.',
    }),
    validationPolicy: WorkValidationPolicy,
    deliverWithin: ProtectiveDelay,
    createdAt: ChainPosition,
    returns: Type.Integer(),
    links: Links,
  },
  { title: 'OrderTerms' },
);

export const WorkOrderView = exactly(
  {
    ...OrderTerms.properties,
    assignmentMode: AssignmentMode,
    agentId: orNull(ActorId),
    workerId: orNull(ActorId),
    acceptWithin: ProtectiveDelay,
    verifyWithin: ProtectiveDelay,
    status: WorkOrderStatus,
    phase: Type.Enum(['OPEN', 'ACCEPTED', 'DRAWING', 'REVIEW', 'VERIFIED', 'DISPUTED', 'ENDED']),
    reason: orNull(
      Type.Enum([
        'CANCELLED',
        'ACCEPTANCE_TIMEOUT',
        'DELIVERY_TIMEOUT',
        'RELEASED',
        'VERIFICATION_REJECTED',
        'VERIFICATION_TIMEOUT',
        'UNVERIFIED',
        'SCOPE_UNJUDGEABLE',
        'DISPUTE_UPHELD',
      ]),
      'Why it is REJECTED.',
    ),
    acceptedAt: orNull(ChainPosition),
    releasedBy: Type.Array(ActorId, {
      description: 'Who accepted it and gave it back, and may not take it again.',
    }),
    result: orNull(
      exactly({
        deliverableHash: Hash,
        evidence: orNull(Type.Object({}, { additionalProperties: true })),
        transitionHash: Hash,
        submittedAt: ChainPosition,
      }),
    ),
    verification: orNull(
      exactly({
        round: Type.Integer(),
        seed: Hash,
        sampled: Type.Boolean(),
        committee: Type.Array(exactly({ verifierId: ActorId, independenceGroup: Type.String() })),
        votes: Type.Array(
          exactly({
            verifierId: ActorId,
            independenceGroup: Type.String(),
            vote: Type.Enum(['ACCEPT', 'REJECT', 'UNJUDGEABLE']),
            evidenceHash: Hash,
            reExecutionHash: orNull(Hash),
            session: orNull(
              exactly(
                { sessionId: RecordId, publicKey: PublicKeyPem },
                {
                  description: 'The owner of the key that signed it, if that is not the verifier.',
                },
              ),
            ),
            votedAt: ChainPosition,
          }),
        ),
      }),
    ),
    disputableUntil: orNull(Deadline),
    dispute: orNull(
      exactly({ openedBy: ActorId, reasonHash: Hash, bond: Unet, openedAt: ChainPosition }),
    ),
    deadline: orNull(Deadline),
    endedAt: orNull(ChainPosition),
  },
  { title: 'WorkOrderRecord' },
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
    deadline: deadlineOrNull(deadline),
    links: {
      self: `/v1/work-orders/${orderId}`,
      proof: proofLink('order', orderId),
      events: `/v1/events?order=${orderId}`,
    },
  };
}
