/** Replays transitions in portions, so that the process can exit in between. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import {
  ApiError,
  type ApiErrorData,
  type ForkPointFiles,
  PastState,
  refuseMissingHistory,
  StateFilesError,
  Store,
  throughGate,
  type TraceReport,
  traceReport,
} from '@netd/engine';
import type { ErrorCode, Genesis, JsonObject } from '@netd/protocol';
import type { ReaderData } from './reader-worker.ts';

export interface TraceData extends ReaderData {
  forkPoint: ForkPointFiles | null;
}

export interface TraceRequest {
  transitionHash: string;
  height: number;
  most: number;
}

export interface TracedInBlock {
  height: number;
  index: number;
  timestamp: string;
  envelope: JsonObject;
  report: TraceReport;
}

export type TraceAnswer =
  | { status: 'made'; traced: TracedInBlock }
  | { status: 'refused'; code: ErrorCode; data: ApiErrorData }
  | { status: 'failed'; error: unknown };

const NICENESS = 10;
const PORTION = 250;

export class Tracing {
  private readonly store: Store;
  private readonly state: PastState;

  constructor(store: Store, genesis: Genesis, forkPoint: ForkPointFiles | null) {
    this.store = store;
    this.state = new PastState(genesis, forkPoint ? [forkPoint] : []);
  }

  /** Runs a portion. Returns null if more are left. */
  continue({ transitionHash, height }: TraceRequest): TracedInBlock | null {
    this.store.refresh();
    const snapshot = this.store.snapshot();
    try {
      if (snapshot.height < height) throw new Error(`block ${height} is not to be seen yet`);
      const found = refuseMissingHistory(() => snapshot.findTransition(transitionHash));
      if (!found) throw new ApiError('TRANSITION_NOT_FOUND');
      const { state } = this;
      if (!refuseMissingHistory(() => state.moveTo(found.height - 1, snapshot, PORTION)))
        return null;
      const { trace, ...where } = state.trace(transitionHash, found, snapshot);
      const { index, timestamp, envelope } = where;
      return { height: where.height, index, timestamp, envelope, report: traceReport(trace) };
    } finally {
      snapshot.close();
    }
  }
}

if (parentPort) {
  const port = parentPort;
  const { path, gate, forkPoint } = workerData as TraceData;
  // On other systems, the priority would apply to the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  let tracing: Tracing | null = null;
  let store: Store | null = null;
  const portion = (request: TraceRequest): TraceAnswer | null => {
    try {
      store ??= Store.open(path, { readOnly: true });
      const genesis = store.genesis();
      if (!genesis) throw new Error('the database holds no genesis document');
      tracing ??= new Tracing(store, genesis, forkPoint);
      const traced = tracing.continue(request);
      return traced && { status: 'made', traced };
    } catch (error) {
      if (error instanceof StateFilesError) {
        const { message } = error;
        return { status: 'refused', code: 'LAB_FORK_STATE_LOST', data: { message } };
      }
      if (!(error instanceof ApiError)) return { status: 'failed', error };
      return { status: 'refused', code: error.code, data: error.data };
    }
  };
  port.on('message', (request: TraceRequest | null) => {
    if (request === null) {
      port.close();
      void throughGate(gate, () => store?.close());
      return;
    }
    let answer: TraceAnswer | null = null;
    for (let executed = 0; answer === null; executed += PORTION) {
      if (executed > request.most) {
        answer = { status: 'refused', code: 'LAB_TRACE_TOO_LONG', data: {} };
        break;
      }
      const went = throughGate(gate, () => ({ answer: portion(request) }));
      if (!went) return;
      ({ answer } = went);
    }
    port.postMessage(answer, []);
  });
}
