/** One line at the terminal for each thing that happens on the chain, in colours where it shows them. */
import { styleText } from 'node:util';
import type { NetNode } from '@netd/node';
import { EventLines, type EventLine, type Tone } from './event-lines.ts';

/** Lines that are printed in one second at most; further events are counted. */
const MAX_LINES = 50;
const SECOND = 1_000;

export class Terminal {
  private readonly print: (line: string) => void;
  private printed = 0;
  private leftOut = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(print: (line: string) => void) {
    this.print = print;
  }

  /** A sentence that is no event. */
  say(text: string): void {
    this.line('', { text, tone: 'yellow' });
  }

  /** Tells what happens from now on; the result ends it. */
  follow({ events }: Pick<NetNode, 'events'>): () => void {
    const lines = new EventLines();
    return events.subscribe({}, (happened) => {
      for (const event of happened) {
        const line = lines.describe(event);
        if (line) this.line(String(event.height), line);
      }
    });
  }

  private line(at: string, { text, tone }: EventLine): void {
    this.timer ??= setTimeout(() => this.nextSecond(), SECOND).unref();
    if (this.printed >= MAX_LINES) this.leftOut += 1;
    else {
      this.printed += 1;
      // Reasons may hold the words of strangers, which a terminal must not obey.
      const plain = text.replaceAll(/\p{Cc}/gu, ' ');
      this.print(`${styleText('gray', at.padStart(8))}  ${coloured(tone, plain)}`);
    }
  }

  private nextSecond(): void {
    const { leftOut } = this;
    [this.printed, this.leftOut, this.timer] = [0, 0, null];
    if (leftOut > 0) this.line('', { text: `… and ${leftOut} more`, tone: 'gray' });
  }
}

/** Plain where standard output is no terminal, or NO_COLOR is set. */
function coloured(tone: Tone, text: string): string {
  return styleText(tone, text, { stream: process.stdout });
}
