import { parentPort, workerData } from 'node:worker_threads';
import type { Submission } from '@netd/ledger';
import { encodeEnvelope, type JsonObject } from '@netd/protocol';
import { UnexpectedHeadError, type BlockCommitter, type ChainHead } from '../../chain/chain.ts';
import { enterGate, leaveForGood, leaveGate, type Gate } from '../../database-gate.ts';
import type { Tip } from '../../executor/tip.ts';
import { Mempool } from '../../mempool/mempool.ts';
import { isKept } from '../../store/store.ts';
import type { Consensus } from '../consensus.ts';
import { errorText } from './error-text.ts';
import { runLab, type ToLab } from './lab-channel.ts';
import {
  encodeResults,
  type Answers,
  type FromEngine,
  type NumberedResult,
  type PassedEnvelope,
  type ToEngine,
} from './messages.ts';

export interface EngineSide<Own> {
  readonly mempool: Mempool;
  /** Reports the written keys to the host, which may cache their records. */
  tracked(committer: BlockCommitter): BlockCommitter;
  noteStatus: () => void;
  tell: (news: Own) => void;
  onBlockFailure: (error: unknown, height: number) => void;
  onHalt: (error: unknown) => void;
}

export interface OpenedEngine {
  chain: ChainHead;
  consensus: Consensus;
  close?: () => Promise<void>;
}

export type OpenEngine<Own> = (side: EngineSide<Own>) => Promise<OpenedEngine>;

interface EnginePort<Own> {
  post: (message: FromEngine<Own>) => void;
  onMessage: (listener: (message: ToEngine) => void) => void;
}

interface EngineData {
  head: Tip;
  lookEvery?: number;
}

export const LOOK_MILLISECONDS = 200;

export async function runThread<Own>(open: OpenEngine<Own>): Promise<void> {
  const port = parentPort;
  const data = workerData as EngineData & { gate: Gate };
  if (!port || !enterGate(data.gate)) return;
  const enginePort: EnginePort<Own> = {
    post: (message) => port.postMessage(message, []),
    onMessage: (listener) => {
      port.on('message', (message: ToEngine) => {
        if (message.is === 'exit') leaveForGood(data.gate);
        else listener(message);
      });
    },
  };
  try {
    await runEngine(enginePort, { ...data, lookEvery: LOOK_MILLISECONDS }, open);
  } finally {
    leaveGate(data.gate);
    port.close();
  }
}

export async function runEngine<Own>(
  port: EnginePort<Own>,
  data: EngineData,
  open: OpenEngine<Own>,
): Promise<void> {
  const engine = new RunningEngine(port);
  try {
    await engine.run(data, open);
  } catch (error) {
    engine.onHalt(error);
  }
}

class RunningEngine<Own> implements EngineSide<Own> {
  readonly mempool: PassedMempool;
  private readonly port: EnginePort<Own>;
  private consensus: Consensus | null = null;
  private head: () => Tip = () => {
    throw new Error('the chain is not open');
  };
  private readonly started = Promise.withResolvers<void>();
  private readonly running = Promise.withResolvers<Consensus>();
  private readonly stopped = Promise.withResolvers<void>();
  private results: NumberedResult[] = [];
  private changed: string[] = [];
  private sentStatus = '';

  constructor(port: EnginePort<Own>) {
    this.port = port;
    this.mempool = new PassedMempool(() => port.post({ is: 'awaits-arrivals' }));
    port.onMessage((message) => this.take(message));
  }

  async run({ head, lookEvery }: EngineData, open: OpenEngine<Own>): Promise<void> {
    const { port } = this;
    const { chain, consensus, close } = await open(this);
    if (chain.head.blockHash !== head.blockHash) throw new UnexpectedHeadError(head, chain.head);
    this.consensus = consensus;
    this.head = () => chain.head;
    // The answers travel with the head, so that answered senders can read the block.
    chain.onBlock((height, transitionCount) => {
      this.noteStatus();
      const changed = this.changed.splice(0);
      const answers = this.takeResults();
      port.post({ is: 'block', head: chain.head, height, transitionCount, changed, answers });
    });
    this.noteStatus();
    const looking = lookEvery && setInterval(this.noteStatus, lookEvery).unref();
    port.post({ is: 'open' });
    void this.begin(consensus);
    await this.stopped.promise;
    await consensus.stop();
    clearInterval(looking);
    this.postResults();
    await close?.();
  }

  private async begin(consensus: Consensus): Promise<void> {
    await this.started.promise;
    consensus.start();
    this.running.resolve(consensus);
  }

  tracked(committer: BlockCommitter): BlockCommitter {
    return {
      commitBlocks: (blocks) => {
        this.changed = blocks.flatMap(({ changes }) => [...changes.keys()].filter(isKept));
        return committer.commitBlocks(blocks);
      },
    };
  }

  readonly noteStatus = (): void => {
    if (!this.consensus) return;
    const { status } = this.consensus;
    const text = JSON.stringify(status);
    if (text === this.sentStatus) return;
    this.sentStatus = text;
    this.port.post({ is: 'status', status });
  };

  readonly tell = (news: Own): void => {
    this.noteStatus();
    this.port.post({ is: 'news', news });
  };

  readonly onBlockFailure = (error: unknown, height: number): void => {
    this.noteStatus();
    this.port.post({ is: 'block-failure', error: errorText(error), height });
  };

  readonly onHalt = (error: unknown): void => {
    this.port.post({ is: 'halted', error: errorText(error), answers: this.takeResults() });
  };

  private take(message: ToEngine): void {
    switch (message.is) {
      case 'start':
        this.started.resolve();
        break;
      case 'envelopes':
        this.addAll(message.envelopes, message.more);
        break;
      case 'arrived':
        this.mempool.noteArrived();
        break;
      case 'poll':
        this.consensus?.poll();
        break;
      case 'origins':
        this.consensus?.setOrigins?.(message.origins);
        break;
      case 'lab':
        void this.runLab(message);
        break;
      case 'stop':
        this.stopped.resolve();
        break;
      case 'exit':
    }
  }

  private async runLab(message: ToLab): Promise<void> {
    const { lab = null } = await this.running.promise;
    this.port.post(await runLab(lab, message, () => this.head()));
  }

  private addAll(envelopes: readonly PassedEnvelope[], more: boolean): void {
    this.mempool.noteMore(more);
    for (const passed of envelopes) {
      const [number] = passed;
      this.mempool.add(submissionOf(passed), (result) => {
        this.results.push([number, result]);
        if (this.results.length === 1) process.nextTick(() => this.postResults());
      });
    }
  }

  private takeResults(): Answers {
    return encodeResults(this.results.splice(0));
  }

  private postResults(): void {
    if (this.results.length > 0) this.port.post({ is: 'answers', answers: this.takeResults() });
  }
}

class PassedMempool extends Mempool {
  private more = false;
  private readonly askForArrivals: () => void;
  private arrived: (() => void)[] = [];

  constructor(askForArrivals: () => void) {
    super({ total: Infinity, perAddress: Infinity });
    this.askForArrivals = askForArrivals;
  }

  override arriving(): Promise<void> | null {
    if (!this.more) return null;
    return new Promise((resolve) => {
      this.arrived.push(resolve);
      this.askForArrivals();
    });
  }

  noteMore(more: boolean): void {
    this.more = more;
  }

  noteArrived(): void {
    this.more = false;
    for (const resolve of this.arrived.splice(0)) resolve();
  }
}

function submissionOf([, kind, text, transitionHash, verifiedWith]: PassedEnvelope): Submission {
  const envelope = JSON.parse(text) as JsonObject;
  const encoded = {
    text,
    transitionHash,
    get signedBytes() {
      return encodeEnvelope(envelope).signedBytes;
    },
  };
  return { kind, envelope, encoded, verifiedWith };
}
