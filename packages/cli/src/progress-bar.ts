/** A progress bar on a terminal, a line now and then elsewhere, nothing where nobody looks. */
import { SingleBar } from 'cli-progress';

const LINE_EVERY_MILLISECONDS = 5_000;

export class ProgressBar {
  private readonly label: string;
  private readonly stream: NodeJS.WriteStream | null;
  private readonly unit: string;
  private bar: SingleBar | null = null;
  private total = 0;
  private from = 0;
  private startedAt = 0;
  private lastLineAt = 0;

  /** @param unit of what is counted */
  constructor(label: string, stream: NodeJS.WriteStream | null, unit = 'height') {
    this.label = label;
    this.stream = stream;
    this.unit = unit;
  }

  /** @param from what is there already: it says nothing of how long the rest takes */
  start(total: number, from = 0): void {
    this.total = total;
    this.from = from;
    this.lastLineAt = Date.now();
    this.startedAt = this.lastLineAt;
    if (this.stream?.isTTY !== true) return;
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

/** Before that, and before a hundredth is done, nobody knows. */
const KNOWN_AFTER_MILLISECONDS = 2_000;
const KNOWN_AFTER_SHARE = 0.01;

/**
 * How long the rest takes if it goes on as it did so far, rounded as coarsely as it is known; empty while nobody can say.
 * @param milliseconds that `done` took
 */
export function timeLeft(done: number, rest: number, milliseconds: number): string {
  if (rest <= 0) return '';
  const isKnown =
    milliseconds >= KNOWN_AFTER_MILLISECONDS && done >= (done + rest) * KNOWN_AFTER_SHARE;
  if (!isKnown || done <= 0) return 'how long it takes is not known yet';
  const seconds = (milliseconds / done) * (rest / 1_000);
  if (seconds < 60) return `about ${Math.max(5, 5 * Math.round(seconds / 5))} s left`;
  const minutes = seconds / 60;
  if (minutes < 60) return `about ${Math.round(minutes)} min left`;
  return `about ${Math.round(minutes / 6) / 10} h left`;
}
