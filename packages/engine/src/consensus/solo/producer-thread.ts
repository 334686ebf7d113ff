/**
 * The engine of one validator, in a thread of its own: requests are parsed, answered and read for in this one, and nobody
 * waits for a block to be executed. What is ready for a block is passed on at once; how it ended comes back with the head.
 */
import { timestampToMs } from '@netd/protocol';
import type { ChainHead } from '../../chain/chain.ts';
import { OwnBlocks, type Consensus } from '../consensus.ts';
import type { SoloEvents } from './solo-consensus.ts';
import { LabChannel, type ToLab } from './lab-channel.ts';
import { EngineThread } from '../thread/engine-thread.ts';
import { errorFrom } from '../thread/error-text.ts';
import type { Mempool, SubmissionResult } from '../../mempool/mempool.ts';
import type { Store } from '../../store/store.ts';
import {
  decodeResults,
  type Answers,
  type FromProducer,
  type PassedEnvelope,
  type ProducerData,
  type ToProducer,
} from './producer-messages.ts';

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

export class ProducerThread extends OwnBlocks implements Consensus {
  private readonly parts: ProducerParts;
  private readonly events: SoloEvents;
  private readonly data: ProducerData;
  private readonly thread: EngineThread<ToProducer, FromProducer>;
  private startTimer: NodeJS.Timeout | undefined;
  /** How to answer those whose envelopes the thread has, by number. */
  private readonly passed = new Map<number, (result: SubmissionResult) => void>();
  private count = 0;
  private isPassing = false;
  private clockFaults: string[] = [];
  override readonly lab: LabChannel | null;

  /** @param file another module than that of the thread, for tests */
  constructor(parts: ProducerParts, data: ProducerData, events: SoloEvents, file = WORKER) {
    super();
    this.parts = parts;
    this.events = events;
    this.data = data;
    this.lab =
      data.genesis.laboratory === true
        ? new LabChannel(timestampToMs(data.head.timestamp), (message) => this.tellLab(message))
        : null;
    this.thread = new EngineThread({
      file,
      name: 'producer',
      youngMegabytes: 48,
      take: (message) => this.take(message),
      onEnd: (failure) => this.end(failure),
    });
  }

  /** Blocks are made from now on, whatever is ready first; where nothing is for a moment, the thread starts by itself. */
  start(): void {
    const { mempool } = this.parts;
    mempool.onReady = () => this.passSoon();
    if (mempool.readyCount > 0) this.pass();
    else this.startTimer = setTimeout(() => this.startThread(), START_DELAY_MILLISECONDS);
  }

  /** The thread opens the chain by itself; whatever comes in meanwhile waits for that. */
  private startThread(): void {
    clearTimeout(this.startTimer);
    this.thread.start(this.data);
  }

  stop(): Promise<void> {
    this.pass();
    this.parts.mempool.close();
    clearTimeout(this.startTimer);
    return this.thread.stop(this.passed.size > 0);
  }

  faults(): string[] {
    return this.clockFaults;
  }

  /** What was verified together becomes ready one by one. It crosses together: every message costs both threads. */
  private passSoon(): void {
    if (this.isPassing) return;
    this.isPassing = true;
    process.nextTick(() => {
      this.isPassing = false;
      this.pass();
    });
  }

  /** Passes on what is ready. */
  private pass(): void {
    const { mempool } = this.parts;
    if (mempool.readyCount === 0) return;
    const envelopes: PassedEnvelope[] = [];
    for (const { submission, settle } of mempool.take({ count: Infinity, bytes: Infinity })) {
      const { kind, encoded, verifiedWith } = submission;
      const number = this.count++;
      this.passed.set(number, settle);
      envelopes.push([number, kind, encoded.text, encoded.transitionHash, verifiedWith]);
    }
    if (this.thread.hasEnded) {
      this.settleUnavailable();
      return;
    }
    if (!this.thread.hasStarted) this.startThread();
    this.thread.tell({ is: 'envelopes', envelopes, more: mempool.isAwaited });
  }

  private tellLab(message: ToLab): void {
    this.pass();
    if (!this.thread.hasStarted) this.startThread();
    this.thread.tell(message);
    if (this.thread.hasEnded) this.lab?.end();
  }

  /** Once all envelopes with a reservation now are ready or gone, and the ready ones have been passed on. */
  private async tellArrived(): Promise<void> {
    await this.parts.mempool.arriving();
    this.pass();
    this.thread.tell({ is: 'arrived' });
  }

  private async take(message: FromProducer): Promise<void> {
    const { chain, store } = this.parts;
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
        void this.tellArrived();
        break;
      case 'faults':
        this.clockFaults = message.faults;
        break;
      case 'clock-fault':
        this.events.onClockFault(message.fault);
        break;
      case 'lab':
        this.lab?.take(message);
        break;
      case 'clock-notice':
        this.events.onClockNotice(message.notice);
        break;
      case 'block-failure':
        this.events.onBlockFailure(errorFrom(message.error), message.height);
        break;
      case 'halted':
        await this.settle(message.answers);
        this.thread.end(errorFrom(message.error));
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

  private end(failure: { error: unknown } | null): void {
    this.parts.mempool.close();
    this.settleUnavailable();
    this.lab?.end();
    if (failure) this.events.onHalt(failure.error);
  }
}
