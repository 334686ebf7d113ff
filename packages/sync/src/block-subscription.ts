/** Watches a node's event stream for signs of new blocks, which is faster than polling. */
import type { Clock } from '@netd/engine';
import type { Transport } from './transport.ts';

const RETRY_MILLISECONDS = 2_000;
/** Minimum between two calls of `onNews`, so that an origin cannot set the pace. */
const PACE_MILLISECONDS = 100;
/** Per connection: enough for minutes of an honest node. */
const MOST_BYTES = 16_777_216;
const MOST_PIECES = 32_768;

export class BlockSubscription {
  onNews: () => void = () => {};
  private readonly clock: Clock;
  private readonly signal: AbortSignal;
  private readonly transport: Transport;
  private url: string | null = null;
  private connection: AbortController | null = null;
  private receivedAt = -Infinity;
  private isTelling = false;

  constructor(clock: Clock, signal: AbortSignal, transport: Transport) {
    this.clock = clock;
    this.signal = signal;
    this.transport = transport;
    signal.addEventListener('abort', () => this.connection?.abort());
  }

  listenTo(url: string): void {
    if (url === this.url || this.signal.aborted) return;
    this.url = url;
    this.connection?.abort();
    void this.listen(url);
  }

  private async listen(url: string): Promise<void> {
    const connection = new AbortController();
    this.connection = connection;
    try {
      const response = await this.transport.ask(`${url}/v1/events`, {
        // Uncompressed, because a few bytes could decompress for hours.
        headers: { accept: 'text/event-stream', 'accept-encoding': 'identity' },
        signal: connection.signal,
      });
      if (!response.ok || !response.body) throw new Error(`answers ${response.status}`);
      if (response.headers.has('content-encoding')) throw new Error('answers what was not asked');
      let length = 0;
      let pieces = 0;
      for await (const part of response.body) {
        length += part.length;
        pieces += 1;
        if (length > MOST_BYTES || pieces > MOST_PIECES) break;
        if (part.length > 0) this.tell();
      }
    } catch {
    } finally {
      connection.abort();
    }
    if (this.signal.aborted || this.connection !== connection) return;
    this.clock.after(RETRY_MILLISECONDS, () => {
      if (this.connection === connection && !this.signal.aborted) void this.listen(url);
    });
  }

  private tell(): void {
    if (this.isTelling) return;
    const wait = this.receivedAt + PACE_MILLISECONDS - this.clock.elapsed();
    const tell = (): void => {
      this.isTelling = false;
      this.receivedAt = this.clock.elapsed();
      if (!this.signal.aborted) this.onNews();
    };
    if (wait <= 0) {
      tell();
      return;
    }
    this.isTelling = true;
    this.clock.after(wait, tell);
  }
}
