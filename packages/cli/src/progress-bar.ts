/** A progress bar on a terminal, a line now and then elsewhere, nothing where nobody looks. */
import { SingleBar } from 'cli-progress';

const LINE_EVERY_MILLISECONDS = 5_000;

export class ProgressBar {
  private readonly label: string;
  private readonly stream: NodeJS.WriteStream | null;
  private bar: SingleBar | null = null;
  private total = 0;
  private lastLineAt = 0;

  constructor(label: string, stream: NodeJS.WriteStream | null) {
    this.label = label;
    this.stream = stream;
  }

  start(total: number): void {
    this.total = total;
    this.lastLineAt = Date.now();
    if (this.stream?.isTTY !== true) return;
    this.bar = new SingleBar({
      format: `${this.label} {bar} {percentage}% | height {value} of {total} | {note} | {eta_formatted} left`,
      stream: this.stream,
      hideCursor: true,
      clearOnComplete: true,
    });
    this.bar.start(total, 0, { note: '' });
  }

  update(value: number, note: string): void {
    this.bar?.update(value, { note });
    if (this.bar || !this.stream || Date.now() - this.lastLineAt < LINE_EVERY_MILLISECONDS) return;
    this.lastLineAt = Date.now();
    this.stream.write(`${this.label}: height ${value} of ${this.total}, ${note}\n`);
  }

  stop(): void {
    this.bar?.stop();
  }
}
