/** Judges in a worker thread, so that strangers' expensive inputs don't block the house. */
import { Worker } from 'node:worker_threads';
import type { ChainReplay } from '@netd/formats';
import type { Delivered, Findings, Range, Replay } from './findings.ts';

export type ToJudge =
  | { id: number; delivered: Delivered; milliseconds: number }
  | { id: number; replayed: ChainReplay | null }
  | { id: number; givenUp: true };

export type FromJudge =
  | { id: number; findings: Findings | null }
  | { id: number; failed: string }
  | { id: number; replay: Range };

interface Question {
  resolve: (findings: Findings | null) => void;
  reject: (error: unknown) => void;
}

export class Judging {
  private readonly replay: Replay;
  private readonly signal: AbortSignal;
  private worker: Worker | null = null;
  private readonly open = new Map<number, Question>();
  private asked = 0;

  constructor(replay: Replay, signal: AbortSignal) {
    this.replay = replay;
    this.signal = signal;
    signal.addEventListener('abort', () => void this.worker?.terminate(), { once: true });
  }

  /**
   * Starts the thread on first use. The thread judges several deliverables in slices.
   * @returns null if the time is over
   * @throws Error if the thread ends early, the replay's error, or the signal's reason
   */
  async findings(delivered: Delivered, milliseconds: number): Promise<Findings | null> {
    this.signal.throwIfAborted();
    const worker = (this.worker ??= this.start());
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      // A pending question keeps the process alive. An idle thread does not.
      worker.ref();
      this.send({ id, delivered, milliseconds });
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL('judge-worker.ts', import.meta.url), { name: 'judge' });
    worker.on('message', (message: FromJudge) => this.heard(message));
    const fail = (error: unknown): void => {
      if (this.worker !== worker) return;
      this.worker = null;
      for (const id of this.open.keys()) this.close(id)?.reject(error);
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread that judges has ended')));
    return worker;
  }

  private send(message: ToJudge): void {
    this.worker?.postMessage(message, []);
  }

  private heard(message: FromJudge): void {
    const { id } = message;
    if ('findings' in message) this.close(id)?.resolve(message.findings);
    else if ('failed' in message) this.close(id)?.reject(new Error(message.failed));
    else {
      this.replay(message.replay).then(
        (replayed) => this.send({ id, replayed }),
        (error: unknown) => {
          this.send({ id, givenUp: true });
          this.close(id)?.reject(error);
        },
      );
    }
  }

  private close(id: number): Question | undefined {
    const question = this.open.get(id);
    this.open.delete(id);
    if (this.open.size === 0) this.worker?.unref();
    return question;
  }
}
