/** Tools for workers. Repeating a call does nothing more. */
import { base64ToBytes, bytesToBase64, netText } from '@netd/protocol';
import { meaningOf, phaseText, type OrderPhase } from '@netd/protocol/sentences';
import { Type } from '@netd/protocol/type';
import { NetError, type Agent, type WorkOffer } from '@netd/sdk';
import { requireAcceptable, unetOf } from '@netd/sdk/internal';
import { isKnownWord } from '../checked-answer.ts';
import { AmountText, closed, Cursor, Limit, OrderId, WaitSeconds } from '../inputs.ts';
import { cursorAt, cutRow, offsetOf, PAGE_BYTES, rowBytes, textPage, valuePage } from '../page.ts';
import { requireAccepted } from '../simulation.ts';
import { lookUntil } from '../wait.ts';
import { SignerError } from '../signer-error.ts';
import { defineTool } from '../tool.ts';
import { untrusted } from '@netd/protocol/untrusted';

const ROWS = 10;

export const findWorkTool = defineTool({
  name: 'agent_find_work',
  title: 'Find work',
  description:
    'Open orders: those that name you, then the market, newest first. Then agent_read_work on one.',
  input: Type.Object(
    {
      requirement: Type.Optional(Type.String({ maxLength: 64, description: 'Such as research.' })),
      minFunding: Type.Optional(AmountText),
      limit: Limit,
      cursor: Cursor,
      waitSeconds: WaitSeconds,
    },
    closed,
  ),
  output: { orders: 'array', nextCursor: 'any' },
  effect: 'reads',
  run: async ({ agent, args }) => {
    const { limit = ROWS, waitSeconds } = args;
    const { named, market, nextCursor } = await lookUntil(
      waitSeconds,
      () => openOrders(agent, { ...args, limit }),
      (found) => found.named.length + found.market.length > 0,
    );
    const most = rowBytes(named.length + limit);
    return {
      orders: [
        ...named.map((order) => rowOf(order, true, most)),
        ...market.map((order) => rowOf(order, false, most)),
      ],
      nextCursor,
    };
  },
});

interface Wanted {
  requirement?: string;
  minFunding?: string;
  limit: number;
  cursor?: string;
}

async function openOrders(
  { client, agentId }: Agent,
  { requirement, minFunding = '0 NET', limit, cursor }: Wanted,
): Promise<{ named: Row[]; market: Row[]; nextCursor: string | null }> {
  const least = unetOf(minFunding, 'minFunding');
  const fits = ({ funding, requesterId }: Row): boolean =>
    funding >= least && requesterId !== agentId;
  const named =
    cursor === undefined
      ? (await client.read('/v1/work-orders', { agentId, status: 'OPEN', limit })).orders.filter(
          (order) => order.agentId === agentId,
        )
      : [];
  const market = await client.read('/v1/agent-opportunities', { requirement, limit, cursor });
  return {
    named: named.filter(fits),
    market: market.opportunities.filter(fits),
    nextCursor: market.nextCursor,
  };
}

type Row = Pick<
  WorkOffer['order'],
  'orderId' | 'funding' | 'workerBond' | 'requesterId' | 'title' | 'jobType' | 'requirements'
>;

function rowOf(
  { orderId, funding, workerBond, requesterId, title, jobType, requirements }: Row,
  namesYou: boolean,
  most: number,
): object {
  return {
    namesYou,
    funding: netText(funding),
    bond: netText(workerBond),
    says: untrusted(requesterId, {
      orderId,
      ...cutRow({ title, jobType, requirements }, most - orderId.length),
    }),
  };
}

export const readWorkTool = defineTool({
  name: 'agent_read_work',
  title: 'Read an order',
  description:
    'The state of an order, and its scope: instructions, inputs, what to deliver, how it is judged. With `input` the content of one input. Then agent_accept_work.',
  input: Type.Object(
    {
      orderId: OrderId,
      input: Type.Optional(Type.String({ maxLength: 128, description: 'Its name in the scope.' })),
      cursor: Cursor,
    },
    closed,
  ),
  output: {
    order: 'object',
    scope: 'object',
    findings: 'array',
    input: 'object',
    nextCursor: 'any',
  },
  effect: 'reads',
  run: async ({ agent, args }) => {
    const { orderId, input, cursor } = args;
    const offset = offsetOf(cursor);
    const offer = await agent.offer(orderId);
    const { order, scope, sealed } = offer;
    const { requesterId } = order;
    if (input !== undefined) {
      const { text: whole, encoding } = textOf(await agent.input(offer, input));
      const { text, nextOffset } = textPage(whole, offset);
      return {
        input: untrusted(requesterId, { encoding, text }),
        nextCursor: cursorAt(nextOffset),
      };
    }
    const { nextOffset, ...said } = valuePage({ ...scope, sealed }, offset);
    const findings = offset === 0 ? await findingsOf(agent, orderId) : [];
    return {
      order: {
        status: order.status,
        phase: order.phase,
        reason: order.reason,
        isYours: order.workerId === agent.agentId,
        funding: netText(order.funding),
        bond: netText(order.workerBond),
        deadline: order.deadline,
        disputableUntil: order.disputableUntil,
        deliverWithin: order.deliverWithin,
        deliverableHash: order.result?.deliverableHash ?? null,
      },
      scope: untrusted(requesterId, 'value' in said ? said.value : said),
      nextCursor: cursorAt(nextOffset),
      findings,
    };
  },
});

/** Returns the findings, cut so that all of them fit into part of an answer. */
export async function findingsOf(agent: Agent, orderId: string): Promise<object[]> {
  const findings = await agent.findings(orderId);
  const most = Math.floor(PAGE_BYTES / 4 / Math.max(1, findings.length));
  return findings.map(({ verifierId, vote, reason }) =>
    untrusted(verifierId, { vote, ...cutRow({ reason: reason ?? '' }, most) }),
  );
}

export function textOf(bytes: Uint8Array): { text: string; encoding: 'utf-8' | 'base64' } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: bytesToBase64(bytes), encoding: 'base64' };
  }
}

const ById = Type.Object({ orderId: OrderId }, closed);

/** Bonds by the call's arguments. Only the bond that the owner approved is signed. */
const shownBonds = new WeakMap<object, number>();

export const acceptWorkTool = defineTool({
  name: 'agent_accept_work',
  title: 'Accept an order',
  description:
    'Commits you to deliver it in time; its bond, if any, is locked until then. Read it first. Then agent_deliver_work.',
  input: ById,
  output: { status: 'string', deadline: 'any' },
  effect: 'spends',
  needs: ['acceptWork'],
  spending: async ({ agent, signer, args }) => {
    const { orderId } = args;
    const { workerId, workerBond, requesterId, title } = await orderAt(agent, orderId);
    const { agentId } = agent;
    // If a node claims that the order is accepted already, the owner is not asked. Then sign no bond.
    const isAsked = workerId !== agentId && workerBond > 0;
    shownBonds.set(args, isAsked ? workerBond : 0);
    if (!isAsked) return null;
    const question = `Let ${agentId} accept the order ${JSON.stringify(orderId)} (${JSON.stringify(title)}) of ${JSON.stringify(requesterId)} and lock a bond of ${netText(workerBond)} for it?`;
    const check = async (): Promise<void> => {
      await requireAccepted(agent, signer, {
        action: 'acceptWork',
        payload: { orderId, agentId, workerBond },
        amount: workerBond,
      });
      await requireAcceptable(agent, orderId);
    };
    return { amount: workerBond, counterparty: requesterId, question, check };
  },
  run: async ({ agent, args }) => {
    const { orderId } = args;
    const workerBond = shownBonds.get(args) ?? 0;
    const { status, deadline } = await agent.accept(orderId, { workerBond });
    return { status, deadline };
  },
});

export const deliverWorkTool = defineTool({
  name: 'agent_deliver_work',
  title: 'Deliver an order',
  description:
    'Stores the result, sealed if the scope was, and commits its hash; verifiers judge it. Refused if the acceptance of the scope is not met. Then agent_settle_work.',
  input: Type.Object(
    {
      orderId: OrderId,
      result: Type.String({ minLength: 1, maxLength: 8_388_608 }),
      encoding: Type.Optional(Type.Enum(['utf-8', 'base64'])),
    },
    closed,
  ),
  output: { status: 'string', deliverableHash: 'string' },
  effect: 'acts',
  needs: ['submitWorkResult'],
  run: async ({ agent, args: { orderId, result, encoding = 'utf-8' } }) => {
    const { workerId, status } = await orderAt(agent, orderId);
    if (workerId !== agent.agentId) {
      throw notInHand(status);
    }
    const content = encoding === 'base64' ? fromBase64(result) : result;
    const deliverableHash = await agent.deliver(orderId, content);
    return { status: (await orderAt(agent, orderId)).status, deliverableHash };
  },
});

function fromBase64(text: string): Uint8Array {
  try {
    return base64ToBytes(text);
  } catch (cause) {
    throw new SignerError('ARGUMENTS_INVALID', '/result is not base64', { cause });
  }
}

export const releaseWorkTool = defineTool({
  name: 'agent_release_work',
  title: 'Give an order back',
  description: `Gives back an order that you have accepted and cannot do, before its deadline. ${meaningOf('releaseWork')} Then agent_find_work.`,
  input: ById,
  output: { status: 'string', released: 'boolean' },
  effect: 'acts',
  needs: ['releaseWork'],
  run: async ({ agent, args: { orderId } }) => {
    const { agentId } = agent;
    const before = await orderAt(agent, orderId);
    const isOurs = before.workerId === agentId && before.status === 'ACCEPTED';
    if (!isOurs && !before.releasedBy.includes(agentId)) {
      throw notInHand(before.status);
    }
    if (isOurs) await agent.release(orderId);
    return { status: (await orderAt(agent, orderId)).status, released: true };
  },
});

export const settleWorkTool = defineTool({
  name: 'agent_settle_work',
  title: 'Have an order paid',
  description:
    'Pays the worker of an order of yours, done or offered by you, once it is verified and its dispute window is over; if it is not, says what it waits for.',
  input: Type.Object({ orderId: OrderId, waitSeconds: WaitSeconds }, closed),
  output: { status: 'string', phase: 'any', reason: 'any', paid: 'any', wait: 'any' },
  effect: 'acts',
  needs: ['settleVerifiedWork'],
  run: async ({ agent, args: { orderId, waitSeconds } }) => {
    const before = await orderAt(agent, orderId);
    if (![before.workerId, before.requesterId].includes(agent.agentId)) {
      throw notInHand(before.status);
    }
    return lookUntil(
      waitSeconds,
      () => settled(agent, orderId),
      ({ status, phase }) => ENDED.has(status) || phase === 'ACCEPTED',
    );
  },
});

export const ENDED: ReadonlySet<string> = new Set(['PAID', 'REJECTED']);

interface Settled {
  status: string;
  phase: string | null;
  reason: string | null;
  paid: string | null;
  wait: object | null;
}

async function settled(agent: Agent, orderId: string): Promise<Settled> {
  const before = await orderAt(agent, orderId);
  let wait: object | null = null;
  if (before.phase === 'VERIFIED' || before.phase === 'UNJUDGED') {
    try {
      await agent.act('settleVerifiedWork', { orderId });
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      if (!['DISPUTE_WINDOW_OPEN', 'WORK_NOT_VERIFIED'].includes(error.code)) throw error;
      wait = { code: error.code, until: before.disputableUntil };
    }
  }
  const { status, phase, funding, reason, workerId } = await orderAt(agent, orderId);
  if (!ENDED.has(status)) wait ??= { for: waitsFor(phase, workerId === agent.agentId) };
  const paid = status === 'PAID' ? netText(funding) : null;
  return { status, phase, reason, paid, wait };
}

/** Returns what the order waits for, without ids of other agents. */
function waitsFor(phase: OrderPhase, isWorker: boolean): string {
  if (phase === 'ACCEPTED' && isWorker) return 'you: deliver it with agent_deliver_work';
  const isLosing = phase === 'CONTESTED' || phase === 'VOTED_DOWN';
  if (isLosing && isWorker) return `you: agent_dispute_work. ${phaseText(phase)}`;
  return phaseText(phase);
}

const notInHand = (status: string): SignerError =>
  new SignerError('WORK_NOT_IN_HAND', isKnownWord('status', status) ? status : '');

export async function orderAt({ client }: Agent, orderId: string): Promise<WorkOffer['order']> {
  return (await client.read('/v1/work-orders/{orderId}', { orderId })).order;
}
