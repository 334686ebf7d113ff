import { styleText } from 'node:util';
import type { NetNode } from '@netd/node';
import type { Tone } from '@netd/protocol/sentences';
import { EventLines } from './event-lines.ts';

const MAX_LINES = 50;
const SECOND = 1_000;

type Color = 'gray' | 'green' | 'cyan' | 'magenta' | 'blue' | 'yellow' | 'red';
const COLORS: Readonly<Record<Tone, Color>> = {
  agents: 'gray',
  money: 'green',
  work: 'cyan',
  talk: 'magenta',
  memory: 'blue',
  rules: 'gray',
  trouble: 'red',
};

export class Terminal {
  private readonly print: (line: string) => void;
  private printed = 0;
  private leftOut = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(print: (line: string) => void) {
    this.print = print;
  }

  say(text: string): void {
    this.line('', text, 'yellow');
  }

  follow({ events }: Pick<NetNode, 'events'>): () => void {
    const lines = new EventLines();
    return events.subscribe({}, (happened) => {
      for (const event of happened) {
        const line = lines.describe(event);
        if (line) this.line(String(event.height), line.text, COLORS[line.tone]);
      }
    });
  }

  private line(at: string, text: string, color: Color): void {
    this.timer ??= setTimeout(() => this.nextSecond(), SECOND).unref();
    if (this.printed >= MAX_LINES) this.leftOut += 1;
    else {
      this.printed += 1;
      // Strip control characters, because strangers chose the text.
      const plain = text.replaceAll(/\p{Cc}/gu, ' ');
      this.print(`${styleText('gray', at.padStart(8))}  ${coloured(color, plain)}`);
    }
  }

  private nextSecond(): void {
    const { leftOut } = this;
    [this.printed, this.leftOut, this.timer] = [0, 0, null];
    if (leftOut > 0) this.line('', `… and ${leftOut} more`, 'gray');
  }
}

/** Returns plain text without a terminal, or if NO_COLOR is set. */
function coloured(color: Color, text: string): string {
  return styleText(color, text, { stream: process.stdout });
}
