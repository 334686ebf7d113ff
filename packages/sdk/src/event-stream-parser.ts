/** Parses server-sent events (HTML Living Standard section 9.2.6) as their text arrives. */
import { createParser } from 'eventsource-parser';

export interface StreamedEvent {
  /** The last event id of the stream when the event was dispatched. */
  id: string;
  data: string;
}

/** Characters, far above any event; a stream that never ends an event is not ours. */
const MAX_PENDING = 4_194_304;

export class EventStreamParser {
  /** Milliseconds to wait before coming back, where the stream has said so. */
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
    // Unknown fields are ignored; what would take all memory is an error.
    onError: ({ type, message }) => {
      if (type === 'max-buffer-size-exceeded') throw new RangeError(message);
    },
  });

  /**
   * The events that a further piece of the stream completes.
   * @throws RangeError where a line or an event grows without end
   */
  take(text: string): StreamedEvent[] {
    this.events = [];
    this.parser.feed(text);
    return this.events;
  }
}
