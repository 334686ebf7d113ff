/** A node process with its own state, and the results of its turns. */
import type { CpuTurn } from './cpu-time.ts';
import type { InProcessNode, SubmissionReport } from './in-process-node.ts';
import { troubles } from './load.ts';
import { median, memoryOf, spread, yardstickDetails, type YardstickTurns } from './measure.ts';
import { RemoteProgram } from './remote-program.ts';

const SECONDS_PER_TURN = 120;

export class Contender {
  /** By turn: committed intents ÷ verifications per second. */
  readonly ratios: number[] = [];
  readonly turns: CpuTurn[] = [];
  private readonly reports: SubmissionReport[] = [];
  private readonly program: RemoteProgram<InProcessNode>;

  private constructor(program: RemoteProgram<InProcessNode>) {
    this.program = program;
  }

  /** @param warmUp signed intents submitted before measuring */
  static async open(dataDir: string, warmUp: string[]): Promise<Contender> {
    const program = new RemoteProgram<InProcessNode>(
      new URL('in-process-node.ts', import.meta.url),
      ['--expose-gc'],
    );
    await program.call('open', { dataDir });
    await program.call('submit', { intents: warmUp }, SECONDS_PER_TURN);
    return new Contender(program);
  }

  async takeTurn(yardstickTurns: YardstickTurns, intents: string[]): Promise<void> {
    const { result, yardstick } = await yardstickTurns.take(() =>
      this.program.call('submit', { intents }, SECONDS_PER_TURN),
    );
    this.reports.push(result);
    this.turns.push({ cpu: result.cpu, intents: intents.length, yardstick });
    this.ratios.push(result.committed / result.seconds / yardstick.perSecond);
  }

  /** In MB. */
  get anonymousMemory(): number {
    return memoryOf(this.program.pid).anonymous;
  }

  get details(): Record<string, number> {
    return {
      intentsPerSecond: median(this.reports.map(({ committed, seconds }) => committed / seconds)),
      ...yardstickDetails(this.turns.map(({ yardstick }) => yardstick)),
      ...spread(this.ratios),
      ...troubles(this.reports.map(({ refused }) => ({ refused, failed: {} }))),
    };
  }

  async close(): Promise<void> {
    await this.program.stop();
  }
}

/** Returns the ratio between two contenders by turn. */
export function comparison(larger: Contender, smaller: Contender): number[] {
  return larger.ratios.map((ratio, turn) => ratio / (smaller.ratios[turn] ?? Number.NaN));
}
