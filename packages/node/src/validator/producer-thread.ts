/**
 * The engine of one validator, in a thread of its own: requests are parsed, answered and read for in this one, and nobody
 * waits for a block to be executed. What is ready for a block is passed on at once; how it ended comes back with the head.
 */
import { Worker } from 'node:worker_threads';
import type { ChainHead } from '../chain/chain.ts';
import type { Mempool, SubmissionResult } from '../mempool/mempool.ts';
import type { Store } from '../store/store.ts';
import { OwnBlocks, type Consensus } from '../consensus/consensus.ts';
import { awaitLeaving, makeGate, shutGate } from '../database-gate.ts';
import { FLAGS } from '../worker-thread.ts';
import {
  decodeResults,
  errorFrom,
  type Answers,
  type FromProducer,
  type PassedEnvelope,
  type ProducerData,
  type ToProducer,
} from './producer-messages.ts';
import type { SoloEvents } from '../consensus/solo/solo-consensus.ts';

export interface ProducerParts {
  /** Is told of the blocks that the thread commits. */
  chain: ChainHead;
  mempool: Mempool;
  /** Reads of this thread. */
  store: Store;
}

const WORKER = new URL('producer-worker.ts', import.meta.url);
/** Until then a start has both cores for its first answers; who writes earlier starts the thread earlier. */
const START_DELAY_MILLISECONDS = 500;

/** Those that run. */
const threads = new Set<ProducerThread>();
process.on('exit', () => {
  for (const thread of threads) thread.leaveDatabase();
});

export class ProducerThread extends OwnBlocks implements Consensus {
  private readonly parts: ProducerParts;
  private readonly events: SoloEvents;
  private readonly data: ProducerData;
  private readonly file: URL;
  private worker: Worker | null = null;
  private startTimer: NodeJS.Timeout | undefined;
  /** Done when the thread is gone. */
  private readonly gone = Promise.withResolvers<void>();
  /** How to answer those whose envelopes the thread has, by number. */
  private readonly passed = new Map<number, (result: SubmissionResult) => void>();
  private count = 0;
  private clockFaults: string[] = [];
  /** Done when everything is that the thread has told of. */
  private told: Promise<void> = Promise.resolve();
  private state: 'running' | 'stopping' | 'ended' = 'running';

  /** @param file another module than that of the thread, for tests */
  constructor(
    parts: ProducerParts,
    data: Omit<ProducerData, 'gate'>,
    events: SoloEvents,
    file = WORKER,
  ) {
    super();
    this.parts = parts;
    this.events = events;
    this.file = file;
    this.data = { ...data, gate: makeGate() };
  }

  /** Blocks are made from now on, whatever is ready first; where nothing is for a moment, the thread starts by itself. */
  start(): void {
    const { mempool } = this.parts;
    mempool.onReady = () => this.pass();
    if (mempool.readyCount > 0) this.pass();
    else this.startTimer = setTimeout(() => this.startThread(), START_DELAY_MILLISECONDS);
  }

  /** The thread opens the chain by itself; whatever comes in meanwhile waits for that. */
  private startThread(): void {
    clearTimeout(this.startTimer);
    this.worker = new Worker(this.file, {
      name: 'producer',
      workerData: this.data,
      ...FLAGS,
    });
    this.worker.on('message', (message: FromProducer) => this.next(() => this.take(message)));
    this.worker.on('error', (error) => this.next(() => this.end(error)));
    this.worker.on('exit', () => {
      threads.delete(this);
      this.next(() => this.end(new Error('the thread that makes blocks has ended')));
      this.next(() => this.gone.resolve());
    });
    threads.add(this);
  }

  async stop(): Promise<void> {
    this.parts.mempool.close();
    clearTimeout(this.startTimer);
    if (this.state === 'running') {
      this.state = 'stopping';
      this.tell({ is: 'stop' });
    }
    if (!this.worker) return;
    // It has not got as far as the database, and nobody waits for it: it need not.
    if (this.passed.size === 0 && shutGate(this.data.gate)) await this.worker.terminate();
    else await this.gone.promise;
  }

  faults(): string[] {
    return this.clockFaults;
  }

  /** Passes on what is ready. */
  private pass(): void {
    const { mempool } = this.parts;
    const envelopes: PassedEnvelope[] = [];
    for (const { submission, settle } of mempool.take({ count: Infinity, bytes: Infinity })) {
      const { kind, encoded, verifiedWith } = submission;
      const number = this.count++;
      this.passed.set(number, settle);
      envelopes.push([number, kind, encoded.text, encoded.transitionHash, verifiedWith]);
    }
    if (this.state === 'ended') {
      this.settleUnavailable();
      return;
    }
    if (!this.worker) this.startThread();
    this.tell({ is: 'envelopes', envelopes, more: mempool.isAwaited });
  }

  private tell(message: ToProducer): void {
    this.worker?.postMessage(message, []);
  }

  /** Does what the thread has told next, when what it told before is done. */
  private next(work: () => Promise<void> | void): void {
    this.told = this.told.then(work);
  }

  private async take(message: FromProducer): Promise<void> {
    const { chain, mempool, store } = this.parts;
    switch (message.is) {
      case 'block': {
        const { head, transitionCount, changed, answers } = message;
        store.noteBlock(changed);
        chain.moveTo(head);
        await this.settle(answers);
        chain.tell(head.height, transitionCount);
        break;
      }
      case 'answers':
        await this.settle(message.answers);
        break;
      case 'awaits-arrivals':
        void Promise.resolve(mempool.arriving()).then(() => this.tell({ is: 'arrived' }));
        break;
      case 'faults':
        this.clockFaults = message.faults;
        break;
      case 'clock-fault':
        this.events.onClockFault(message.fault);
        break;
      case 'clock-notice':
        this.events.onClockNotice(message.notice);
        break;
      case 'block-failure':
        this.events.onBlockFailure(errorFrom(message.error), message.height);
        break;
      case 'halted':
        await this.settle(message.answers);
        this.end(errorFrom(message.error));
    }
  }

  private async settle(answers: Answers): Promise<void> {
    for (const [index, piece] of answers.entries()) {
      // Between pieces it is everybody else's turn.
      if (index > 0) await new Promise((resolve) => setImmediate(resolve));
      for (const [number, result] of decodeResults(piece)) {
        const settle = this.passed.get(number);
        this.passed.delete(number);
        settle?.(result);
      }
    }
  }

  private settleUnavailable(): void {
    for (const settle of this.passed.values()) settle({ status: 'unavailable', cause: 'stopping' });
    this.passed.clear();
  }

  /** The thread goes no further. */
  private end(error: unknown): void {
    const { state } = this;
    if (state === 'ended') return;
    this.state = 'ended';
    this.parts.mempool.close();
    this.settleUnavailable();
    if (state === 'running') this.events.onHalt(error);
    // It has told what it had to tell, and is to leave the database in order.
    if (state !== 'stopping') this.tell({ is: 'stop' });
  }

  /** Before the process ends its threads. */
  leaveDatabase(): void {
    const { gate } = this.data;
    if (shutGate(gate)) return;
    this.tell({ is: 'exit' });
    awaitLeaving(gate);
  }
}
