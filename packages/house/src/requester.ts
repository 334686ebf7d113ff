import { randomUUID } from 'node:crypto';
import { contestBondOf, DEFAULT_CONDITION_KINDS, sha256Hex, UNET_PER_NET } from '@netd/protocol';
import { NetError } from '@netd/sdk';
import { FAIR_WORK } from '@netd/sdk/internal';
import { conditionKindsOf, workScope, type WorkScope } from '@netd/formats';
import { JOB_KINDS, scopeOf, SKILL, type JobKind } from './jobs.ts';
import type { Content } from './content.ts';
import { FailingWorkers } from './failing-workers.ts';
import { CoalescedPoll } from './coalesced-poll.ts';
import { expectRefusal, type Member } from './member.ts';
import { judgeOrder, type WorkOrder } from './verdict.ts';

const DESCRIPTION =
  'Offers work that is worth doing on any chain, for the operator of this devnet.';
/** Balance in unet to reach with the faucet. */
const FAUCET_AMOUNT = 1_000 * UNET_PER_NET;
const FOR_LONG = { heights: 1_000_000, milliseconds: 360 * 86_400_000 };
/** Short, so that an idle worker does not block a job for longer. */
const DELIVERY = { heights: 10, milliseconds: 600_000 };
/** Time after the dispute window in which the worker may settle before the requester does. */
const GRACE_MILLISECONDS = 20_000;
const RETRY_MILLISECONDS = 10_000;
const SHORT_MILLISECONDS = 600_000;
/** No house can have created this many orders of one kind. A node that claims it is wrong. */
const MOST_ORDERS = 2 ** 30;
/** Maximum number of order ids that may turn out to be used already. */
const MOST_TAKEN = 2;
const MAX_TIMER = 2 ** 31 - 1;
const WINDOW_OVER = ['WORK_NOT_VERIFIED', 'DISPUTE_WINDOW_CLOSED'];

export class Requester {
  private readonly member: Member;
  private readonly echoId: string;
  private readonly content: Content;
  private readonly funding: number;
  private readonly next = new Map<JobKind, number>();
  private readonly polling: CoalescedPoll;
  readonly workers = new FailingWorkers();
  /** Times in milliseconds since 1970 until which a kind pauses, because its last worker keeps failing. */
  private readonly notBefore = new Map<JobKind, number>();
  /** Length of a kind's next pause in milliseconds, after the node denied new orders. */
  private readonly confusions = new Map<JobKind, number>();
  private short = false;
  private lackedJury = false;

  constructor(member: Member, funding: number, echoId: string, content: Content) {
    this.member = member;
    this.funding = funding;
    this.echoId = echoId;
    this.content = content;
    const { tell, signal } = member.house;
    const failed = (error: unknown): void => {
      if (error instanceof NetError && error.code === 'WORK_JURY_UNAVAILABLE') {
        const isFirst = !this.lackedJury;
        this.lackedJury = true;
        this.after(isFirst ? RETRY_MILLISECONDS : SHORT_MILLISECONDS, () => void this.lookAgain());
        // The first lack of a jury is not reported, because verifiers may still be joining.
        if (isFirst) return;
      }
      tell({ kind: 'say', text: `${this.actorId} could not offer: ${(error as Error).message}` });
    };
    this.polling = new CoalescedPoll({ poll: () => this.offer(), failed, signal });
  }

  get actorId(): string {
    return this.member.actorId;
  }

  async takeUp(): Promise<void> {
    const { member } = this;
    const agent = await member.join(DESCRIPTION);
    await member.extend(agent, ['faucet', 'createWorkOrder']);
    const { balance } = agent.account;
    // Fund only at the start. Later jobs use the balance that is left.
    if (balance < this.cost) await member.fund(balance, this.cost, FAUCET_AMOUNT);
    await this.keepBeacon();
    await this.settleWhatIsDue();
    await this.lookAgain();
  }

  keepBeacon(): Promise<void> {
    return this.member.keepBeacon({
      description: DESCRIPTION,
      capabilities: ['procurement'],
      protocols: ['netd-http/1'],
    });
  }

  lookAgain(): Promise<void> {
    return this.polling.request();
  }

  async moneyCame(): Promise<void> {
    if (this.short) await this.lookAgain();
  }

  async taken(orderId: string, workerId: string): Promise<void> {
    const kind = JOB_KINDS.find((one) => orderId.startsWith(`house-${one}-`));
    const wait = this.workers.backoff(workerId);
    if (kind !== undefined && wait > 0) {
      this.pauseKind(kind, wait);
      const text = `${workerId} keeps failing: the next ${kind} job is offered in ${Math.round(wait / 60_000)} minutes`;
      this.member.house.tell({ kind: 'say', text });
    }
    await this.lookAgain();
  }

  private pauseKind(kind: JobKind, milliseconds: number): void {
    this.notBefore.set(kind, Date.now() + milliseconds);
    this.after(milliseconds, () => void this.lookAgain());
  }

  /** Returns an upper bound of funding and fee, in unet. */
  private get cost(): number {
    return 2 * this.funding;
  }

  private async offer(): Promise<void> {
    const { house } = this.member;
    const open = new Set<string>();
    for await (const { orders } of house.client.pages('/v1/work-orders', { status: 'OPEN' })) {
      for (const { requesterId, jobType } of orders) {
        if (requesterId === this.actorId) open.add(jobType);
      }
    }
    for (const kind of JOB_KINDS) {
      if (house.signal.aborted) return;
      if (Date.now() < (this.notBefore.get(kind) ?? 0)) continue;
      if (!open.has(kind) && !(await this.create(kind))) return;
    }
  }

  private async create(kind: JobKind): Promise<boolean> {
    const { member, echoId, content } = this;
    const { client, isOurs: isHouse } = member.house;
    const { account } = await client.read('/v1/agents/{agentId}', { agentId: this.actorId });
    if (!(await member.fund(account.balance, this.cost, FAUCET_AMOUNT))) {
      if (!this.short) {
        const text = `${this.actorId} is short of money and offers no more work until a transfer to it arrives`;
        member.house.tell({ kind: 'say', text });
      }
      this.short = true;
      this.after(SHORT_MILLISECONDS, () => void this.lookAgain());
      return false;
    }
    this.short = false;
    const scope = await scopeOf(kind, { client, content, echoId, isHouse });
    const blob = workScope.make(scope);
    await member.store(blob);
    const number = this.next.get(kind) ?? (await this.firstFree(kind));
    let orderId = orderIdOf(kind, number);
    // An earlier attempt may have succeeded and used the number.
    let taken = 0;
    while (
      !(await member.actUnless(['WORK_ORDER_EXISTS'], 'createWorkOrder', {
        orderId,
        title: scope.title,
        scopeHash: blob.hash,
        jobType: kind,
        requirements: [SKILL[kind]],
        funding: this.funding,
        acceptWithin: FOR_LONG,
        deliverWithin: DELIVERY,
        ...(await this.declared(scope)),
      }))
    ) {
      const { status, requesterId } = await this.orderAt(orderId);
      if (status === 'OPEN' && requesterId === this.actorId) break;
      // A lying node could create each order and then deny it.
      if (++taken > MOST_TAKEN) this.confused(kind, `${taken} new ${kind} orders`);
      // A stranger may have used the next numbers. It cannot guess this id.
      orderId = unguessable(kind, number);
    }
    this.next.set(kind, number + 1);
    if (taken === 0) this.confusions.delete(kind);
    return true;
  }

  /**
   * Returns the kinds of conditions to declare. Version 1 of the rules has no such declaration, and questions
   * are not a default kind.
   */
  private async declared(scope: WorkScope): Promise<{ conditionKinds?: string[] }> {
    const conditionKinds = conditionKindsOf(scope);
    if (!conditionKinds.every((kind) => DEFAULT_CONDITION_KINDS.includes(kind))) return {};
    const { rules } = await this.member.house.client.network();
    return rules.version >= FAIR_WORK ? { conditionKinds } : {};
  }

  /**
   * Pauses a kind. Each pause is twice as long as the one before.
   * @throws Error always
   */
  private confused(kind: JobKind, orders: string): never {
    const wait = this.confusions.get(kind) ?? SHORT_MILLISECONDS;
    this.next.delete(kind);
    this.pauseKind(kind, wait);
    this.confusions.set(kind, 2 * wait);
    throw new Error(`the node says of ${orders} that they exist already`);
  }

  /** Finds the first unused number by binary search. */
  private async firstFree(kind: JobKind): Promise<number> {
    const exists = async (number: number, orderId = orderIdOf(kind, number)): Promise<boolean> => {
      try {
        await this.orderAt(orderId);
        return true;
      } catch (error) {
        expectRefusal(error, 'WORK_ORDER_NOT_FOUND');
        return false;
      }
    };
    let above = 1;
    while (await exists(above)) {
      above *= 2;
      if (above <= MOST_ORDERS) continue;
      if (!(await exists(above, unguessable(kind, above)))) return above;
      this.confused(kind, `${MOST_ORDERS} ${kind} orders`);
    }
    let below = Math.floor(above / 2);
    while (above - below > 1) {
      const middle = Math.floor((above + below) / 2);
      if (await exists(middle)) below = middle;
      else above = middle;
    }
    return above;
  }

  private async orderAt(orderId: string): Promise<WorkOrder> {
    const { client } = this.member.house;
    return (await client.read('/v1/work-orders/{orderId}', { orderId })).order;
  }

  private async settleWhatIsDue(): Promise<void> {
    const { client } = this.member.house;
    for await (const { orders } of client.pages('/v1/work-orders', { status: 'VERIFYING' })) {
      for (const { orderId, requesterId, phase } of orders) {
        if (requesterId !== this.actorId) continue;
        if (phase === 'VERIFIED') await this.verified(orderId);
        if (phase === 'UNJUDGED') this.unjudged(orderId);
      }
    }
  }

  /** Settles a verified order after its dispute window, in case its worker does not. */
  async verified(orderId: string): Promise<void> {
    const { disputableUntil } = await this.orderAt(orderId);
    const end = disputableUntil ? Date.parse(disputableUntil.time) + GRACE_MILLISECONDS : 0;
    this.settleAfter(orderId, end - Date.now());
  }

  unjudged(orderId: string, wait = 0): void {
    this.after(wait, () => {
      this.disputeGarbage(orderId).catch((error: unknown) => {
        const text = `${this.actorId} could not judge ${orderId}: ${(error as Error).message}`;
        this.member.house.tell({ kind: 'say', text });
        this.unjudged(orderId, RETRY_MILLISECONDS);
      });
    });
  }

  /**
   * Disputes an unjudged result that fails a condition. Without a dispute, its worker would be paid.
   * @throws Error if the bond exceeds the balance
   */
  async disputeGarbage(orderId: string): Promise<void> {
    const { member, content } = this;
    const { house } = member;
    const order = await this.orderAt(orderId);
    if (order.phase !== 'UNJUDGED') return;
    const search = { everywhere: true, isAbsenceFinal: false };
    const verdict = await judgeOrder(house, content, order, search);
    if (verdict === null) return this.unjudged(orderId, RETRY_MILLISECONDS);
    if (!verdict.isUnmet) return;
    const bond = contestBondOf(order.funding);
    const { account } = await house.client.read('/v1/agents/{agentId}', { agentId: this.actorId });
    if (!(await member.fund(account.balance, bond, FAUCET_AMOUNT))) {
      throw new Error(`its bond of ${bond} unet is beyond the balance`);
    }
    await member.storeIfPossible({ bytes: verdict.reasons });
    const reasonHash = sha256Hex(verdict.reasons);
    await member.actUnless(WINDOW_OVER, 'openDispute', { orderId, reasonHash, bond });
  }

  private settleAfter(orderId: string, wait: number): void {
    this.after(wait, () => {
      this.settle(orderId).catch(() => this.settleAfter(orderId, RETRY_MILLISECONDS));
    });
  }

  private after(milliseconds: number, act: () => void): void {
    const { signal } = this.member.house;
    const wait = Math.min(Math.max(milliseconds, 0), MAX_TIMER);
    const timer = setTimeout(act, wait);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  private async settle(orderId: string): Promise<void> {
    if ((await this.orderAt(orderId)).phase !== 'VERIFIED') return;
    await this.member.actUnless(['WORK_NOT_VERIFIED'], 'settleVerifiedWork', { orderId });
  }
}

const unguessable = (kind: JobKind, number: number): string =>
  `${orderIdOf(kind, number)}-${randomUUID()}`;

function orderIdOf(kind: JobKind, number: number): string {
  return `house-${kind}-${number}`;
}
