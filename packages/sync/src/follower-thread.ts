/**
 * The engine of a copy in a thread of its own: whoever reads from the copy does not wait while a block of another node is
 * read, verified and executed.
 */
import {
  type ChainHead,
  type Consensus,
  type EngineStatus,
  EngineThread,
  errorFrom,
  ownBlocksStatus,
  type Store,
} from '@netd/engine';
import type { FollowerEvents } from './follower-options.ts';
import type { FollowerData, FromFollower, ToFollower } from './follower-messages.ts';

const WORKER = new URL('follower-worker.ts', import.meta.url);

/** Of the thread that everybody talks to; the chain is told of the blocks that the other one commits. */
interface FollowerThreadParts {
  chain: ChainHead;
  store: Store;
}

export class FollowerThread implements Consensus {
  /** As the thread said last. */
  status: EngineStatus;
  private readonly parts: FollowerThreadParts;
  private readonly events: FollowerEvents;
  private readonly thread: EngineThread<ToFollower, FromFollower>;
  private readonly opened = Promise.withResolvers<void>();
  private isOpen = false;

  private constructor(parts: FollowerThreadParts, data: FollowerData, events: FollowerEvents) {
    this.parts = parts;
    this.events = events;
    this.status = { ...ownBlocksStatus([]), writer: data.origins[0] ?? null };
    this.thread = new EngineThread({
      file: WORKER,
      name: 'follower',
      youngMegabytes: 12,
      take: (message) => this.take(message),
      onEnd: (failure) => {
        const { following } = this.status;
        if (following)
          this.status = { ...this.status, following: { ...following, isCurrent: false } };
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

  private take(message: FromFollower): void {
    const { chain, store } = this.parts;
    const { events } = this;
    switch (message.is) {
      case 'block': {
        const { head, height, transitionCount, changed } = message;
        store.noteBlock(changed);
        chain.moveTo(head);
        chain.tell(height, transitionCount);
        break;
      }
      case 'open':
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
