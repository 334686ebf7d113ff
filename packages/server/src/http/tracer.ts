/** Traces of committed transitions, made in a thread of their own that starts with the first one: nothing else waits for them. */
import {
  ApiError,
  awaitLeaving,
  type ForkPointFiles,
  type Gate,
  makeGate,
  shutGate,
  WorkerThread,
} from '@netd/engine';
import type { TraceAnswer, TraceData, TracedInBlock, TraceRequest } from './trace-worker.ts';

const WORKER = new URL('trace-worker.ts', import.meta.url);
/** Asked for at once. */
const MOST_WAITING = 16;
/** Blocks and transitions from genesis on: half a minute or so. Beyond them the command line has all the time it needs. */
const MOST_EXECUTED = 200_000;

export class Tracer {
  private readonly thread: WorkerThread<TraceRequest, TraceAnswer>;
  private readonly most: number;
  private gate: Gate | null = null;
  private readonly onExit = (): void => {
    if (this.gate && !shutGate(this.gate)) awaitLeaving(this.gate);
  };

  /**
   * @param path of the database
   * @param forkPoint the state that a fork begins with; null where there is none
   * @param most blocks and transitions executed for one trace
   */
  constructor(path: string, forkPoint: ForkPointFiles | null, most = MOST_EXECUTED) {
    this.most = most;
    this.thread = new WorkerThread(WORKER, () => {
      if (!this.gate) process.on('exit', this.onExit);
      this.gate = makeGate();
      const workerData: TraceData = { path, gate: this.gate, forkPoint };
      return { name: 'tracer', workerData };
    });
  }

  /**
   * @param height the least height to read at
   * @throws ApiError TRANSITION_NOT_FOUND, LAB_TRACE_TOO_LONG, LAB_FORK_STATE_LOST, OVERLOADED, HISTORY_NOT_HELD
   */
  async trace(transitionHash: string, height: number): Promise<TracedInBlock> {
    if (this.thread.waiting >= MOST_WAITING) throw new ApiError('OVERLOADED', { retryAfter: 1 });
    const answer = await this.thread.ask({ transitionHash, height, most: this.most });
    if (answer.status === 'made') return answer.traced;
    if (answer.status === 'failed') throw answer.error;
    throw new ApiError(answer.code, answer.data);
  }

  /** Resolves when what was asked for has been answered, and the thread is gone. */
  async close(): Promise<void> {
    await this.thread.close();
    process.off('exit', this.onExit);
  }
}
