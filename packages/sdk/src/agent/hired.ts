/** An order of this agent: its events, its result, and the requester's next steps. */
import { judgeInTime, type WorkScope } from '@netd/formats';
import { contestBondOf, lastEventId, netText, utf8Text, type Receipt } from '@netd/protocol';
import type { NetAmount } from '../amount.ts';
import type { NetEvent } from '../events.ts';
import { BOUNDS, type Bounds } from '../bounds.ts';
import { within } from '../pause.ts';
import { requireOptions } from '../option-names.ts';
import { HIRE_EVENT_MEMBERS } from '../generated/agent-events.ts';
import { MACHINES } from '../generated/machines.ts';
import { advance, type Effects, type Facts, type Rule } from './advance.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { requireText } from './arguments.ts';
import type { TypeSchema } from './type-schema.ts';
import { parsedAs } from './typed-work.ts';
import { Emitter, type HireEventName, type HireEvents } from './emitter.ts';
import { reasonAt } from './findings.ts';
import { backoff } from './poller.ts';
import { boundedCall, type AgentParts, type WorkOrder } from './parts.ts';
import {
  cancelOnce,
  disproveOnce,
  disputeOnce,
  observed,
  requireOrder,
  settleOnce,
} from './order-acts.ts';

interface About<Result> {
  /** Type of the result; null if the order was made without one. */
  returns: TypeSchema<unknown, Result> | null;
  orderId: string;
  scope: WorkScope;
  /** Height from which events are read. It is not above the height of the order's creation. */
  since: number;
  receipt: Receipt | null;
  /**
   * True to parse the result once a jury has accepted it, and to warn if `returns` refuses it. The requester
   * can then dispute it, even if no call waits for the result.
   */
  isNew?: boolean;
}

/** The result. It is untrusted content, even though it meets all conditions that a program can check. */
export interface HireResult<Result = undefined> {
  /** The order. */
  orderId: string;
  /** The agent that delivered. */
  workerId: string;
  /** SHA-256 of the bytes, as on the chain. */
  deliverableHash: string;
  /** Bytes that match the chain's hash. */
  bytes: Uint8Array;
  /** Null if the bytes are not UTF-8. */
  text: string | null;
  /** The result as the type `returns` of `hire` parses it; `undefined` without that type. */
  value: Result;
}

/** Milliseconds after which a waiting requester learns that no worker has accepted the order. */
const PATIENCE = 20_000;
/** Milliseconds between two reads of an order while no call waits for its result. */
const CHECK_PAUSE = 1_000;
/** Attempts to fetch such a result, in about two minutes. */
const READ_TRIES = 8;
const UNREAD = new Set<string | null>(['BLOB_UNAVAILABLE', 'BLOB_NOT_FOUND']);
const ENDS = new Set<string | null>(['ORDER_UNPAID', 'ORDER_DISPUTED']);

/** An order to follow, from `hire` or `hired`. */
export class Hired<Result = undefined> {
  /** The order. */
  readonly orderId: string;
  /** Scope of the order. */
  readonly scope: WorkScope;
  /** Null if an earlier run created the order and left no record. */
  readonly receipt: Receipt | null;
  private readonly parts: AgentParts;
  private readonly returns: TypeSchema<unknown, Result> | null;
  private readonly since: number;
  private readonly events = new Emitter<HireEvents>(() => {}, HIRE_EVENT_MEMBERS);
  private readonly emitted: [name: string, event: object][] = [];
  private isHearing = false;
  private hasWarned = false;
  private before: string | null = null;
  /** The order while it has no worker. */
  private open: WorkOrder | null = null;
  private hasHinted = false;

  constructor(
    parts: AgentParts,
    { orderId, scope, since, receipt, returns, isNew = false }: About<Result>,
  ) {
    this.returns = returns;
    // The order outlives the call that created it.
    this.parts = parts.whole ?? parts;
    this.orderId = orderId;
    this.scope = scope;
    this.since = since;
    this.receipt = receipt;
    if (isNew && returns !== null) void this.checkType();
  }

  /** Parses the result once a jury has accepted it. Warns if `returns` refuses it, or if it cannot be read. */
  private async checkType(): Promise<void> {
    const { parts, orderId } = this;
    const { poller, events } = parts;
    for (let tries = 1; ; tries++) {
      try {
        await this.valueOf((await this.delivered(parts, Infinity, CHECK_PAUSE)).bytes);
        return;
      } catch (error) {
        const code = codeOf(error);
        // `valueOf` has warned. Other ends of the order are for those who wait for the result.
        if (poller.signal.aborted || this.hasWarned || ENDS.has(code)) return;
        const isUnread = UNREAD.has(code);
        if (!isUnread || tries === READ_TRIES) {
          events.warn(isUnread ? new AgentError('RESULT_UNREAD', String(code)) : error, orderId);
          return;
        }
        await poller.pause(backoff(tries)).catch(() => {});
      }
    }
  }

  /**
   * Listens to events of the order since its creation.
   * @returns a function that removes the listener
   * @throws AgentError ARGUMENT_INVALID
   */
  on<Name extends HireEventName>(
    name: Name,
    listener: (event: HireEvents[Name]) => unknown,
  ): () => void {
    const off = this.events.on(name, listener);
    for (const [past, event] of this.emitted) {
      if (past === name) this.events.tell(name, listener, event as HireEvents[Name]);
    }
    if (!this.isHearing) {
      this.isHearing = true;
      void this.hear();
    }
    return off;
  }

  /** @throws NetError, AgentError ANSWER_NOT_PROVEN */
  async order(bounds: Bounds = {}): Promise<WorkOrder> {
    return this.bounded('order', bounds, (parts) => requireOrder(parts, this.orderId));
  }

  /**
   * Waits for the result that a jury accepted or could not judge, and checks it against its hash, the scope
   * and the type `returns`. If a result fails a provable condition, proves that, which refunds the order.
   * @param options.timeout milliseconds for RESULT_TIMEOUT; default as long as the order lasts
   * @throws AgentError ORDER_UNPAID with orderId, reason and refund in unet; ORDER_DISPUTED with the
   *   decision's deadline; AGENT_STOPPED; RESULT_TIMEOUT; BLOB_NOT_FOUND; BLOB_UNAVAILABLE; DELIVERABLE_UNMET
   *   if you should dispute the result; RESULT_UNPARSED if only the type refuses it
   */
  async result(options: Bounds = {}): Promise<HireResult<Result>> {
    requireOptions('result', options, BOUNDS);
    const { timeout = Infinity, signal } = options;
    const wait = (parts: AgentParts): Promise<HireResult<Result>> =>
      within(timeout, () => this.late(timeout), this.resultUntil(parts, timeout));
    const about = { 'netsdk.order.id': this.orderId };
    return this.parts.telemetry.wait(about, () => this.bounded('result', { signal }, wait));
  }

  private async delivered(
    parts: AgentParts,
    timeout: number,
    least = 0,
  ): Promise<{ order: WorkOrder; workerId: string; deliverableHash: string; bytes: Uint8Array }> {
    const order = await this.until(parts, MACHINES.result, timeout, least);
    const { workerId, result } = order;
    if (!result || workerId === null) {
      throw new AgentError('ANSWER_MISMATCHED', `order ${this.orderId}`);
    }
    const { deliverableHash } = result;
    const bytes = await parts.peers.blobOf(deliverableHash, workerId);
    if (bytes === null) throw new AgentError('BLOB_NOT_FOUND', deliverableHash);
    return { order, workerId, deliverableHash, bytes };
  }

  private async resultUntil(parts: AgentParts, timeout: number): Promise<HireResult<Result>> {
    const { orderId } = this;
    const { order, workerId, deliverableHash, bytes } = await this.delivered(parts, timeout);
    const judgement = await judgeInTime(this.scope, bytes);
    if (judgement?.verdict === 'unmet') {
      if (await disproveOnce(parts, order, this.scope, bytes)) {
        throw unpaid({ ...order, reason: 'DISPROVEN' });
      }
      const why = judgement.conditions
        .filter((one) => one.verdict === 'unmet')
        .map(({ reason }) => reason);
      throw new AgentError('DELIVERABLE_UNMET', why.join('; '));
    }
    const value = await this.valueOf(bytes);
    return { orderId, workerId, deliverableHash, bytes, text: textOf(bytes), value };
  }

  private async valueOf(bytes: Uint8Array): Promise<Result> {
    if (this.returns === null) return undefined as Result;
    try {
      return await parsedAs(this.returns, bytes, 'RESULT_UNPARSED');
    } catch (error) {
      if (!this.hasWarned) this.parts.events.warn(error, this.orderId);
      this.hasWarned = true;
      throw error;
    }
  }

  /**
   * Pays the worker when the dispute window ends, which no requester can shorten.
   * @returns the paid order
   * @throws AgentError ORDER_UNPAID if the order ends otherwise
   */
  async accept(bounds: Bounds = {}): Promise<WorkOrder> {
    return this.bounded('accept', bounds, (parts) => this.until(parts, MACHINES.accept, Infinity));
  }

  /**
   * Disputes the result within the window, once. A second jury or an operator decides, and your bond is
   * locked until then.
   * @param reason public text
   * @param options.bond the exact bond, '1 NET' or unet; default what the order asks, half its funding
   * @throws NetError WORK_NOT_VERIFIED, DISPUTE_WINDOW_CLOSED and other refusals
   */
  async dispute(
    reason: string,
    options: Bounds & { bond?: NetAmount | number | undefined } = {},
  ): Promise<Receipt> {
    requireText('reason', reason);
    requireOptions('dispute', options, { bond: true, ...BOUNDS });
    const { bond, ...bounds } = options;
    return this.bounded('dispute', bounds, (parts) =>
      disputeOnce(parts, this.orderId, reason, bond),
    );
  }

  /**
   * Cancels the order with a refund.
   * @throws NetError WORK_ORDER_NOT_OPEN if a worker has it
   */
  async cancel(bounds: Bounds = {}): Promise<Receipt> {
    return this.bounded('cancel', bounds, (parts) => cancelOnce(parts, this.orderId));
  }

  private async bounded<Answer>(
    name: string,
    bounds: Bounds,
    call: (parts: AgentParts) => Promise<Answer>,
  ): Promise<Answer> {
    requireOptions(name, bounds, BOUNDS);
    return boundedCall(this.parts, { name, data: { orderId: this.orderId } }, bounds, call);
  }

  /** @param least milliseconds between two reads of the order, however many events wake the agent */
  private async until(
    parts: AgentParts,
    rules: readonly Rule[],
    timeout: number,
    least = 0,
  ): Promise<WorkOrder> {
    const { orderId } = this;
    const { poller } = parts;
    const began = Date.now();
    const deadline = began + timeout;
    const hintAt = began + Math.min(PATIENCE, timeout / 2);
    const facts: Facts = {};
    const means = { effects: ORDER_EFFECTS, emit: () => {} };
    await parts.watch();
    for (;;) {
      poller.signal.throwIfAborted();
      const { wakes } = poller;
      const order = await requireOrder(parts, orderId);
      Object.assign(facts, observed(parts, order), { parts, order });
      const wait = await advance(parts, rules, facts as OrderFacts, means);
      if (wait === null) return order;
      this.open = order.status === 'OPEN' ? order : null;
      const now = Date.now();
      if (now >= hintAt) this.hint(order);
      if (now >= deadline) throw this.late(timeout);
      const isPatient = this.open !== null && !this.hasHinted;
      const left = Math.min(deadline - now, isPatient ? hintAt - now : Infinity);
      if (wait > 0) await poller.wait(Math.min(left, wait), wakes);
      if (least > 0) await poller.pause(least);
    }
  }

  /** Warns once if no worker has the order. */
  private hint({ jobType, funding }: WorkOrder): void {
    if (this.open === null || this.hasHinted) return;
    this.hasHinted = true;
    const { events } = this.parts;
    const what = `${jobType}, ${netText(funding)}${untakenOf(this)}`;
    events.warn(new AgentError('ORDER_UNTAKEN', what), this.orderId);
  }

  private late(timeout: number): AgentError {
    return new AgentError('RESULT_TIMEOUT', `${this.orderId}, ${timeout} ms${untakenOf(this)}`);
  }

  private async hear(): Promise<void> {
    const { parts, orderId, since } = this;
    const { agentId, genesisHash, retryingClient } = parts;
    const { signal } = parts.poller;
    const after = lastEventId(since - 1);
    const filter = { agent: agentId, order: orderId, after, genesisHash, signal };
    try {
      for await (const event of retryingClient.client.events(filter)) {
        if (await this.tellChecked(event)) return;
      }
    } catch (error) {
      if (!signal.aborted) parts.events.warn(error, `the events of ${orderId}`);
    }
  }

  /** Handles an event. A malformed one must not hide those after it. */
  private async tellChecked(event: NetEvent): Promise<boolean> {
    try {
      return await this.tell(event);
    } catch (error) {
      const { signal } = this.parts.poller;
      if (!signal.aborted) this.parts.events.warn(error, `event ${event.id} of ${this.orderId}`);
      return false;
    }
  }

  private async tell({ type, data }: NetEvent): Promise<boolean> {
    const { orderId, parts, before } = this;
    this.before = type;
    const facts = { ...data, orderId, type, before, untrusted: true };
    const wait = await advance<EventFacts>(parts, MACHINES.hireEvents, facts as never, {
      effects: {
        words: async ({ evidenceHash }) => ({
          reason: await reasonAt(evidenceHash, (hash) => parts.origins.fetch(hash)),
        }),
        until: ({ disputableUntil: { time } }) => ({
          disputableUntil: new Date(time).toISOString(),
        }),
      },
      emit: (name, told) => void this.emitted.push([name, this.events.emitFrom(name, told)]),
    });
    return wait === null;
  }
}

/** Returns an addition to a timeout's error: the order has no worker. Empty if it has one. */
export function untakenOf<Result>(hired: Hired<Result> | null): string {
  const { orderId, releasedBy = [] } = hired?.['open'] ?? {};
  if (orderId === undefined) return '';
  const by = releasedBy.at(-1);
  return by === undefined
    ? `; no agent has accepted ${orderId} yet`
    : `; ${by} has given ${orderId} back, and no other agent has accepted it yet`;
}

interface EventFacts extends Facts {
  evidenceHash: string;
  disputableUntil: { time: number };
}

interface OrderFacts extends Facts {
  parts: AgentParts;
  order: WorkOrder;
}

const ORDER_EFFECTS: Effects<OrderFacts> = {
  unpaid: ({ order }) => {
    throw unpaid(order);
  },
  disputed: ({ order }) => {
    throw disputed(order);
  },
  settle: async ({ parts, order }) => void (await settleOnce(parts, order.orderId)),
};

/** Reasons after which verifiers keep the fee, because they judged. */
const FEE_EARNED = new Set<string | null>(['VERIFICATION_REJECTED', 'SCOPE_UNJUDGEABLE']);

function unpaid({ orderId, reason, funding, verificationFee, unjudged }: WorkOrder): AgentError {
  if (reason === 'SPLIT') return unpaidWith({ orderId, reason }, contestBondOf(funding));
  // Without a verdict, the fee has already gone to the requester or the verifiers.
  const refund = funding + (FEE_EARNED.has(reason) || unjudged ? 0 : verificationFee);
  return unpaidWith({ orderId, reason }, refund);
}

function unpaidWith(end: Pick<WorkOrder, 'orderId' | 'reason'>, refund: number): AgentError {
  const { orderId, reason } = end;
  return new AgentError('ORDER_UNPAID', `${orderId}, ${reason}, refund of ${netText(refund)}`, {
    data: { orderId, reason, refund },
  });
}

function disputed({ orderId, dispute, deadline }: WorkOrder): AgentError {
  const { openedBy = null } = dispute ?? {};
  const { time = null, height = null } = deadline ?? {};
  return new AgentError('ORDER_DISPUTED', `${orderId}, by ${openedBy}, until ${time}`, {
    data: { orderId, openedBy, deadline: time, height },
  });
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8Text(bytes);
  } catch {
    return null;
  }
}
