import type { Logger } from 'pino';
import { timeLeft } from '@netd/sync/time-left';
import { SingleBar } from 'cli-progress';

const LINE_EVERY_MILLISECONDS = 5_000;

export type Screen = NodeJS.WriteStream | { write: (line: string) => void };

/** Returns where a service shows progress: its terminal, or its log. */
export const screenOf = (log: Logger): Screen =>
  process.stderr.isTTY ? process.stderr : { write: (text: string) => log.info(text.trim()) };

const isTerminal = (screen: Screen | null): screen is NodeJS.WriteStream =>
  screen !== null && 'isTTY' in screen && screen.isTTY;

export class ProgressBar {
  private readonly label: string;
  private readonly stream: Screen | null;
  private readonly unit: string;
  private bar: SingleBar | null = null;
  private total = 0;
  private from = 0;
  private startedAt = 0;
  private lastLineAt = 0;

  constructor(label: string, stream: Screen | null, unit = 'height') {
    this.label = label;
    this.stream = stream;
    this.unit = unit;
  }

  start(total: number, from = 0): void {
    this.total = total;
    this.from = from;
    this.lastLineAt = Date.now();
    this.startedAt = this.lastLineAt;
    if (!isTerminal(this.stream)) return;
    this.bar = new SingleBar({
      format: `${this.label} {bar} {percentage}% | ${this.unit} {value} of {total} | {note} | {left}`,
      stream: this.stream,
      hideCursor: true,
      clearOnComplete: true,
    });
    this.bar.start(total, from, { note: '', left: '' });
  }

  update(value: number, note: string): void {
    const left = timeLeft(value - this.from, this.total - value, Date.now() - this.startedAt);
    this.bar?.update(value, { note, left });
    if (this.bar || !this.stream || Date.now() - this.lastLineAt < LINE_EVERY_MILLISECONDS) return;
    this.lastLineAt = Date.now();
    const words = [`${this.unit} ${value} of ${this.total}`, note, left].filter(
      (word) => word !== '',
    );
    this.stream.write(`${this.label}: ${words.join(', ')}\n`);
  }

  stop(): void {
    this.bar?.stop();
  }
}
