/** Finds matching orders, accepts as many as allowed, and continues its accepted ones. */
import { FormatError } from '@netd/formats';
import { shown } from '../option-names.ts';
import { AgentError } from './agent-error.ts';
import { keepPolling } from './poll-loop.ts';
import { SLOW_POLL, type AgentParts, type WorkOrder } from './parts.ts';
import { backoff, unlessStopped } from './poller.ts';
import {
  bondBeyondBalance,
  fetchScope,
  leastFunding,
  unsuitabilityOf,
  type WorkOptions,
} from './work-offer.ts';
import type { ServiceOrder } from './service.ts';
import { requireWorkable } from './workable.ts';
import { JobRunner, RESTING, type JobHandler, type JobRecord, type JobTypes } from './work-job.ts';

const PAGE = 100;
const MAX_SKIPPED = 10_000;
const MAX_LOGGED = 100;
/** Attempts to fetch a scope. */
const SCOPE_TRIES = 8;
const NOT_YET = new Set<string>(['SCOPE_MISSING', 'INPUT_MISSING', 'BLOB_UNAVAILABLE']);
const QUICK = 1_000;
/** Slow checks that run in the background, one per requester. */
const MOST_SLOW = 16;

type Listed = Parameters<ReturnType<typeof unsuitabilityOf>>[0] &
  Pick<WorkOrder, 'orderId'> &
  ServiceOrder;

export class OrderWorker {
  private readonly parts: AgentParts;
  private readonly options: WorkOptions;
  private readonly unsuitability: (order: Listed, least: number) => string | null;
  private readonly leastFunding: ReturnType<typeof leastFunding>;
  private readonly runner: JobRunner;
  private readonly jobs = new Map<string, Promise<void>>();
  private readonly working = new Set<string>();
  private readonly logged = new Set<string>();
  private readonly skipped = new Map<string, { until: number; tries: number }>();
  private readonly looking = new Map<string, string>();
  /** Checks that continue in the background. */
  private readonly slow = new Set<Promise<void>>();
  /** Acceptances queue here, so that the limit is never exceeded. */
  private taking: Promise<unknown> = Promise.resolve();
  private fullUntil = 0;
  private clockWrongUntil = -Infinity;

  constructor(
    parts: AgentParts,
    options: WorkOptions,
    handler: JobHandler,
    {
      typesOf = () => options,
      unsuited = () => null,
    }: {
      typesOf?: (order: WorkOrder) => JobTypes;
      unsuited?: (order: ServiceOrder) => string | null;
    } = {},
  ) {
    this.parts = parts;
    this.options = options;
    const unsuitability = unsuitabilityOf(options, parts);
    this.unsuitability = (order, least) => unsuited(order) ?? unsuitability(order, least);
    this.leastFunding = leastFunding(options, parts);
    this.runner = new JobRunner(parts, handler, typesOf);
  }

  resume(jobType?: string): void {
    this.runner.rejections.resume(jobType);
  }

  async run(): Promise<void> {
    await this.takeUp();
    const settle = (): Promise<unknown> =>
      Promise.allSettled([this.taking, ...this.slow, ...this.jobs.values()]);
    await keepPolling(this.parts, () => this.look(), this.skipped, settle);
    await settle();
  }

  private async takeUp(): Promise<void> {
    for (const record of await this.runner.records.all()) {
      this.start(record);
    }
    for (const status of ['ACCEPTED', 'VERIFYING'] as const) {
      for await (const order of this.ordersOf(status)) {
        if (order.workerId !== this.parts.agentId || this.jobs.has(order.orderId)) continue;
        const { orderId, result } = order;
        const deliverableHash = result?.deliverableHash ?? null;
        this.start({ orderId, step: 'accepted', attempts: 0, deliverableHash });
      }
    }
  }

  private async look(): Promise<void> {
    const { origins } = this.parts;
    if (this.isFull()) return;
    if (origins.places().length === 0) await origins.refresh();
    for await (const { orderId, requesterId } of this.candidates()) {
      if (this.isFull() || this.looking.size >= MOST_SLOW) return;
      // Check one order per requester at a time, so that a slow store delays only its requester's orders.
      if ([...this.looking.values()].includes(requesterId)) continue;
      await this.unlessSlow(orderId, this.consider(orderId, requesterId));
    }
  }

  private async unlessSlow(orderId: string, look: Promise<void>): Promise<void> {
    const { poller, events } = this.parts;
    let isLeft = false;
    const looked = (async () => {
      try {
        await look;
        if (isLeft) poller.wake();
      } catch (error) {
        if (!isLeft) throw error;
        if (!poller.signal.aborted) events.warn(error, orderId);
      }
    })();
    this.slow.add(looked);
    const forget = (): unknown => this.slow.delete(looked);
    looked.then(forget, forget);
    try {
      await Promise.race([looked, poller.pause(QUICK)]);
    } finally {
      isLeft = true;
    }
  }

  private isFull(): boolean {
    const { signal, isSpent } = this.parts.poller;
    const most = this.options.concurrency ?? 1;
    if (performance.now() < this.clockWrongUntil) return true;
    if (signal.aborted || isSpent) return true;
    return this.working.size >= most || this.parts.time.now() < this.fullUntil;
  }

  /** Yields the orders that name the agent first. */
  private async *candidates(): AsyncGenerator<Pick<WorkOrder, 'orderId' | 'requesterId'>> {
    const { retryingClient } = this.parts;
    const least = await this.leastFunding();
    for await (const order of this.ordersOf('OPEN')) {
      if (this.isWorthALook(order, least, 'named')) yield order;
    }
    const pages = retryingClient.pages('/v1/agent-opportunities', { limit: PAGE });
    for await (const { opportunities } of pages) {
      for (const order of opportunities) if (this.isWorthALook(order, least, 'market')) yield order;
    }
  }

  private async *ordersOf(status: 'OPEN' | 'ACCEPTED' | 'VERIFYING'): AsyncGenerator<WorkOrder> {
    const { retryingClient, agentId } = this.parts;
    const query = { agentId, status, limit: PAGE };
    for await (const { orders } of retryingClient.pages('/v1/work-orders', query)) yield* orders;
  }

  private isWorthALook(order: Listed, least: number, list: 'named' | 'market'): boolean {
    const { orderId, jobType } = order;
    if (this.runner.rejections.isPaused(jobType) || this.jobs.has(orderId)) return false;
    if (this.looking.has(orderId)) return false;
    if (this.parts.time.now() < (this.skipped.get(orderId)?.until ?? 0)) return false;
    const reason = this.unsuitability(order, least);
    if (reason === null) return true;
    const { code, message } = new AgentError('ORDER_UNSUITABLE', reason);
    this.skip(orderId, {
      code,
      reason: message,
      until: Infinity,
      isSaid: this.saysOf(list, reason),
    });
    return false;
  }

  /**
   * True if a skip is reported. Listeners get every order; the log gets each order that names the agent, but
   * each market reason once.
   */
  private saysOf(list: 'named' | 'market', reason: string): boolean {
    if (list === 'named' || this.parts.events.has('skipped')) return true;
    if (this.logged.has(reason) || this.logged.size >= MAX_LOGGED) return false;
    this.logged.add(reason);
    return true;
  }

  private async consider(orderId: string, requesterId: string): Promise<void> {
    this.looking.set(orderId, requesterId);
    try {
      const order = await this.parts.retryingClient.order(orderId);
      if (order?.status !== 'OPEN') return;
      await this.parts.origins.requireClock();
      // The list may differ from the proven order.
      if (this.unsuitability(order, await this.leastFunding()) !== null)
        throw new AgentError('ORDER_CHANGED', orderId);
      if (await this.isBeyondMeans(order)) return;
      const read = await fetchScope(this.parts, order);
      await requireWorkable(this.parts, order, read.scope, read.sealed);
      await this.runner.dataOf(order, read.scope);
      const taken = this.taking.then(() => this.take(order, read));
      this.taking = taken.catch(() => {});
      await taken;
    } catch (error) {
      if (!(error instanceof FormatError) && !(error instanceof AgentError)) throw error;
      if (error.code === 'CLOCK_WRONG') {
        this.waitForClock(error);
        return;
      }
      const tries = (this.skipped.get(orderId)?.tries ?? 0) + 1;
      // A roster can grow at any time.
      const again =
        error.code === 'ORDER_UNVERIFIABLE' || (NOT_YET.has(error.code) && tries < SCOPE_TRIES);
      const until = again ? this.parts.time.now() + 2 * backoff(tries) : Infinity;
      this.skip(orderId, { code: error.code, reason: error.message, until });
    } finally {
      this.looking.delete(orderId);
    }
  }

  private waitForClock(error: Error): void {
    if (performance.now() < this.clockWrongUntil) return;
    this.clockWrongUntil = performance.now() + SLOW_POLL / 2;
    this.parts.events.warn(error);
  }

  private async take(
    order: WorkOrder,
    { bytes, scope, sealed }: Awaited<ReturnType<typeof fetchScope>>,
  ): Promise<void> {
    if (this.isFull()) return;
    const { accept } = this.options;
    const { poller } = this.parts;
    const offer = { order, scope, sealed };
    if (accept && !(await unlessStopped(poller, (async () => accept(offer))()))) {
      const reason = `the accept function declined ${shown(order.jobType)}`;
      this.skip(order.orderId, { code: 'NOT_ACCEPTED', reason, until: Infinity });
      return;
    }
    if (poller.signal.aborted) return;
    this.start(await this.runner.choose(order, bytes));
  }

  /** True if the bond exceeds the balance. The order is checked again later. */
  private async isBeyondMeans({ orderId, workerBond }: WorkOrder): Promise<boolean> {
    if (workerBond === 0) return false;
    const { retryingClient, agentId } = this.parts;
    const { account } = await retryingClient.read('/v1/agents/{agentId}', { agentId });
    if (account.balance >= workerBond) return false;
    const { code, message: reason } = bondBeyondBalance(workerBond);
    this.skip(orderId, { code, reason, until: this.parts.time.now() + SLOW_POLL });
    return true;
  }

  /**
   * Emits only the first skip of an order, and its final one.
   * @param skip `until` is Infinity if the order is never checked again
   */
  private skip(
    orderId: string,
    {
      code,
      reason,
      until,
      isSaid = true,
    }: { code: string; reason: string; until: number; isSaid?: boolean },
  ): void {
    const tries = (this.skipped.get(orderId)?.tries ?? 0) + 1;
    this.skipped.delete(orderId);
    this.skipped.set(orderId, { until, tries });
    if (isSaid && (tries === 1 || until === Infinity)) {
      this.parts.events.emit('skipped', { orderId, code, reason });
    }
    const [oldest] = this.skipped.keys();
    if (this.skipped.size > MAX_SKIPPED && oldest !== undefined) this.skipped.delete(oldest);
  }

  private start(record: JobRecord): void {
    const { poller } = this.parts;
    const { orderId } = record;
    this.working.add(orderId);
    const busy = (working: boolean): void => {
      if (!working && this.working.delete(orderId)) poller.wake();
    };
    const run = (async () => {
      const next = await this.runner.run(record, busy);
      this.jobs.delete(orderId);
      if (next === RESTING) return;
      const later = this.parts.time.now() + SLOW_POLL;
      if (next === 'full') this.fullUntil = later;
      else if (next !== undefined) {
        this.skipped.set(orderId, { until: next === 'later' ? later : Infinity, tries: 1 });
      } else {
        // An ended order frees a slot on the chain, so search now.
        this.fullUntil = 0;
        poller.wake();
      }
      busy(false);
    })();
    this.jobs.set(orderId, run);
  }
}
