/** A reader of server-sent events that keeps every event and comment. */
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

export interface StreamedEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

export class EventStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly events: StreamedEvent[] = [];
  readonly comments: string[] = [];
  /** The text after the head, if the answer is not a stream. */
  text = '';
  closed = false;
  /** True if the stream ended properly before it closed. */
  ended = false;
  private readonly outgoing: ClientRequest;
  private rest = '';
  private wake: () => void = () => {};

  private constructor(outgoing: ClientRequest, incoming: IncomingMessage) {
    this.outgoing = outgoing;
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    incoming.setEncoding('utf8');
    incoming.on('data', (part: string) => this.take(part));
    incoming.on('error', () => {});
    incoming.on('end', () => (this.ended = true));
    incoming.on('close', () => {
      this.closed = true;
      this.wake();
    });
  }

  static open(
    url: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url + path,
        { headers: { accept: 'text/event-stream', ...headers }, agent: false },
        (incoming) => resolve(new EventStream(outgoing, incoming)),
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  /** Waits until the condition holds. */
  async until(condition: (stream: EventStream) => boolean, milliseconds = 60_000): Promise<void> {
    const end = Date.now() + milliseconds;
    while (!condition(this)) {
      if (Date.now() > end) {
        throw new Error(`it did not happen: ${this.events.length} events, closed ${this.closed}`);
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, 50);
      });
    }
  }

  async close(): Promise<void> {
    this.outgoing.destroy();
    await this.until(({ closed }) => closed);
  }

  private take(part: string): void {
    this.text += part;
    const blocks = (this.rest + part).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map<string, string>();
      for (const line of block.split('\n')) {
        if (line.startsWith(':')) this.comments.push(line.slice(1).trim());
        else fields.set(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2));
      }
      const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
      if (id === undefined || event === undefined || data === undefined) continue;
      this.events.push({ id, event, data: JSON.parse(data) as Record<string, unknown> });
    }
    this.wake();
  }
}
