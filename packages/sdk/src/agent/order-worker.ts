/** Looks for orders that match, takes as many as it may, and goes on with those in hand. */
import { FormatError } from '@netd/formats';
import { AgentError } from './agent-error.ts';
import { keepPolling } from './poll-loop.ts';
import { SLOW_POLL, type AgentParts, type WorkOrder } from './parts.ts';
import { pauseAfter } from './poller.ts';
import { fetchScope, filterOf, type WorkOptions } from './work-offer.ts';
import { hasGivenUp, JobRunner, type JobHandler, type JobRecord } from './work-job.ts';

/** Pages of orders that one look reads. */
const MAX_PAGES = 5;
const PAGE = 100;
/** Orders remembered as not worth another look. */
const MAX_SKIPPED = 10_000;
/** How often a scope that nobody has is asked for. */
const SCOPE_TRIES = 8;
/** Refusals that say something of the agent, not of the order. */
const NOT_NOW = new Set([
  'WORK_UNPROVEN_LIMIT',
  'WORK_UNFINISHED_LIMIT',
  'INSUFFICIENT_BALANCE',
  'CAPABILITY_MISSING',
]);

export class OrderWorker {
  private readonly parts: AgentParts;
  private readonly options: WorkOptions;
  private readonly matches: ReturnType<typeof filterOf>;
  private readonly runner: JobRunner;
  private readonly jobs = new Map<string, Promise<void>>();
  private readonly working = new Set<string>();
  /** Orders that are not looked at again, or not before a time. */
  private readonly skipped = new Map<string, { until: number; tries: number }>();
  /** The chain lets the agent have no further order before this time. */
  private fullUntil = 0;

  /** @throws AgentError AMOUNT_INVALID */
  constructor(parts: AgentParts, options: WorkOptions, handler: JobHandler) {
    this.parts = parts;
    this.options = options;
    this.matches = filterOf(options, parts.capabilities);
    this.runner = new JobRunner(parts, handler);
  }

  /** Takes what was paused after rejections again. */
  resume(jobType?: string): void {
    this.runner.rejections.resume(jobType);
  }

  /** Until the agent stops. */
  async run(): Promise<void> {
    await this.takeUp();
    await keepPolling(this.parts, () => this.look(), this.skipped);
    await Promise.allSettled(this.jobs.values());
  }

  /** Takes up what is in hand: by the records on this machine, and by the chain where those were lost. */
  private async takeUp(): Promise<void> {
    for (const record of await this.runner.records.all()) {
      // Also where it was stopped before it could be given back.
      if (hasGivenUp(record)) Object.assign(record, { step: 'accepted', attempts: 0 });
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
    for await (const orderId of this.candidates()) {
      if (this.isFull()) return;
      await this.consider(orderId);
    }
  }

  private isFull(): boolean {
    const { signal } = this.parts.poller;
    const most = this.options.concurrency ?? 1;
    return signal.aborted || this.working.size >= most || this.parts.time.now() < this.fullUntil;
  }

  /** Those that name the agent first, then the open market; only what may be looked at now. */
  private async *candidates(): AsyncGenerator<string> {
    const { retryingClient } = this.parts;
    for await (const order of this.ordersOf('OPEN')) {
      if (this.isWorthALook(order)) yield order.orderId;
    }
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { opportunities, nextCursor } = await retryingClient.read('/v1/agent-opportunities', {
        limit: PAGE,
        cursor,
      });
      for (const order of opportunities) if (this.isWorthALook(order)) yield order.orderId;
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  /** Orders that name the agent, or that it has accepted. */
  private async *ordersOf(status: 'OPEN' | 'ACCEPTED' | 'VERIFYING'): AsyncGenerator<WorkOrder> {
    const { retryingClient, agentId } = this.parts;
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = { agentId, status, limit: PAGE, cursor };
      const { orders, nextCursor } = await retryingClient.read('/v1/work-orders', query);
      yield* orders;
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  private isWorthALook(
    order: Parameters<typeof this.matches>[0] & { requesterId: string; jobType: string },
  ): boolean {
    const { orderId, requesterId, jobType } = order;
    if (this.runner.rejections.isPaused(jobType)) return false;
    if (requesterId === this.parts.agentId || this.jobs.has(orderId)) return false;
    return this.parts.time.now() >= (this.skipped.get(orderId)?.until ?? 0) && this.matches(order);
  }

  /** Checks everything about an order, and takes it. */
  private async consider(orderId: string): Promise<void> {
    try {
      const order = await this.parts.retryingClient.order(orderId);
      if (order?.status !== 'OPEN') return;
      // What the list said of it is not what is taken.
      if (!this.matches(order)) throw new AgentError('ORDER_CHANGED', orderId);
      const { bytes, scope, sealed } = await fetchScope(this.parts, order);
      const { accept } = this.options;
      if (accept && !(await accept({ order, scope, sealed }))) {
        this.skip(orderId, 'NOT_ACCEPTED', 'accept said no');
        return;
      }
      this.start(await this.runner.choose(order, bytes));
    } catch (error) {
      if (!(error instanceof FormatError) && !(error instanceof AgentError)) throw error;
      const missing = error.code === 'SCOPE_MISSING';
      this.skip(orderId, error.code, error.message, missing);
    }
  }

  private skip(orderId: string, code: string, reason: string, again = false): void {
    const tries = (this.skipped.get(orderId)?.tries ?? 0) + 1;
    const until =
      again && tries < SCOPE_TRIES ? this.parts.time.now() + 2 * pauseAfter(tries) : Infinity;
    this.skipped.delete(orderId);
    this.skipped.set(orderId, { until, tries });
    if (tries === 1 || until === Infinity) {
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
      // Room for the next one: look now.
      if (!working && this.working.delete(orderId)) poller.wake();
    };
    const run = this.runner.run(record, busy).finally(() => {
      this.jobs.delete(orderId);
      const refusal = this.runner.refusals.get(orderId);
      this.runner.refusals.delete(orderId);
      if (refusal !== undefined && NOT_NOW.has(refusal))
        this.fullUntil = this.parts.time.now() + SLOW_POLL;
      else if (refusal !== undefined) this.skipped.set(orderId, { until: Infinity, tries: 1 });
      // An order that has ended makes room where the chain counts.
      else this.fullUntil = 0;
      busy(false);
    });
    this.jobs.set(orderId, run);
  }
}
