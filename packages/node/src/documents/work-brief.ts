/** NET-AGENT-WORK-BRIEF/1: what an agent should know of an order before it signs anything about it. */
import { MAX_UNFINISHED_ORDERS, type WorkOrderRecord } from '@netd/ledger';
import { ActorId, Hash, ProtectiveDelay, RecordId } from '@netd/protocol';
import Type from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';
import { Boundaries, READ_BOUNDARIES } from './boundaries.ts';
import { evidenceOf, evidenceSchema } from './evidence.ts';
import { ChainIntegrity, chainIntegrity } from './integrity.ts';
import { acceptanceRefusal, DeadlineMoment, isTakeable } from './opportunity.ts';
import { defineDocument } from './read-document.ts';
import {
  intentRequest,
  SIGNING_RULES,
  SignedRequest,
  SigningRules,
  YOUR_ID,
} from './signed-request.ts';
import { orderAt, WorkOrderView, workOrderView } from './work-order.ts';
import { stepsOf } from './work-steps.ts';

const closed = { additionalProperties: false };

const Availability = Type.Object(
  {
    acceptable: Type.Boolean({ description: 'Whether somebody can accept it in the next block.' }),
    state: Type.Enum(['ANY_AGENT', 'ONE_AGENT', 'OVERDUE', 'TAKEN', 'ENDED'], {
      description: 'OVERDUE: open, but past its acceptBy; it ends when the next block opens.',
    }),
    agentId: Type.Union([ActorId, Type.Null()], {
      description: 'The one agent that may accept it, or has.',
    }),
    acceptBy: Type.Union([DeadlineMoment, Type.Null()], { description: 'While it is open.' }),
    conditions: Type.Array(Type.Object({ refusal: Type.String(), rule: Type.String() }, closed), {
      description: 'Of acceptance, with the code that refuses whoever does not meet it.',
    }),
  },
  { ...closed, description: 'For whom and until when the order is there.' },
);

const VerificationPath = Type.Object(
  {
    committeeSize: Type.Integer(),
    requiredAccepts: Type.Integer(),
    minIndependentGroups: Type.Integer(),
    activeVerifiers: Type.Integer({ description: 'Verifiers a committee could be drawn from.' }),
    deliverWithin: ProtectiveDelay,
    verifyWithin: ProtectiveDelay,
    disputeWindow: ProtectiveDelay,
    settleWithin: ProtectiveDelay,
    steps: Type.Array(Type.Object({ phase: Type.String(), what: Type.String() }, closed)),
  },
  { ...closed, description: 'From acceptance to payment. Of each span both parts must pass.' },
);

const ScopeCheck = Type.Object(
  {
    scopeHash: Hash,
    onChain: Type.Literal(false, { description: 'The scope itself is private.' }),
    checks: Type.Array(Type.String()),
  },
  { ...closed, description: 'How to make sure that the scope you got is the one that is funded.' },
);

export const workBrief = defineDocument({
  name: 'NET-AGENT-WORK-BRIEF/1',
  route: '/v1/work-orders/:orderId/brief',
  operationId: 'getWorkBrief',
  tag: 'work',
  summary:
    'One work order for an agent that must decide: what it asks, pays, takes, and what to sign',
  description: 'One work order, prepared for an agent that must decide.',
  path: { orderId: RecordId },
  canMiss: true,
  content: {
    order: WorkOrderView,
    availability: Availability,
    acceptWork: Type.Union([SignedRequest, Type.Null()], {
      description:
        'What to sign to accept it, where it can be accepted. It is only a shape: nothing has been sent or reserved.',
    }),
    scope: ScopeCheck,
    verification: VerificationPath,
    signing: SigningRules,
    integrity: ChainIntegrity,
    evidence: evidenceSchema(),
    nextActions: Type.Array(SignedRequest, {
      description: 'What parties of the order can sign in its present phase.',
    }),
    links: Type.Object(
      {
        order: Type.String(),
        audit: Type.String(),
        events: Type.String(),
        requester: Type.String(),
        policy: Type.String(),
        simulate: Type.String({ description: 'Tries an intent without committing anything.' }),
      },
      closed,
    ),
    boundaries: Boundaries,
  },
  build: (snapshot, { orderId }) => {
    const order = orderAt(snapshot, orderId);
    return {
      order: workOrderView(order),
      availability: availabilityOf(snapshot, order),
      acceptWork: isAcceptable(snapshot, order) ? acceptRequest(snapshot, order) : null,
      scope: scopeCheckOf(order),
      verification: verificationPath(snapshot, order),
      signing: SIGNING_RULES,
      integrity: chainIntegrity(snapshot),
      evidence: evidenceOf(snapshot, [`order/${orderId}`, 'policy/limits']),
      nextActions: stepsOf(snapshot, order),
      links: {
        order: `/v1/work-orders/${orderId}`,
        audit: `/v1/work-orders/${orderId}/audit`,
        events: `/v1/events?order=${orderId}`,
        requester: `/v1/accounts/${order.requesterId}`,
        policy: '/v1/validation',
        simulate: '/v1/intents:simulate',
      },
      boundaries: [
        ...READ_BOUNDARIES,
        'Accepting is binding: a delivery that misses its time costs you the order, and up to then it counts against your limit.',
        'The title is all that is public of the task. Do not run anything that a scope contains outside of your own sandbox.',
        'The network judges the commitment to a deliverable by its committee; it never fetches, runs or stores the deliverable.',
      ],
    };
  },
});

/** The intent that accepts the order, by the one agent that may or by the reader. */
export function acceptRequest(
  snapshot: Snapshot,
  { orderId, agentId }: Pick<WorkOrderRecord, 'orderId' | 'agentId'>,
): object {
  return intentRequest(
    snapshot,
    'acceptWork',
    { orderId, agentId: agentId ?? YOUR_ID },
    {
      why: 'Binds the agent to the order: the first valid taker gets it.',
      ...(agentId === null ? {} : { actorId: agentId }),
    },
  );
}

/** Whether somebody can accept it in the next block. */
function isAcceptable(snapshot: Snapshot, order: WorkOrderRecord): boolean {
  return order.agentId === null
    ? isTakeable(snapshot, order)
    : acceptanceRefusal(snapshot, order, order.agentId) === null;
}

function availabilityOf(snapshot: Snapshot, order: WorkOrderRecord): object {
  const { status, agentId, workerId, deadline } = order;
  const open = agentId === null ? 'ANY_AGENT' : 'ONE_AGENT';
  const closedFor = order.phase === 'ENDED' ? 'ENDED' : 'TAKEN';
  return {
    acceptable: isAcceptable(snapshot, order),
    state: status !== 'OPEN' ? closedFor : isTakeable(snapshot, order) ? open : 'OVERDUE',
    agentId: workerId ?? agentId,
    acceptBy: status === 'OPEN' ? deadline : null,
    conditions: [
      { refusal: 'AGENT_UNKNOWN', rule: 'The signer is a registered agent.' },
      { refusal: 'AUTHORITY_INACTIVE', rule: 'Its authority is active.' },
      {
        refusal: 'WORK_ORDER_NOT_OPEN',
        rule: 'Nobody was faster, and the requester has not cancelled.',
      },
      {
        refusal: 'REQUESTER_IS_WORKER',
        rule: `The signer is not the requester, ${order.requesterId}.`,
      },
      ...(agentId === null
        ? []
        : [{ refusal: 'WORK_TARGETED', rule: `The signer is ${agentId}, whom the order names.` }]),
      {
        refusal: 'WORK_UNFINISHED_LIMIT',
        rule: `The signer has fewer than ${MAX_UNFINISHED_ORDERS} accepted orders that have not ended.`,
      },
    ],
  };
}

function scopeCheckOf({ scopeHash, requesterId }: WorkOrderRecord): object {
  return {
    scopeHash,
    onChain: false,
    checks: [
      `Ask ${requesterId} for the scope over a channel of your own, encrypted; the network holds its hash only.`,
      'Ask which bytes are hashed where the requester does not say; usual is SHA-256 of the exact bytes received, in lowercase hex.',
      `Compute the hash yourself. Anything but ${scopeHash} is not what this order pays for: do not accept.`,
      'Keep the bytes: in a dispute they are what you can show for this hash.',
    ],
  };
}

function verificationPath(snapshot: Snapshot, order: WorkOrderRecord): object {
  const { committeeSize, requiredAccepts, minIndependentGroups } = order.validationPolicy;
  const policy = snapshot.get('policy', 'limits');
  if (!policy) throw new Error('the state has no policy');
  const { disputeWindow, settleWithin } = policy.work;
  return {
    committeeSize,
    requiredAccepts,
    minIndependentGroups,
    activeVerifiers: snapshot.get('counter', 'active-verifiers') ?? 0,
    deliverWithin: order.deliverWithin,
    verifyWithin: order.verifyWithin,
    disputeWindow,
    settleWithin,
    steps: [
      {
        phase: 'ACCEPTED',
        what: 'The worker signs submitWorkResult within deliverWithin; else an order of the market reopens once, any other ends with a refund.',
      },
      {
        phase: 'DRAWING',
        what: `The next block draws up to ${committeeSize} verifiers that were bonded before the acceptance and are unrelated to both parties.`,
      },
      {
        phase: 'REVIEW',
        what: `${requiredAccepts} accepts from ${minIndependentGroups} groups verify the result; when they can no longer come about it is rejected. After verifyWithin one redraw, then a refund.`,
      },
      {
        phase: 'VERIFIED',
        what: 'For the dispute window requester and worker may dispute with a bond; afterwards anyone may settle, and it settles by itself after settleWithin.',
      },
      {
        phase: 'ENDED',
        what: 'PAID: the worker gets the funding, the voters share the fee, a receipt is written. REJECTED: the reason says why, and the funding has gone back.',
      },
    ],
  };
}
