/** Receives events from a node, in a page or in the worker that all tabs share. */
import { NetClient } from '@netd/sdk/core';
import type { ChainEvent } from '../words/stream.ts';

const RETRY = 5_000;

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

  /** The id of the last received event, or of the start. */
  get last(): string {
    return this.#last;
  }

  /** Reconnects, because after a sleep the connection may be dead without an error. */
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
        // The node may refuse another stream. Pages then still refresh, but slower.
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
  }
}
