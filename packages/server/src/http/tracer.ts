import { FairQueue } from '@netd/client-limits';
import {
  ApiError,
  awaitLeaving,
  type ForkPointFiles,
  type Gate,
  makeGate,
  shutGate,
  WorkerThread,
} from '@netd/engine';
import { noTurn } from './no-turn.ts';
import type { TraceAnswer, TraceData, TracedInBlock, TraceRequest } from './trace-worker.ts';

const WORKER = new URL('trace-worker.ts', import.meta.url);
/** Queued traces, in total and per address. */
const MOST_WAITING = 16;
const MOST_OF_ADDRESS = 4;
/** Blocks and transitions from genesis on, which take about half a minute. The command line has no limit. */
const MOST_EXECUTED = 200_000;

export class Tracer {
  private readonly thread: WorkerThread<TraceRequest, TraceAnswer>;
  private readonly most: number;
  private readonly mostOfAddress: number;
  private readonly turns: FairQueue;
  private gate: Gate | null = null;
  private readonly onExit = (): void => {
    if (this.gate && !shutGate(this.gate)) awaitLeaving(this.gate);
  };

  /**
   * @param forkPoint null if the chain is no fork
   * @param options.most blocks and transitions to execute for one trace
   * @param options.loopback true if all requests come from this machine, which has no shares
   */
  constructor(
    path: string,
    forkPoint: ForkPointFiles | null,
    { most = MOST_EXECUTED, loopback = false } = {},
  ) {
    this.most = most;
    this.mostOfAddress = loopback ? MOST_WAITING : MOST_OF_ADDRESS;
    this.turns = new FairQueue({
      most: 1,
      ofAddress: 1,
      waiting: MOST_WAITING,
      waitingOfAddress: this.mostOfAddress,
    });
    this.thread = new WorkerThread(WORKER, () => {
      if (!this.gate) process.on('exit', this.onExit);
      this.gate = makeGate();
      const workerData: TraceData = { path, gate: this.gate, forkPoint };
      return { name: 'tracer', workerData };
    });
  }

  /**
   * @param height minimum height to read at
   * @param share from `addressShare`
   * @throws ApiError TRANSITION_NOT_FOUND, LAB_TRACE_TOO_LONG, LAB_FORK_STATE_LOST, OVERLOADED, RATE_LIMITED,
   * HISTORY_NOT_HELD
   */
  async trace(transitionHash: string, height: number, share: string): Promise<TracedInBlock> {
    const answer = await this.turns.run(
      share,
      () => this.thread.ask({ transitionHash, height, most: this.most }),
      (why) => noTurn(why, `${share} has ${this.mostOfAddress} traces waiting`),
    );
    if (answer.status === 'made') return answer.traced;
    if (answer.status === 'failed') throw answer.error;
    throw new ApiError(answer.code, answer.data);
  }

  async close(): Promise<void> {
    await this.thread.close();
    process.off('exit', this.onExit);
  }
}
