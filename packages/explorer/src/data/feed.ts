/** In a page, or in the worker shared by all tabs. */
import { NetClient } from '@netd/sdk/core';
import type { ChainEvent } from '../words/stream.ts';

/** Milliseconds after a refusal. */
const RETRY = 5_000;

/** A node, its chain, and the last known event. */
export interface FeedStart {
  url: string;
  genesisHash: string;
  after: string;
}

export class Feed {
  readonly #client: NetClient;
  readonly #onEvent: (event: ChainEvent) => void;
  #last: string;
  #connection = new AbortController();
  #isEnded = false;

  constructor({ url, after }: FeedStart, onEvent: (event: ChainEvent) => void) {
    this.#client = new NetClient({ url });
    this.#last = after;
    this.#onEvent = onEvent;
    void this.#run();
  }

  /** The last received event, or the start. */
  get last(): string {
    return this.#last;
  }

  /** After a sleep, the old connection may be dead without an error. */
  renew(): void {
    this.#connection.abort();
  }

  end(): void {
    this.#isEnded = true;
    this.#connection.abort();
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      this.#connection = new AbortController();
      try {
        const { signal } = this.#connection;
        for await (const event of this.#client.events({ after: this.#last, signal })) {
          this.#last = event.id;
          this.#onEvent(event);
        }
      } catch {
        // Refused, for example because too many streams are open. Pages still refresh, more slowly.
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
  }
}
