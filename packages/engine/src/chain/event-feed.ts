import { eventSubjects } from '@netd/ledger';
import type { StoredEvent } from '../store/snapshot.ts';
import type { Store } from '../store/store.ts';
import type { ChainHead } from './chain.ts';

export interface EventFilter {
  agent?: string;
  order?: string;
  type?: string;
}

export function matches(event: StoredEvent, filter: EventFilter): boolean {
  if (filter.type !== undefined && event.type !== filter.type) return false;
  if (filter.agent === undefined && filter.order === undefined) return true;
  const { actors, order } = eventSubjects(event);
  if (filter.agent !== undefined && !actors.includes(filter.agent)) return false;
  return filter.order === undefined || order === filter.order;
}

/** @param subjects `agent:<id>`, `order:<id>` and `type:<name>` */
export function watchedSubjects(event: StoredEvent, subjects: ReadonlySet<string>): string[] {
  const { actors, order } = eventSubjects(event);
  const all = [
    `type:${event.type}`,
    ...actors.map((actor) => `agent:${actor}`),
    ...(order === null ? [] : [`order:${order}`]),
  ];
  return all.filter((subject) => subjects.has(subject));
}

export type EventListener = (events: StoredEvent[], height: number) => void;

export type ReturnListener = (height: number) => void;

export class EventFeed {
  private readonly store: Store;
  private readonly listeners = new Map<EventListener, EventFilter>();
  private readonly returnListeners = new Set<ReturnListener>();

  constructor(chain: ChainHead, store: Store) {
    this.store = store;
    chain.onBlock((height) => this.publish(height));
    chain.onReturn(() => {
      for (const listener of this.returnListeners) listener(chain.height);
    });
  }

  get size(): number {
    return this.listeners.size;
  }

  subscribe(filter: EventFilter, listener: EventListener): () => void {
    this.listeners.set(listener, filter);
    return () => this.listeners.delete(listener);
  }

  onReturn(listener: ReturnListener): () => void {
    this.returnListeners.add(listener);
    return () => this.returnListeners.delete(listener);
  }

  private publish(height: number): void {
    if (this.listeners.size === 0) return;
    const snapshot = this.store.snapshot();
    try {
      const events = snapshot.eventsOf(height);
      for (const [listener, filter] of this.listeners) {
        try {
          listener(
            events.filter((event) => matches(event, filter)),
            height,
          );
        } catch {
          this.listeners.delete(listener);
        }
      }
    } finally {
      snapshot.close();
    }
  }
}
