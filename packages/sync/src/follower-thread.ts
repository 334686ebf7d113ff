/**
 * The engine of a copy in a thread of its own: whoever reads from the copy does not wait while a block of another node is
 * read, verified and executed.
 */
import {
  type ChainHead,
  EngineThread,
  errorFrom,
  type Following,
  type HealthIssue,
  type Store,
} from '@netd/engine';
import type { FollowerEvents } from './follower-options.ts';
import type {
  FollowerData,
  FollowerStatus,
  FromFollower,
  ToFollower,
} from './follower-messages.ts';
import type { FollowingConsensus } from './seen-follower.ts';

const WORKER = new URL('follower-worker.ts', import.meta.url);

const NOTHING_SAID: FollowerStatus = {
  issues: [],
  writers: [],
  following: { behind: null, lastHeard: null, origins: { active: 0, backoff: 0, banned: 0 } },
  halted: false,
  isCurrent: false,
};

/** Of the thread that everybody talks to; the chain is told of the blocks that the other one commits. */
interface FollowerThreadParts {
  chain: ChainHead;
  store: Store;
}

export class FollowerThread implements FollowingConsensus {
  readonly writer: string | null;
  private readonly parts: FollowerThreadParts;
  private readonly events: FollowerEvents;
  private readonly thread: EngineThread<ToFollower, FromFollower>;
  private readonly opened = Promise.withResolvers<void>();
  private isOpen = false;
  /** As it said last. */
  private status: FollowerStatus = NOTHING_SAID;

  private constructor(parts: FollowerThreadParts, data: FollowerData, events: FollowerEvents) {
    this.parts = parts;
    this.events = events;
    this.writer = data.origins[0] ?? null;
    this.thread = new EngineThread({
      file: WORKER,
      name: 'follower',
      youngMegabytes: 12,
      take: (message) => this.take(message),
      onEnd: (failure) => {
        this.status = { ...this.status, isCurrent: false };
        if (!failure) return;
        if (this.isOpen) this.events.onHalt(failure.error);
        else this.opened.reject(failure.error);
      },
    });
    this.thread.start(data);
  }

  /**
   * Resolves when the thread has opened the chain, and waits for the start.
   * @throws StoreError where the tree in the store does not match its head
   */
  static async open(
    parts: FollowerThreadParts,
    data: FollowerData,
    events: FollowerEvents,
  ): Promise<FollowerThread> {
    const follower = new FollowerThread(parts, data, events);
    try {
      await follower.opened.promise;
    } catch (error) {
      // The next start is not to find it in the database.
      await follower.stop();
      throw error;
    }
    return follower;
  }

  start(): void {
    this.thread.tell({ is: 'start' });
  }

  stop(): Promise<void> {
    return this.thread.stop(false);
  }

  poll(): void {
    this.thread.tell({ is: 'look' });
  }

  issues(): HealthIssue[] {
    return this.status.issues;
  }

  get writers(): readonly string[] {
    return this.status.writers;
  }

  get following(): Following {
    return this.status.following;
  }

  get halted(): boolean {
    return this.status.halted;
  }

  get isCurrent(): boolean {
    return this.status.isCurrent;
  }

  private take(message: FromFollower): void {
    const { chain, store } = this.parts;
    const { events } = this;
    switch (message.is) {
      case 'block': {
        const { head, height, transitionCount, changed, status } = message;
        store.noteBlock(changed);
        this.status = status;
        chain.moveTo(head);
        chain.tell(height, transitionCount);
        break;
      }
      case 'open':
        this.status = message.status;
        this.isOpen = true;
        this.opened.resolve();
        break;
      case 'status':
        this.status = message.status;
        break;
      case 'progress':
        events.onProgress(message.progress);
        break;
      case 'history':
        store.refresh();
        events.onHistory(message.from);
        break;
      case 'drop':
        events.onDrop(message.url, message.reason);
        break;
      case 'fork':
        store.refresh();
        this.status = message.status;
        events.onFork(message.evidence);
        break;
      case 'block-failure':
        events.onBlockFailure(errorFrom(message.error), message.height);
        break;
      case 'halted':
        this.thread.end(errorFrom(message.error));
    }
  }
}
