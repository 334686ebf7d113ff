/** Tools for requesters. Texts in their results come from workers. */
import { judgeInTime, type WorkScope } from '@netd/formats';
import { netText, sha256Hex, utf8Bytes, verificationFeeOf } from '@netd/protocol';
import { meaningOf } from '@netd/protocol/sentences';
import { Type, type Static } from '@netd/protocol/type';
import { untrusted } from '@netd/protocol/untrusted';
import { AgentError, NetError, type Agent, type HireOptions, type WorkOffer } from '@netd/sdk';
import {
  disputeBondOf,
  isSameOffer,
  offerFrom,
  ownIdFor,
  requireJudgeable,
  requireRoster,
  unetOf,
} from '@netd/sdk/internal';
import {
  AgentName,
  AmountText,
  closed,
  Cursor,
  OrderId,
  RequestId,
  WaitSeconds,
} from '../inputs.ts';
import { cursorAt, offsetOf, PAGE_BYTES, textPage } from '../page.ts';
import type { Signer } from '../signer.ts';
import { requireAccepted } from '../simulation.ts';
import { SignerError } from '../signer-error.ts';
import { defineTool } from '../tool.ts';
import { lookUntil } from '../wait.ts';
import { fetchOf } from './around.ts';
import { ENDED, findingsOf, orderAt, textOf } from './work.ts';

type Order = WorkOffer['order'];

const Condition = Type.Object(
  {
    kind: Type.Enum(['json-schema', 'sha256', 'review']),
    schema: Type.Optional(Type.Object({}, { description: 'For json-schema.' })),
    hash: Type.Optional(Type.String({ description: 'For sha256: of exactly these bytes.' })),
    question: Type.Optional(
      Type.String({ description: 'For review: needs verifiers with judgement.' }),
    ),
  },
  closed,
);

const HireInput = Type.Object(
  {
    requestId: RequestId,
    title: Type.String({ minLength: 1, maxLength: 140, description: 'Public.' }),
    instructions: Type.String({ minLength: 1, maxLength: 32_768, description: 'Public.' }),
    conditions: Type.Array(Condition, {
      minItems: 1,
      maxItems: 16,
      description: 'How the result is judged; all have to be met.',
    }),
    funding: AmountText,
    worker: Type.Optional(AgentName),
    workerBond: Type.Optional(AmountText),
    jobType: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    requirements: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 32 }),
    ),
    mediaType: Type.Optional(
      Type.String({ maxLength: 128, description: 'Of the result; default text/plain.' }),
    ),
    maxBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_388_608 })),
    deliverWithinSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 31_536_000 })),
    unverifiedAnyway: Type.Optional(
      Type.Boolean({ description: 'Offers it though no verifiers could accept a result now.' }),
    ),
  },
  closed,
);

type HireArguments = Static<typeof HireInput>;

/** Calls whose order existed before. The owner was not asked about them, so nothing is signed. */
const offeredBefore = new WeakSet<object>();

/** Policies by the call's arguments. Only the policy that the owner approved is signed. */
const shownPolicies = new WeakMap<object, WorkPolicy>();

export const hireTool = defineTool({
  name: 'agent_hire',
  title: 'Have others do something',
  description:
    'Offers an order to all agents, or to `worker`: its funding and the fee of the verifiers go into escrow. Say how the result is judged: a json-schema wherever you can. Then agent_check_hire.',
  input: HireInput,
  output: { status: 'string', orderId: 'string', escrow: 'string' },
  effect: 'spends',
  needs: ['createWorkOrder'],
  spending: async ({ agent, signer, args }) => {
    const { worker = null, title, instructions } = args;
    const policy = await workPolicy(agent);
    shownPolicies.set(args, policy);
    const { verificationFeeBps } = policy;
    const { payload, scope } = offerFrom(await hireOptions(agent, signer, args));
    const amount = payload.funding + verificationFeeOf(payload.funding, verificationFeeBps);
    if (await isThere(agent, payload.orderId)) {
      offeredBefore.add(args);
      return null;
    }
    const who = worker === null ? 'any agent that takes it' : JSON.stringify(worker);
    return {
      amount,
      counterparty: worker,
      question: `Let ${agent.agentId} put ${netText(amount)} into escrow for the order ${JSON.stringify(title)}, to be done by ${who}? It asks: ${JSON.stringify(instructions.slice(0, 280))}${args.unverifiedAnyway === true ? ' It is offered even if no verifiers could accept a result now.' : ''}`,
      check: async () => {
        const { client, agentId } = agent;
        const { unverifiedAnyway = false } = args;
        await requireJudgeable({ retryingClient: client }, scope, { agentId, unverifiedAnyway });
        const act = { action: 'createWorkOrder', payload, amount } as const;
        const warnings = await requireAccepted(agent, signer, act);
        if (!unverifiedAnyway) requireRoster(warnings);
      },
    };
  },
  run: async ({ agent, signer, args }) => {
    const options = await hireOptions(agent, signer, args);
    const { payload } = offerFrom(options);
    const { orderId } = payload;
    if (!offeredBefore.has(args)) await agent.hire(options);
    const order = await orderAt(agent, orderId);
    if (!isSameOffer(order, payload, agent.agentId)) throw new AgentError('ACT_ID_USED', orderId);
    const { status, funding, verificationFee } = order;
    return { status, orderId, escrow: netText(funding + verificationFee) };
  },
});

/** The same requestId always results in the same order, even after a crash. */
async function hireOptions(
  agent: Agent,
  { session }: Signer,
  args: HireArguments,
): Promise<HireOptions> {
  const { requestId, conditions, mediaType, maxBytes, deliverWithinSeconds } = args;
  const { title, instructions, funding, worker, workerBond, jobType, requirements } = args;
  const { sessionId } = session;
  const { verificationFeeBps, minimumSpans } = shownPolicies.get(args) ?? (await workPolicy(agent));
  return {
    id: `o-${ownIdFor(agent, { sessionId, requestId }).slice(0, 32)}`,
    title,
    instructions,
    acceptance: conditions as unknown as HireOptions['acceptance'],
    deliverable: { mediaType: mediaType ?? 'text/plain', maxBytes: maxBytes ?? 65_536 },
    funding: unetOf(funding, 'funding'),
    ...(worker === undefined ? {} : { worker }),
    ...(workerBond === undefined ? {} : { workerBond: unetOf(workerBond, 'workerBond') }),
    ...(jobType === undefined ? {} : { jobType }),
    ...(requirements === undefined ? {} : { requirements }),
    verificationFeeBps,
    unverifiedAnyway: args.unverifiedAnyway === true,
    ...(deliverWithinSeconds === undefined
      ? {}
      : {
          deliverWithin: {
            ...minimumSpans.deliver,
            milliseconds: deliverWithinSeconds * 1_000,
          },
        }),
  };
}

async function isThere(agent: Agent, orderId: string): Promise<boolean> {
  try {
    await orderAt(agent, orderId);
    return true;
  } catch (error) {
    if (error instanceof NetError && error.status === 404) return false;
    throw error;
  }
}

interface WorkPolicy {
  verificationFeeBps: number;
  disputeBond: number;
  minimumSpans: { deliver: { heights: number; milliseconds: number } };
}

async function workPolicy({ client }: Agent): Promise<WorkPolicy> {
  const { value } = await client.read('/v1/state/proof', { key: 'policy/limits' });
  const { work } = value as { work: WorkPolicy };
  return work;
}

const ById = Type.Object({ orderId: OrderId }, closed);

export const checkHireTool = defineTool({
  name: 'agent_check_hire',
  title: 'Follow an order of yours',
  description:
    'The state of an order that you offered; once delivered, its result, judged by your conditions (met, unmet, open: look yourself), and what verifiers found. Without orderId, your orders. Then nothing (it is paid by itself or by agent_settle_work), or agent_dispute_work before disputableUntil.',
  input: Type.Object(
    { orderId: Type.Optional(OrderId), cursor: Cursor, waitSeconds: WaitSeconds },
    closed,
  ),
  output: {
    orders: 'array',
    order: 'object',
    result: 'any',
    findings: 'array',
    nextCursor: 'any',
  },
  effect: 'reads',
  needs: ['createWorkOrder'],
  run: async ({ agent, args: { orderId, cursor, waitSeconds } }) => {
    if (orderId === undefined) return ownOrders(agent, cursor);
    const offset = offsetOf(cursor);
    const { scope } = await agent.hired(orderId);
    const order = await lookUntil(
      waitSeconds,
      () => orderAt(agent, orderId),
      ({ status, phase }) =>
        ENDED.has(status) ||
        ['VERIFIED', 'VOTED_DOWN', 'UNJUDGED', 'CONTESTED', 'DISPUTED'].includes(phase),
    );
    const { result, nextOffset } = await resultOf(agent, { order, scope, offset });
    return {
      order: rowOf(order),
      result,
      findings: offset === 0 ? await findingsOf(agent, orderId) : [],
      nextCursor: cursorAt(nextOffset),
    };
  },
});

const ROWS = 10;
const EVENTS = 200;
const MAX_READS = 10;

async function ownOrders(agent: Agent, cursor: string | undefined): Promise<object> {
  const { agentId, client } = agent;
  const own: string[] = [];
  let after = cursor ?? '0.0';
  let nextCursor: string | null = null;
  for (let read = 0; read < MAX_READS; read++) {
    const page = await client.get<EventPage>(
      `/v1/events?agent=${agentId}&limit=${EVENTS}&after=${encodeURIComponent(after)}`,
    );
    for (const { id, type, data } of page.events) {
      if (own.length === ROWS) break;
      after = id;
      if (type === 'WorkOrderCreated' && data.requesterId === agentId) own.push(data.orderId);
    }
    const isFull = own.length === ROWS;
    if (!isFull) after = page.next;
    nextCursor = isFull || page.more ? after : null;
    if (isFull || !page.more) break;
  }
  const orders = await Promise.all(own.map((orderId) => orderAt(agent, orderId)));
  return { orders: orders.map(rowOf), nextCursor };
}

interface EventPage {
  events: { id: string; type: string; data: { orderId: string; requesterId: string } }[];
  next: string;
  more: boolean;
}

type OrderFacts = Pick<
  Order,
  | 'orderId'
  | 'status'
  | 'phase'
  | 'reason'
  | 'funding'
  | 'workerId'
  | 'deadline'
  | 'disputableUntil'
>;

const rowOf = (order: OrderFacts): object => ({
  orderId: order.orderId,
  status: order.status,
  phase: order.phase,
  reason: order.reason,
  funding: netText(order.funding),
  worker: order.workerId === null ? null : untrusted(null, order.workerId),
  deadline: order.deadline,
  disputableUntil: order.disputableUntil,
});

interface Delivered {
  order: Order;
  scope: WorkScope;
  offset: number;
}

const NOT_YET = {
  verdict: 'open',
  conditions: [{ kind: 'time', verdict: 'open', reason: 'judging takes longer than 30 seconds' }],
} as const;

async function resultOf(
  agent: Agent,
  { order: { result, workerId }, scope, offset }: Delivered,
): Promise<{ result: object | null; nextOffset: number | null }> {
  if (!result || workerId === null) return { result: null, nextOffset: null };
  const bytes = await fetchOf(agent, workerId, result.deliverableHash);
  const { verdict, conditions } = (await judgeInTime(scope, bytes)) ?? NOT_YET;
  const { text: whole, encoding } = textOf(bytes);
  const { text, nextOffset } = textPage(whole, offset, PAGE_BYTES / 2);
  const says = {
    encoding,
    text,
    ...(offset === 0 && nextOffset === null ? {} : { ofCharacters: whole.length }),
    ...(offset === 0
      ? {
          why: conditions.map(({ kind, verdict: each, reason }) =>
            `${kind}: ${reason || each}`.slice(0, 200),
          ),
        }
      : {}),
  };
  return { result: { verdict, says: untrusted(workerId, says) }, nextOffset };
}

export const cancelWorkTool = defineTool({
  name: 'agent_cancel_work',
  title: 'Take an order back',
  description: `Cancels an order of yours that no worker has accepted yet. ${meaningOf('cancelWorkOrder')}`,
  input: ById,
  output: { status: 'string', reason: 'any' },
  effect: 'acts',
  needs: ['cancelWorkOrder'],
  run: async ({ agent, args: { orderId } }) => {
    const before = await orderAt(agent, orderId);
    if (before.requesterId !== agent.agentId) throw new AgentError('NOT_YOUR_ORDER');
    if (before.reason !== 'CANCELLED') await agent.act('cancelWorkOrder', { orderId });
    const { status, reason } = await orderAt(agent, orderId);
    return { status, reason };
  },
});

/** Bonds by the call's arguments. Only the bond that the owner approved is signed. */
const shownBonds = new WeakMap<object, number>();

export const disputeWorkTool = defineTool({
  name: 'agent_dispute_work',
  title: 'Dispute an order',
  description: `As its requester or worker, says before disputableUntil that the outcome of an order is wrong, or answers who said so: a second jury or an operator decides. ${meaningOf('openDispute')}`,
  input: Type.Object(
    {
      orderId: OrderId,
      reason: Type.String({ minLength: 1, maxLength: 8_192, description: 'Public.' }),
    },
    closed,
  ),
  output: { status: 'string', phase: 'any' },
  effect: 'spends',
  needs: ['openDispute'],
  spending: async ({ agent, signer, args }) => {
    const { orderId, reason } = args;
    const order = await orderAt(agent, orderId);
    const { agentId } = agent;
    const { requesterId, workerId } = order;
    if (![requesterId, workerId].includes(agentId)) throw new SignerError('WORK_NOT_IN_HAND');
    if (order.dispute?.openedBy === agentId) return null;
    const amount = disputeBondOf(order) ?? (await workPolicy(agent)).disputeBond;
    shownBonds.set(args, amount);
    const other = requesterId === agentId ? workerId : requesterId;
    return {
      amount,
      counterparty: other,
      question: `Let ${agentId} dispute the order ${JSON.stringify(orderId)} against ${JSON.stringify(other)} and lock a bond of ${netText(amount)} for it? The reason: ${JSON.stringify(reason.slice(0, 280))}`,
      check: async () => {
        const payload = { orderId, reasonHash: sha256Hex(utf8Bytes(reason)), bond: amount };
        await requireAccepted(agent, signer, { action: 'openDispute', payload, amount });
      },
    };
  },
  run: async ({ agent, args }) => {
    const { orderId, reason } = args;
    const before = await orderAt(agent, orderId);
    if (before.dispute?.openedBy !== agent.agentId) {
      await agent.dispute(orderId, reason, { bond: shownBonds.get(args) ?? 0 });
    }
    const { status, phase } = await orderAt(agent, orderId);
    return { status, phase };
  },
});
