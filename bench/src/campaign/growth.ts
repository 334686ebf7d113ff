/** Detects growth of start time and memory with a chain's age: faults, crashes and a few thousand writes. */
import { fileURLToPath } from 'node:url';
import { median } from '../measure.ts';
import { startServer } from '../netd-process.ts';

/** Samples of young and of old chains needed for a comparison. */
const SAMPLES = 8;
const MOST = 1.5;
const BARE_SERVER = fileURLToPath(new URL('../bare-server.ts', import.meta.url));

export interface Sample {
  /** The chain's rounds so far. */
  age: number;
  /** Start time ÷ the bare server's at the same moment, to cancel the machine's load. */
  start: number;
  /** Bytes of anonymous memory after a round under load. */
  memory: number;
}

export class Growth {
  private readonly samples: Sample[] = [];
  private readonly lifetime: number;

  /** @param lifetime rounds per chain */
  constructor(lifetime: number) {
    this.lifetime = lifetime;
  }

  /** Returns the bare server's current milliseconds to its first answer. */
  static async yardstick(): Promise<number> {
    const bare = await startServer((port) => [BARE_SERVER, String(port)]);
    await bare.kill('SIGKILL');
    return bare.startTime;
  }

  add(sample: Sample): void {
    this.samples.push(sample);
  }

  /** Describes what has grown. */
  faults(): string[] {
    const { young, old } = this.ages();
    if (young.length < SAMPLES || old.length < SAMPLES) return [];
    return (['start', 'memory'] as const).flatMap((what) => {
      const [before, after] = [young, old].map((ones) => median(ones.map((one) => one[what])));
      if (before === undefined || after === undefined || after <= before * MOST) return [];
      return [`${what} has grown with the age of a chain: ${before} to ${after}`];
    });
  }

  line(): string {
    const { young, old } = this.ages();
    if (young.length === 0 || old.length === 0) return 'too few rounds to tell growth';
    const [start, lastStart] = [young, old].map((ones) => median(ones.map((one) => one.start)));
    const [bytes, lastBytes] = [young, old].map((ones) => median(ones.map((one) => one.memory)));
    const mebibytes = (value = 0): number => Math.round(value / 2 ** 20);
    return (
      `start ÷ bare server ${start?.toFixed(2)} → ${lastStart?.toFixed(2)}, memory ${mebibytes(bytes)} → ${mebibytes(lastBytes)} MiB ` +
      `(${young.length} young and ${old.length} old chains)`
    );
  }

  /** Returns the samples of a lifetime's first and last third. */
  private ages(): { young: Sample[]; old: Sample[] } {
    const third = this.lifetime / 3;
    return {
      young: this.samples.filter(({ age }) => age < third),
      old: this.samples.filter(({ age }) => age >= this.lifetime - third),
    };
  }
}
