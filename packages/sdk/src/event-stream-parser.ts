/** Parses server-sent events (HTML Living Standard section 9.2.6). */
import { createParser } from 'eventsource-parser';

export interface StreamedEvent {
  /** The stream's last event id when the event is dispatched. */
  id: string;
  data: string;
}

const MAX_PENDING = 4_194_304;

export class EventStreamParser {
  retry: number | null = null;
  private id = '';
  private events: StreamedEvent[] = [];
  private readonly parser = createParser({
    maxBufferSize: MAX_PENDING,
    onId: (id) => {
      this.id = id;
    },
    onEvent: ({ data }) => this.events.push({ id: this.id, data }),
    onRetry: (milliseconds) => {
      this.retry = milliseconds;
    },
    // Ignore the parser's other errors, because only unbounded growth matters.
    onError: ({ type, message }) => {
      if (type === 'max-buffer-size-exceeded') throw new RangeError(message);
    },
  });

  /** @throws RangeError if a line or an event is too long */
  take(text: string): StreamedEvent[] {
    this.events = [];
    this.parser.feed(text);
    return this.events;
  }
}
