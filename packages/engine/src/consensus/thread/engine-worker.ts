/** The thread's end of an EngineThread: in and out of the database, and the messages of the other end. */
import { parentPort, workerData } from 'node:worker_threads';
import { UnexpectedHeadError, type BlockCommitter } from '../../chain/chain.ts';
import type { Consensus, EngineStatus } from '../consensus.ts';
import { enterGate, leaveForGood, leaveGate } from '../../database-gate.ts';
import type { Tip } from '../../executor/tip.ts';
import { isKept, type BlockWrite } from '../../store/store.ts';
import type { EngineData, ToEngine } from './engine-thread.ts';

export interface EnginePort<To, From> {
  post: (message: From) => void;
  /** Calls back for every message of the other end but those of `ToEngine`; none comes before it is called. */
  onMessage: (listener: (message: To) => void) => void;
  /** Done when the thread is told to stop. */
  stopped: Promise<void>;
}

export interface EngineInThread<Data> {
  /** Opens the database, and has closed it when it resolves. */
  run: (data: Data) => Promise<void>;
  /** Told what `run` has thrown. */
  fail: (error: unknown) => void;
}

/** Runs an engine until it is over, then ends the thread. */
export async function runEngine<Data, To extends { is: string }, From>(
  make: (port: EnginePort<To, From>) => EngineInThread<Data>,
): Promise<void> {
  if (!parentPort) return;
  const port = parentPort;
  const { gate } = workerData as EngineData;
  if (!enterGate(gate)) return;
  const stopped = Promise.withResolvers<void>();
  const engine = make({
    post: (message) => port.postMessage(message, []),
    onMessage: (listener) => {
      port.on('message', (message: To | ToEngine) => {
        if (message.is === 'stop') stopped.resolve();
        else if (message.is === 'exit') leaveForGood(gate);
        else listener(message as To);
      });
    },
    stopped: stopped.promise,
  });
  try {
    await engine.run(workerData as Data);
  } catch (error) {
    engine.fail(error);
  } finally {
    leaveGate(gate);
    port.close();
  }
}

/** What an engine says of itself changes with time alone, too: so often is it looked at. */
const LOOK_MILLISECONDS = 200;

/** Tells the other end the status of an engine whenever it is another one. */
export class StatusTeller {
  private readonly engine: Pick<Consensus, 'status'>;
  private readonly post: (status: EngineStatus) => void;
  private told = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(engine: Pick<Consensus, 'status'>, post: (status: EngineStatus) => void) {
    this.engine = engine;
    this.post = post;
  }

  start(): void {
    this.look();
    this.timer = setInterval(() => this.look(), LOOK_MILLISECONDS);
  }

  look(): void {
    const { status } = this.engine;
    const text = JSON.stringify(status);
    if (text === this.told) return;
    this.told = text;
    this.post(status);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

/** @throws UnexpectedHeadError where somebody has written to the database since the other end has looked */
export function requireHead(expected: Tip, found: Tip): void {
  if (found.blockHash !== expected.blockHash) throw new UnexpectedHeadError(expected, found);
}

/** Notes the state keys of what it writes, for the other end, which may keep their records. */
export class ChangeTracker implements BlockCommitter {
  private readonly committer: BlockCommitter;
  private changed: string[] = [];

  constructor(committer: BlockCommitter) {
    this.committer = committer;
  }

  commitBlocks(blocks: readonly BlockWrite[]): Promise<void> {
    this.changed = blocks.flatMap(({ changes }) => [...changes.keys()].filter(isKept));
    return this.committer.commitBlocks(blocks);
  }

  /** Of what it wrote last, once. */
  takeChanged(): string[] {
    const { changed } = this;
    this.changed = [];
    return changed;
  }
}
