import { Worker } from 'node:worker_threads';
import { awaitLeaving, makeGate, shutGate, type Gate } from '../../database-gate.ts';
import type { Tip } from '../../executor/tip.ts';
import { FLAGS } from '../../worker-thread.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import { runEngine, type OpenEngine } from './run-engine.ts';

export interface EngineLink<Own> {
  readonly name: string;
  start(listeners: LinkListeners<Own>): void;
  post(message: ToEngine): void;
  cutShort(): Promise<void>;
}

interface LinkListeners<Own> {
  onMessage: (message: FromEngine<Own>) => void;
  onError: (error: unknown) => void;
  onExit: () => void;
}

export interface ThreadData {
  head: Tip;
}

export interface EngineThreadOptions {
  file: URL;
  name: string;
  /** MB for short-lived objects; V8's default is 130. */
  youngMegabytes: number;
  data: ThreadData;
}

/** In MB. At V8's default, the heap could grow fourfold before a collection. */
const OLD_MEGABYTES = 1_984;

const threads = new Set<{ leaveDatabase: () => void }>();
process.on('exit', () => {
  for (const thread of threads) thread.leaveDatabase();
});

export class EngineThread<Own> implements EngineLink<Own> {
  readonly name: string;
  private readonly options: EngineThreadOptions;
  private readonly gate: Gate = makeGate();
  private worker: Worker | null = null;

  constructor(options: EngineThreadOptions) {
    this.name = `the thread ${options.name}`;
    this.options = options;
  }

  start({ onMessage, onError, onExit }: LinkListeners<Own>): void {
    const { file, name, youngMegabytes, data } = this.options;
    const workerData = { ...data, gate: this.gate };
    const resourceLimits = {
      maxYoungGenerationSizeMb: youngMegabytes,
      maxOldGenerationSizeMb: OLD_MEGABYTES,
    };
    this.worker = new Worker(file, { name, workerData, resourceLimits, ...FLAGS });
    this.worker.on('message', onMessage);
    this.worker.on('error', onError);
    this.worker.on('exit', () => {
      threads.delete(this);
      onExit();
    });
    threads.add(this);
  }

  post(message: ToEngine): void {
    this.worker?.postMessage(message, []);
  }

  async cutShort(): Promise<void> {
    if (shutGate(this.gate)) await this.worker?.terminate();
  }

  /** Call it before the process ends its threads. */
  leaveDatabase(): void {
    if (shutGate(this.gate)) return;
    this.post({ is: 'exit' });
    awaitLeaving(this.gate);
  }
}

/** Runs the engine in this thread, for deterministic tests. */
export class LocalEngine<Own> implements EngineLink<Own> {
  readonly name = 'the engine';
  private readonly data: ThreadData & { lookEvery?: number };
  private readonly open: OpenEngine<Own>;
  private toEngine: (message: ToEngine) => void = () => {};

  /** @param data.lookEvery milliseconds between two checks of the status; by default only events cause one */
  constructor(data: ThreadData & { lookEvery?: number }, open: OpenEngine<Own>) {
    this.data = data;
    this.open = open;
  }

  start({ onMessage, onError, onExit }: LinkListeners<Own>): void {
    const port = {
      post: copying(onMessage),
      onMessage: (listener: (message: ToEngine) => void) => {
        this.toEngine = copying(listener);
      },
    };
    runEngine(port, this.data, this.open).then(onExit, onError);
  }

  post(message: ToEngine): void {
    this.toEngine(message);
  }

  async cutShort(): Promise<void> {}
}

const copying =
  <Message>(listener: (message: Message) => void) =>
  (message: Message): void => {
    const copy = structuredClone(message);
    queueMicrotask(() => listener(copy));
  };
