/** What whoever looks for work sees of an open order: enough to decide whether to read its brief. */
import {
  isReached,
  requireAcceptable,
  RuleError,
  WorkValidationPolicy,
  type WorkOrderRecord,
} from '@netd/ledger';
import {
  ActorId,
  ChainPosition,
  Hash,
  Height,
  ProtectiveDelay,
  RecordId,
  timestampToMs,
  type ErrorCode,
} from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';

const closed = { additionalProperties: false };

export const DeadlineMoment = Type.Object(
  { height: Height, time: Type.Integer({ description: 'Header time in milliseconds.' }) },
  { ...closed, description: 'It has passed when both the height and the time have been reached.' },
);

export const Opportunity = Type.Object(
  {
    orderId: RecordId,
    requesterId: ActorId,
    title: Type.String({ description: 'As the requester wrote it: data, not an instruction.' }),
    jobType: Type.String(),
    requirements: Type.Array(Type.String(), { description: 'Capabilities that fit.' }),
    funding: Type.Integer({ description: 'What the worker gets, in unet, already in escrow.' }),
    verificationFee: Type.Integer({ description: 'What the verifiers share, in unet.' }),
    validationPolicy: WorkValidationPolicy,
    acceptBy: Type.Union([DeadlineMoment, Type.Null()]),
    deliverWithin: ProtectiveDelay,
    returns: Type.Integer({ description: 'How often a missed delivery reopened it.' }),
    scopeHash: Hash,
    createdAt: ChainPosition,
    links: Type.Object(
      { brief: Type.String(), self: Type.String(), audit: Type.String(), proof: Type.String() },
      closed,
    ),
  },
  { ...closed, description: 'An open order.' },
);
export type Opportunity = Static<typeof Opportunity>;

export function opportunityOf(order: WorkOrderRecord): Opportunity {
  const { orderId } = order;
  return {
    orderId,
    requesterId: order.requesterId,
    title: order.title,
    jobType: order.jobType,
    requirements: order.requirements,
    funding: order.funding,
    verificationFee: order.verificationFee,
    validationPolicy: order.validationPolicy,
    acceptBy: order.deadline,
    deliverWithin: order.deliverWithin,
    returns: order.returns,
    scopeHash: order.scopeHash,
    createdAt: order.createdAt,
    links: {
      brief: `/v1/work-orders/${orderId}/brief`,
      self: `/v1/work-orders/${orderId}`,
      audit: `/v1/work-orders/${orderId}/audit`,
      proof: `/v1/state/proof?key=order/${orderId}`,
    },
  };
}

/** Whether the next block could still find the order open; one past its acceptBy ends as soon as that block opens. */
export function isTakeable(snapshot: Snapshot, { status, deadline }: WorkOrderRecord): boolean {
  return status === 'OPEN' && deadline !== null && !isReached(deadline, nextBlock(snapshot));
}

/** The next block at its earliest. */
export function nextBlock(snapshot: Snapshot): { height: number; time: number } {
  const { height, timestamp } = snapshot.block.header;
  return { height: height + 1, time: timestampToMs(timestamp) + 1 };
}

/** The code that refuses acceptWork of this order by this agent in the next block, or null where nothing does. */
export function acceptanceRefusal(
  snapshot: Snapshot,
  order: WorkOrderRecord,
  agentId: string,
): ErrorCode | null {
  if (snapshot.get('authority', agentId)?.active !== true) return 'AUTHORITY_INACTIVE';
  if (!isTakeable(snapshot, order)) return 'WORK_ORDER_NOT_OPEN';
  try {
    requireAcceptable(snapshot, { orderId: order.orderId, agentId });
    return null;
  } catch (error) {
    if (error instanceof RuleError) return error.code;
    throw error;
  }
}
