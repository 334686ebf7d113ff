import {
  ActorId,
  Amount,
  ConditionKinds,
  Hash,
  RecordId,
  verificationFeeOf,
  WorkSpan,
  type WorkPolicy,
} from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { requireBalance } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import type { PolicyRecord } from '../../chain-records.ts';
import { isShorter } from '../../deadline.ts';
import type { WorkOrderRecord } from './records.ts';
import { requireThat } from '../../rule-error.ts';
import { isNamePaid } from '../../name-price.ts';
import { positionOf } from '../../transition.ts';
import { rosterOf } from '../operators/verifier-roster.ts';
import { requireJury } from './committee.ts';
import {
  addToWorkStats,
  entering,
  fundOrder,
  MAX_OPEN_ORDERS,
  MAX_UNPAID_OPEN_ORDERS,
  putOrder,
  workStatsOf,
} from './order.ts';
import { DEFAULT_VALIDATION_POLICY, WorkValidationPolicy } from './validation-policy.ts';

const span = (description: string) =>
  Type.Object(WorkSpan.properties, { ...WorkSpan, description });

export const createWorkOrder = defineAction({
  name: 'createWorkOrder',
  summary: 'Create a work order with its funding in escrow, for one agent or for the open market.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({
    orderId: RecordId,
    agentId: Type.Optional(
      Type.String({
        ...ActorId,
        description: 'The one agent that may accept it; left out, the order is on the open market.',
      }),
    ),
    title: Type.String({
      minLength: 1,
      maxLength: 140,
      description: 'Public. What is private goes into the scope.',
    }),
    scopeHash: Type.String({ ...Hash, description: 'Commitment to the private scope.' }),
    acceptanceHash: Type.Optional(
      Type.String({
        ...Hash,
        description:
          'SHA-256 of the NET-ACCEPTANCE/1 of the scope. With it you or the worker can prove a verdict, which publishes conditions and result.',
      }),
    ),
    jobType: Type.String({ minLength: 1, maxLength: 128 }),
    requirements: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 32,
        uniqueItems: true,
        description: 'Capabilities that fit, as in beacons.',
      }),
    ),
    funding: Type.Integer({ ...Amount, description: 'What the worker gets, in unet.' }),
    verificationFeeBps: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5_000,
        description:
          'What the verifiers share, on top of the funding, in 1/10,000 of it; as genesis says where left out.',
      }),
    ),
    workerBond: Type.Optional(
      Type.Integer({
        ...Amount,
        description:
          'The bond in unet that the worker locks when it accepts, at most the funding. It returns on delivery, from version 2 of the rules on when the order ends; without delivery in time it is yours.',
      }),
    ),
    validationPolicy: Type.Optional(WorkValidationPolicy),
    jury: Type.Optional(
      Type.Literal('none', {
        description:
          'No jury and no fee: a delivery is paid unless you contest it within verifyWithin. A sealed scope needs it, because no jury can read it.',
      }),
    ),
    conditionKinds: Type.Optional(
      Type.Array(ConditionKinds.items, {
        ...ConditionKinds,
        description: 'Of the scope, in public. Only verifiers that judge all are drawn.',
      }),
    ),
    sealedVotes: Type.Optional(
      Type.Boolean({
        description:
          'True: verifiers commit to their votes first and reveal them together, so that none can copy another. Left out: true for juries of three and more.',
      }),
    ),
    acceptWithin: Type.Optional(span('From creation; then the order ends with a refund.')),
    deliverWithin: Type.Optional(span('From acceptance; at least minimumSpans of the policy.')),
    verifyWithin: Type.Optional(
      span('From each drawing of a committee; at least minimumSpans of the policy.'),
    ),
  }),
  memberSpans: {
    acceptanceHash: { since: 2 },
    conditionKinds: { since: 2 },
    jury: { since: 2 },
    sealedVotes: { since: 2 },
  },
  agentIdIsTarget: true,
  bareActor: 'requesterId',
  spends: {
    member: 'funding',
    amount: (payload, { work }) => payload.funding + feeOf(payload, work),
  },
  errors: [
    'WORK_ORDER_EXISTS',
    'WORK_POLICY_INVALID',
    'WORK_SPAN_TOO_SHORT',
    'WORK_JURY_UNAVAILABLE',
    'WORKER_BOND_INVALID',
    'REQUESTER_IS_WORKER',
    'AGENT_UNKNOWN',
    'AGENT_INACTIVE',
    'WORK_ORDER_LIMIT',
    'INSUFFICIENT_BALANCE',
  ],
  events: ['WorkOrderCreated'],

  check(context, payload): WorkOrderRecord {
    const { state, block, authority, policy, rules } = context;
    const { orderId, agentId, funding, jury, acceptanceHash, conditionKinds, sealedVotes } =
      payload;
    requireThat(!state.get('order', orderId), 'WORK_ORDER_EXISTS', '/payload/orderId');
    const validationPolicy = payload.validationPolicy ?? DEFAULT_VALIDATION_POLICY;
    const { requiredAccepts, minIndependentGroups, committeeSize } = validationPolicy;
    requireThat(
      requiredAccepts <= committeeSize && minIndependentGroups <= requiredAccepts,
      'WORK_POLICY_INVALID',
      '/payload/validationPolicy',
    );
    const deliverWithin = payload.deliverWithin ?? policy.work.deliverWithin;
    const verifyWithin = payload.verifyWithin ?? policy.work.verifyWithin;
    requireSpans(policy, { deliverWithin, verifyWithin });
    const workerBond = payload.workerBond ?? 0;
    if (workerBond > 0) requireFairBond(policy, { funding, workerBond, deliverWithin });
    if (agentId !== undefined) {
      const path = '/payload/agentId';
      requireThat(agentId !== authority.actorId, 'REQUESTER_IS_WORKER', path);
      const agent = state.get('agent', agentId);
      requireThat(agent, 'AGENT_UNKNOWN', path);
      requireThat(agent.status === 'active', 'AGENT_INACTIVE', path);
    }
    // A network without any verifier still waits for its first ones. acceptWork checks again.
    if (rules.atLeast(2) && jury === undefined && rosterOf(state).length > 0) {
      requireJury(state, validationPolicy, {
        parties: [authority.actorId, ...(agentId === undefined ? [] : [agentId])],
        bondedBefore: block.height + 1,
        canVoteAtHeight: block.height,
        conditionKinds,
        rules,
        path: conditionKinds ? '/payload/conditionKinds' : '/payload/validationPolicy',
      });
    }
    const mostOpen = isNamePaid(state, policy, authority)
      ? MAX_OPEN_ORDERS
      : MAX_UNPAID_OPEN_ORDERS;
    requireThat(
      workStatsOf(state, authority.actorId).openOrders < mostOpen,
      'WORK_ORDER_LIMIT',
      '/payload',
      () => `it may have ${mostOpen} open orders`,
    );
    const verificationFee = feeOf(payload, policy.work);
    requireBalance(state, authority.actorId, funding + verificationFee, '/payload/funding');
    const acceptWithin = payload.acceptWithin ?? policy.work.acceptWithin;
    const spans = { orderId, acceptWithin, deliverWithin, verifyWithin, disputableUntil: null };
    const { phase, deadline } = entering('OPEN', spans, context);
    return {
      acceptWithin,
      ...(acceptanceHash === undefined ? {} : { acceptanceHash }),
      acceptedAt: null,
      agentId: agentId ?? null,
      assignmentMode: agentId === undefined ? 'OPEN_MARKET' : 'TARGETED',
      ...(conditionKinds === undefined ? {} : { conditionKinds }),
      createdAt: positionOf(context),
      deadline,
      deliverWithin,
      disputableUntil: null,
      dispute: null,
      endedAt: null,
      ...(rules.atLeast(2) ? { firstVerification: null } : {}),
      funding,
      jobType: payload.jobType,
      ...(jury === undefined ? {} : { jury }),
      orderId,
      phase,
      reason: null,
      releasedBy: [],
      requesterId: authority.actorId,
      requirements: payload.requirements ?? [],
      result: null,
      returns: 0,
      ...(rules.atLeast(2) ? { rulesVersion: rules.version } : {}),
      scopeHash: payload.scopeHash,
      ...(sealedVotes === undefined ? {} : { sealedVotes }),
      status: 'OPEN',
      title: payload.title,
      ...(rules.atLeast(2) ? { unjudged: null } : {}),
      validationPolicy,
      verification: null,
      verificationFee,
      verifyWithin,
      workerBond,
      workerId: null,
    };
  },

  apply({ state, emit }, _payload, order) {
    const { orderId, requesterId, agentId, assignmentMode, funding, verificationFee, workerBond } =
      order;
    fundOrder(state, order);
    addToWorkStats(state, requesterId, { openOrders: 1, requested: { funded: 1 } });
    putOrder(state, null, order);
    emit('WorkOrderCreated', {
      agentId,
      assignmentMode,
      funding,
      orderId,
      requesterId,
      scopeHash: order.scopeHash,
      verificationFee,
      workerBond,
    });
  },
});

function feeOf(
  order: { funding: number; verificationFeeBps?: number; jury?: 'none' },
  { verificationFeeBps }: WorkPolicy,
): number {
  if (order.jury === 'none') return 0;
  return verificationFeeOf(order.funding, order.verificationFeeBps ?? verificationFeeBps);
}

function requireFairBond(
  { work: { minimumBondedDelivery: least } }: PolicyRecord,
  order: Pick<WorkOrderRecord, 'funding' | 'workerBond' | 'deliverWithin'>,
): void {
  const { funding, workerBond, deliverWithin } = order;
  requireThat(
    workerBond <= funding,
    'WORKER_BOND_INVALID',
    '/payload/workerBond',
    () => `the funding is ${funding} unet`,
  );
  requireThat(
    !isShorter(deliverWithin, least),
    'WORKER_BOND_INVALID',
    '/payload/deliverWithin',
    () => `an order leaves at least ${least.heights} heights and ${least.milliseconds} ms`,
  );
}

function requireSpans(
  { work: { minimumSpans } }: PolicyRecord,
  order: Pick<WorkOrderRecord, 'deliverWithin' | 'verifyWithin'>,
): void {
  for (const [member, least] of [
    ['deliverWithin', minimumSpans.deliver],
    ['verifyWithin', minimumSpans.verify],
  ] as const) {
    requireThat(
      !isShorter(order[member], least),
      'WORK_SPAN_TOO_SHORT',
      `/payload/${member}`,
      () => `an order leaves at least ${least.heights} heights and ${least.milliseconds} ms`,
    );
  }
}
