/** Judges in a thread, so that expensive input of strangers delays nothing else. */
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

  /** @param signal ends the thread and all present and later questions */
  constructor(replay: Replay, signal: AbortSignal) {
    this.replay = replay;
    this.signal = signal;
    signal.addEventListener('abort', () => void this.worker?.terminate(), { once: true });
  }

  /**
   * Starts the thread with the first question. It judges several in slices.
   * @returns null if time is up
   * @throws Error if the thread ends early, what the replay throws, or the signal's reason
   */
  async findings(delivered: Delivered, milliseconds: number): Promise<Findings | null> {
    this.signal.throwIfAborted();
    const worker = (this.worker ??= this.start());
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      // Keep the process alive for the answer, not for the thread.
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
