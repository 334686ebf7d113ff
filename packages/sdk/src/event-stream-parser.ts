/** Parses server-sent events (HTML Living Standard section 9.2.6) as their text arrives. */

export interface StreamedEvent {
  /** The last event id of the stream when the event was dispatched. */
  id: string;
  data: string;
}

/** Far above any event; a stream that never ends a line is not ours. */
const MAX_PENDING = 4_194_304;

export class EventStreamParser {
  /** Milliseconds to wait before coming back, where the stream has said so. */
  retry: number | null = null;
  private rest = '';
  private id = '';
  private data: string[] = [];
  private size = 0;

  /**
   * The events that a further piece of the stream completes.
   * @throws RangeError where a line or an event grows without end
   */
  take(text: string): StreamedEvent[] {
    const events: StreamedEvent[] = [];
    // A carriage return at the end may be the first half of a line break.
    const all = this.rest + text;
    const held = all.endsWith('\r') ? 1 : 0;
    const lines = all.slice(0, all.length - held).split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? '') + all.slice(all.length - held);
    for (const line of lines) {
      if (line === '') this.dispatch(events);
      else this.field(line);
    }
    if (this.rest.length + this.size > MAX_PENDING) {
      throw new RangeError('an event of the stream has no end');
    }
    return events;
  }

  private dispatch(events: StreamedEvent[]): void {
    if (this.data.length > 0) events.push({ id: this.id, data: this.data.join('\n') });
    this.data = [];
    this.size = 0;
  }

  private field(line: string): void {
    const colon = line.indexOf(':');
    // A line that starts with a colon is a comment: the heartbeat.
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') {
      this.data.push(value);
      this.size += value.length + 1;
    } else if (name === 'id' && !value.includes('\0')) this.id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retry = Number(value);
  }
}
