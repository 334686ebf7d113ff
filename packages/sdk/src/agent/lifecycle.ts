/** An agent from its start to its end: what it listens to, keeps current, and leaves behind. */
import { lastEventId } from '@netd/protocol';
import { onInterrupt } from '#home';
import { AgentError, codeOf } from './agent-error.ts';
import { keepBeacon, LONGEST_LOOK, type BeaconOptions } from './beacon.ts';
import type { NetError } from '../http.ts';
import type { Memory } from './memory.ts';
import { MessageWorker, type MessageHandler } from './message-worker.ts';
import type { Message } from './message.ts';
import { SLOW_POLL, type AgentParts } from './parts.ts';
import type { RuntimeWorker } from './runtime-worker.ts';
import type { OrderWorker } from './order-worker.ts';

/** Milliseconds for the last checkpoint of an agent that stops; all of it is on disk anyway. */
const LAST_CHECKPOINT = 5_000;
/** Milliseconds until a beacon that is due is tried again; twice as many after each time that it fails. */
const TRY_AGAIN = 5_000;

export class Lifecycle {
  readonly workers: OrderWorker[] = [];
  readonly runtimes: RuntimeWorker[] = [];
  /** Questions of this process: their answers go to their callers. */
  readonly asked = new Set<string>();
  handler: MessageHandler | null = null;
  memory: Memory | null = null;
  private readonly parts: AgentParts;
  private readonly beacon: BeaconOptions | null;
  private readonly sessionId: string | null;
  private readonly controller: AbortController;
  /** There was neither an endpoint nor a store for its metadata yet, or what it says has changed. */
  private beaconIsDue = false;
  /** Milliseconds until the beacon is looked at again. */
  private beaconPause = LONGEST_LOOK;
  private warnedOfBeacon = false;
  private warnedOfRefusal = false;
  private publishing: Promise<unknown> = Promise.resolve();
  private listening: Promise<void> | null = null;
  private running: Promise<void> | null = null;
  /** Whether the workers have begun: one that is added later would not. */
  private hasBegun = false;
  private stopping: Promise<void> | null = null;

  /**
   * @param beacon what it publishes of itself; null where it publishes none
   * @param sessionId the session it acts under, whose end is its own
   * @param controller ends whatever waits; aborted with an AgentError, it is why the agent cannot go on
   */
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

  /**
   * Refuses a handler that would never be called, or that would take the place of another one.
   * @throws AgentError AGENT_STOPPED, HANDLER_TOO_LATE once the workers have begun, HANDLER_TWICE
   */
  requireRoom(what: string, before: unknown): void {
    if (this.stopping) throw new AgentError('AGENT_STOPPED', what);
    if (before !== undefined && before !== null) throw new AgentError('HANDLER_TWICE', what);
    if (this.hasBegun) throw new AgentError('HANDLER_TOO_LATE', what);
  }

  /** Whether it publishes a beacon. */
  get hasBeacon(): boolean {
    return this.beacon !== null;
  }

  /**
   * Works until `stop`, the abort signal, or SIGINT and SIGTERM if `signals` is true.
   * @throws AgentError SESSION_ENDED if its session has ended, CHAIN_REPLACED if the node serves another chain now
   */
  async run(signal: AbortSignal | undefined, signals: boolean): Promise<void> {
    const stop = (): void => void this.stop();
    const release = signals ? onInterrupt(stop) : () => {};
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    try {
      this.running ??= this.work();
      await this.running;
      // Aborted with an error of ours: it cannot go on.
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

  /** Ends it in order: what is under way is on disk, and the next start goes on. */
  async stop(): Promise<void> {
    this.stopping ??= (async () => {
      this.parts.origins.hurry();
      await this.lastCheckpoint();
      this.controller.abort(new AgentError('AGENT_STOPPED', this.parts.agentId));
      await this.running;
      await this.listening;
      await this.memory?.flush();
      await this.parts.state.close();
    })();
    await this.stopping;
  }

  /** Hears what happens to the agent, from its first need on. */
  async listenForOwn(): Promise<void> {
    if (this.listening) return;
    const after = await this.now();
    this.listening ??= this.listen({ agent: this.parts.agentId, after });
  }

  /** The event id behind everything so far: taken before the first look, so that nothing falls in between. */
  private async now(): Promise<string> {
    return lastEventId(await this.parts.retryingClient.height());
  }

  /** Publishes the beacon where it is not current. */
  async keepBeacon(): Promise<void> {
    const { beacon } = this;
    if (beacon === null) return;
    // One after the other: each has the next sequence.
    const turn = this.publishing.catch(() => {}).then(() => keepBeacon(this.parts, beacon));
    this.publishing = turn;
    const next = await turn;
    this.beaconIsDue = next === null;
    this.beaconPause = next ?? SLOW_POLL;
  }

  /**
   * Publishes the beacon where it is not current. Stores that do not take its metadata keep no agent from its work:
   * that is said, and they are asked again.
   */
  async firstBeacon(): Promise<void> {
    try {
      await this.keepBeacon();
    } catch (error) {
      if (codeOf(error) !== 'BLOB_NOT_STORED') throw error;
      this.beaconIsDue = true;
      this.parts.events.warn(error, 'the beacon');
    }
  }

  /** Publishes what has changed; where it cannot now, later. */
  async publishBeacon(): Promise<void> {
    this.beaconIsDue = true;
    await this.catchUpOnBeacon();
  }

  /** Publishes what is due once there is a store for its metadata; says so where none comes, once. */
  async catchUpOnBeacon(): Promise<void> {
    if (!this.beaconIsDue) return;
    await this.parts.origins.known(1);
    await this.keepBeacon();
    if (!this.beaconIsDue || this.warnedOfBeacon) return;
    this.warnedOfBeacon = true;
    this.parts.events.warn(new AgentError('BLOB_ORIGIN_UNKNOWN'));
  }

  private async work(): Promise<void> {
    let after: string;
    try {
      after = await this.now();
      await this.listenForOwn();
    } catch (error) {
      if (this.controller.signal.aborted) return;
      throw error;
    }
    this.hasBegun = true;
    const works = [...this.workers, ...this.runtimes].map((worker) => worker.run());
    // Without a handler only answers are heard; questions stay until they are answered.
    if (this.handler || (this.parts.encryption && this.parts.events.has('answer'))) {
      const kinds = this.handler ? null : 'RESPONSE';
      const hear = (message: Message): ReturnType<typeof this.hear> => this.hear(message);
      const worker = new MessageWorker(this.parts, hear, { asked: this.asked, only: kinds });
      works.push(worker.run());
    }
    if (this.workers.length > 0) works.push(this.listen({ type: 'WorkOrderCreated', after }));
    const ends = await Promise.allSettled([...works, this.keepBeaconCurrent()]);
    if (this.controller.signal.aborted) return;
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  /** Commits what has changed, unless the node is away: all of it is on disk, and the next start commits it. */
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

  /** Wakes the waits that an event may concern. */
  private async listen(filter: { agent?: string; type?: string; after: string }): Promise<void> {
    const { retryingClient, poller, events, genesisHash } = this.parts;
    try {
      for await (const event of retryingClient.client.events({
        ...filter,
        genesisHash,
        signal: poller.signal,
        refused: (error) => this.warnOfRefusal(error),
      })) {
        const isOver = event.type === 'SessionEnded' && event.data['sessionId'] === this.sessionId;
        if (isOver) {
          this.controller.abort(new AgentError('SESSION_ENDED', String(event.data['reason'])));
        }
        poller.wake();
      }
    } catch (error) {
      if (poller.signal.aborted) return;
      // Ours only: a node that refuses with this code has compared nothing.
      const isReplaced = error instanceof AgentError && error.code === 'CHAIN_REPLACED';
      if (isReplaced) this.controller.abort(error);
      // The slow look goes on without it.
      else events.warn(error, 'the event feed');
    }
  }

  /** Says once that the agent hears of nothing until its next poll. */
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
        // Also after what failed: a store that is away refuses at once.
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
    }
  }
}
