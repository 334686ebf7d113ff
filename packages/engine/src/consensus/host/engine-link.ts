/** How an engine and its host reach each other: the engine has a thread of its own, or shares that of its host. */
import { Worker } from 'node:worker_threads';
import { awaitLeaving, makeGate, shutGate, type Gate } from '../../database-gate.ts';
import type { Tip } from '../../executor/tip.ts';
import { FLAGS } from '../../worker-thread.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import { runEngine, type OpenEngine } from './run-engine.ts';

export interface EngineLink<Own> {
  /** The name of the thread, or of what runs in its place. */
  readonly name: string;
  /** Called once. */
  start(listeners: LinkListeners<Own>): void;
  post(message: ToEngine): void;
  /** Ends an engine that has not got as far as the database; any other is told to stop, and ends by itself. */
  cutShort(): Promise<void>;
}

interface LinkListeners<Own> {
  onMessage: (message: FromEngine<Own>) => void;
  onError: (error: unknown) => void;
  /** Nothing comes after it. */
  onExit: () => void;
}

/** What every engine's thread starts with, beside what is its own. */
export interface ThreadData {
  /** What the database was left at. */
  head: Tip;
}

export interface EngineThreadOptions {
  /** The module of the thread, which calls `runThread`. */
  file: URL;
  /** Threads are seen by their names, by operators and by the benchmarks. */
  name: string;
  /** MB of its heap for what is short-lived: V8 by itself would keep 130. Fewer are collected more often. */
  youngMegabytes: number;
  /** What it starts with, which can cross to it. */
  data: ThreadData;
}

/**
 * Of the thread's heap, in MB: more than what waits for it can come to. V8 by itself would let it grow fourfold before it looks
 * for garbage; below 2 GB that is twofold.
 */
const OLD_MEGABYTES = 1_984;

/** The threads that run. */
const threads = new Set<{ leaveDatabase: () => void }>();
process.on('exit', () => {
  for (const thread of threads) thread.leaveDatabase();
});

/** An engine in a thread of its own, which opens the same database for itself. */
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

  /** Makes the thread leave the database; called before the process ends its threads. */
  leaveDatabase(): void {
    if (shutGate(this.gate)) return;
    this.post({ is: 'exit' });
    awaitLeaving(this.gate);
  }
}

/**
 * An engine in the thread of its host, for parts that cannot cross to another one: a clock, a disk or a network that a test holds.
 * Messages are copied as between threads, and arrive before the event loop goes on: a simulation comes out the same each time.
 */
export class LocalEngine<Own> implements EngineLink<Own> {
  readonly name = 'the engine';
  private readonly data: ThreadData & { lookEvery?: number };
  private readonly open: OpenEngine<Own>;
  private toEngine: (message: ToEngine) => void = () => {};

  /** @param data.lookEvery milliseconds of real time between two looks at the status; without it at events alone */
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
