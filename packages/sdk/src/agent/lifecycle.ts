import { lastEventId } from '@netd/protocol';
import { onInterrupt } from '#home';
import { AgentError, codeOf } from './agent-error.ts';
import { keepBeacon, LONGEST_LOOK, type BeaconOptions } from './beacon.ts';
import type { EventType } from '../events.ts';
import type { NetError } from '../http.ts';
import type { Memory } from './memory.ts';
import { MessageWorker, type MessageHandler } from './message-worker.ts';
import type { Message } from './message.ts';
import { SLOW_POLL, type AgentParts } from './parts.ts';
import type { RuntimeWorker } from './runtime-worker.ts';
import type { OrderWorker } from './order-worker.ts';
import { unlessStopped } from './poller.ts';
import type { AgentEventName } from './emitter.ts';

/** Report of a tick. */
export interface Ticked {
  /** Number of events by name, from the opening of the agent on. */
  did: Partial<Record<AgentEventName, number>>;
  /** When the agent wants its next tick, in milliseconds since 1970: a minute from now at the latest. */
  nextAt: number;
  /** True if the tick reached a bound, so that there may be more to do. Then `nextAt` is now. */
  more: boolean;
}

/** Milliseconds for the last checkpoint. All changes are on disk anyway. */
const LAST_CHECKPOINT = 5_000;
const TRY_AGAIN = 5_000;

export class Lifecycle {
  readonly workers: OrderWorker[] = [];
  readonly runtimes: RuntimeWorker[] = [];
  readonly asked = new Set<string>();
  handler: MessageHandler | null = null;
  memory: Memory | null = null;
  private readonly parts: AgentParts;
  private readonly beacon: BeaconOptions | null;
  private readonly sessionId: string | null;
  private readonly controller: AbortController;
  /** True if the beacon could not be published yet, or its content has changed. */
  private beaconIsDue = false;
  private beaconPause = LONGEST_LOOK;
  private warnedOfBeacon = false;
  private warnedOfRefusal = false;
  private publishing: Promise<unknown> = Promise.resolve();
  private listening: Promise<void> | null = null;
  private running: Promise<void> | null = null;
  /** True once the workers run. A worker added later would never start. */
  private hasBegun = false;
  private stopping: Promise<void> | null = null;

  constructor(
    parts: AgentParts,
    beacon: BeaconOptions | null,
    sessionId: string | null,
    controller: AbortController,
  ) {
    this.parts = parts;
    this.beacon = beacon;
    this.sessionId = sessionId;
    this.controller = controller;
  }

  requireRoom(what: string, before: unknown): void {
    if (this.stopping) throw new AgentError('AGENT_STOPPED', what);
    if (before !== undefined && before !== null) throw new AgentError('HANDLER_TWICE', what);
    if (this.hasBegun) throw new AgentError('HANDLER_TOO_LATE', what);
  }

  get hasBeacon(): boolean {
    return this.beacon !== null;
  }

  async run(signal: AbortSignal | undefined, signals: boolean): Promise<void> {
    // `run` waits for the same stop, and reports its error.
    const stop = (): void => void this.stop().catch(() => {});
    const release = signals ? onInterrupt(stop) : () => {};
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    try {
      this.running ??= this.work();
      await this.running;
      // An abort with our own error means that the agent cannot continue.
      const reason: unknown = this.controller.signal.reason;
      const isOver = reason instanceof AgentError && reason.code !== 'AGENT_STOPPED';
      if (isOver) await this.stop();
      await this.stopping;
      if (isOver) throw reason;
    } finally {
      release();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Works as `run` does until there is nothing more to do now, or a bound is reached, and then stops. */
  async tick({ timeout, jobs }: { timeout: number; jobs: number }): Promise<Ticked> {
    if (this.running) throw new AgentError('AGENT_RUNNING', 'run was called');
    const { poller, events } = this.parts;
    poller.beginTick(jobs);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.stop().catch(() => {});
    }, timeout);
    try {
      await this.run(undefined, false);
    } finally {
      clearTimeout(timer);
      await this.stop();
    }
    const more = isLate || poller.isSpent;
    const now = Date.now();
    const nextAt = more ? now : Math.min(poller.nextAt, now + SLOW_POLL);
    return { did: { ...events.counts }, nextAt, more };
  }

  async stop(): Promise<void> {
    this.stopping ??= (async () => {
      this.parts.origins.hurry();
      await this.lastCheckpoint();
      this.controller.abort(new AgentError('AGENT_STOPPED', this.parts.agentId));
      // `run` reports its error. The state must still be closed, or the agent could not be opened again.
      await this.running?.catch(() => {});
      await this.listening;
      await this.memory?.flush();
      await this.parts.state.close();
    })();
    await this.stopping;
  }

  async listenForOwn(): Promise<void> {
    if (this.listening) return;
    const after = await this.now();
    this.listening ??= this.listen({ agent: this.parts.agentId, after });
  }

  private async now(): Promise<string> {
    return lastEventId(await this.parts.retryingClient.height());
  }

  async keepBeacon(): Promise<void> {
    const { beacon } = this;
    if (beacon === null) return;
    const turn = this.publishing.catch(() => {}).then(() => keepBeacon(this.parts, beacon));
    this.publishing = turn;
    const next = await turn;
    this.beaconIsDue = next === null;
    this.beaconPause = next ?? SLOW_POLL;
  }

  async firstBeacon(): Promise<void> {
    try {
      await this.keepBeacon();
    } catch (error) {
      if (codeOf(error) !== 'BLOB_NOT_STORED') throw error;
      this.beaconIsDue = true;
      this.parts.events.warn(error, 'the beacon');
    }
  }

  async publishBeacon(): Promise<void> {
    this.beaconIsDue = true;
    await this.catchUpOnBeacon();
  }

  async catchUpOnBeacon(): Promise<void> {
    if (!this.beaconIsDue) return;
    await this.parts.origins.known(1);
    await this.keepBeacon();
    if (!this.beaconIsDue || this.warnedOfBeacon) return;
    this.warnedOfBeacon = true;
    this.parts.events.warn(new AgentError('BLOB_ORIGIN_UNKNOWN'));
  }

  private async work(): Promise<void> {
    const { poller, time } = this.parts;
    let after = '';
    try {
      if (poller.ticks) await unlessStopped(poller, time.known);
      else {
        after = await this.now();
        await this.listenForOwn();
      }
    } catch (error) {
      if (this.controller.signal.aborted) return;
      throw error;
    }
    this.hasBegun = true;
    const works = [...this.workers, ...this.runtimes].map((worker) => worker.run());
    // Without a handler, questions stay pending until a run that has one.
    if (this.handler || (this.parts.encryption && this.parts.events.has('answer'))) {
      const kinds = this.handler ? null : 'RESPONSE';
      const hear = (message: Message): ReturnType<typeof this.hear> => this.hear(message);
      const worker = new MessageWorker(this.parts, hear, { asked: this.asked, only: kinds });
      works.push(worker.run());
    }
    if (this.workers.length > 0 && !poller.ticks)
      works.push(this.listen({ type: 'WorkOrderCreated', after }));
    const ends = await Promise.allSettled([...works, this.keepBeaconCurrent()]);
    if (this.controller.signal.aborted) return;
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  /** If the node is away, the next start makes the checkpoint. */
  private async lastCheckpoint(): Promise<void> {
    const { signal } = this.controller;
    if (signal.aborted) return;
    const commit = this.memory?.commit().catch((error: unknown) => {
      if (!signal.aborted) this.parts.events.warn(error);
    });
    if (!commit) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, LAST_CHECKPOINT)));
    await Promise.race([commit, late, this.parts.retryingClient.whenAway()]);
    clearTimeout(timer);
  }

  private async hear(message: Message): Promise<ReturnType<MessageHandler>> {
    if (message.kind === 'RESPONSE') {
      this.parts.events.emit('answer', { messageId: message.messageId, message });
      return null;
    }
    return this.handler?.(message);
  }

  private async listen(filter: { agent?: string; type?: EventType; after: string }): Promise<void> {
    const { retryingClient, poller, events, genesisHash } = this.parts;
    const { health } = retryingClient;
    health.heard(filter, false);
    try {
      for await (const event of retryingClient.client.events({
        ...filter,
        genesisHash,
        signal: poller.signal,
        refused: (error) => this.warnOfRefusal(error),
        streaming: (isOpen) => health.heard(filter, isOpen),
      })) {
        if (event.type === 'SessionEnded' && event.data.sessionId === this.sessionId) {
          this.controller.abort(new AgentError('SESSION_ENDED', event.data.reason));
        }
        poller.wake();
      }
    } catch (error) {
      if (poller.signal.aborted) return;
      // A node may send this code without a comparison of chains.
      const isReplaced = error instanceof AgentError && error.code === 'CHAIN_REPLACED';
      if (isReplaced) this.controller.abort(error);
      else events.warn(error, 'the event feed');
    } finally {
      if (poller.signal.aborted) health.left(filter);
    }
  }

  private warnOfRefusal(error: NetError): void {
    if (this.warnedOfRefusal) return;
    this.warnedOfRefusal = true;
    this.parts.events.warn(error, 'the event feed');
  }

  private async keepBeaconCurrent(): Promise<void> {
    const { poller, origins, events } = this.parts;
    let patience = TRY_AGAIN;
    for (let isLater = false; ; isLater = true) {
      try {
        if (isLater) {
          await poller.pause(this.beaconPause);
          await origins.refresh();
          await this.keepBeacon();
        }
        await this.catchUpOnBeacon();
        patience = TRY_AGAIN;
      } catch (error) {
        if (poller.signal.aborted) return;
        this.beaconPause = Math.min(SLOW_POLL, this.beaconIsDue ? patience : this.beaconPause);
        patience *= 2;
        events.warn(error, 'the beacon');
      }
      // Every tick opens the agent, which renews the beacon.
      if (poller.ticks) return;
    }
  }
}
