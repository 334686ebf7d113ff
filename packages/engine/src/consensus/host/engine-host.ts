import { timestampToMs } from '@netd/protocol';
import type { ChainHead } from '../../chain/chain.ts';
import type { Clock } from '../../chain/clock.ts';
import { LabClock } from '../../chain/lab-clock.ts';
import type { Mempool, SubmissionResult } from '../../mempool/mempool.ts';
import type { Store } from '../../store/store.ts';
import { ownBlocksStatus, type Consensus, type EngineStatus } from '../consensus.ts';
import type { EngineLink } from './engine-link.ts';
import { errorFrom } from './error-text.ts';
import { LabChannel, type ToLab } from './lab-channel.ts';
import { decodeResults, type Answers, type FromEngine, type PassedEnvelope } from './messages.ts';

export interface HostParts {
  chain: ChainHead;
  mempool: Mempool;
  store: Store;
  laboratory?: Clock | null;
}

export interface HostEvents<Own> {
  onBlockFailure: (error: unknown, height: number) => void;
  onHalt: (error: unknown) => void;
  onStatus?: (status: EngineStatus) => void;
  onNews?: (news: Own) => void;
}

/** Leaves both cores to the first reads after a start. A write starts the engine earlier. */
const START_DELAY_MILLISECONDS = 500;

export class EngineHost<Own = never> implements Consensus {
  status: EngineStatus = ownBlocksStatus();
  readonly lab: LabChannel | null;
  private readonly parts: HostParts;
  private readonly link: EngineLink<Own>;
  private readonly events: HostEvents<Own>;
  private state: 'running' | 'stopping' | 'ended' = 'running';
  private hasBegun = false;
  private startTimer: NodeJS.Timeout | undefined;
  private opening: PromiseWithResolvers<void> | null = null;
  private delivered: Promise<void> = Promise.resolve();
  private readonly gone = Promise.withResolvers<void>();
  private readonly passed = new Map<number, (result: SubmissionResult) => void>();
  private count = 0;
  private isPassing = false;

  constructor(parts: HostParts, link: EngineLink<Own>, events: HostEvents<Own>) {
    this.parts = parts;
    this.link = link;
    this.events = events;
    const { laboratory, chain } = parts;
    const labClock = laboratory && new LabClock(timestampToMs(chain.head.timestamp), laboratory);
    this.lab = labClock ? new LabChannel(labClock, (message) => this.tellLab(message)) : null;
  }

  /**
   * Opens the chain, so that `start` cannot fail.
   * @throws the engine's error, after the engine has left the database
   */
  async open(): Promise<void> {
    this.opening = Promise.withResolvers();
    this.begin();
    try {
      await this.opening.promise;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  start(): void {
    this.parts.mempool.onReady = () => this.passSoon();
    if (this.hasBegun) this.link.post({ is: 'start' });
    else this.startTimer = setTimeout(() => this.beginNow(), START_DELAY_MILLISECONDS);
    this.pass();
  }

  poll(): void {
    if (this.hasBegun) this.link.post({ is: 'poll' });
  }

  setOrigins(origins: readonly string[]): void {
    this.link.post({ is: 'origins', origins });
  }

  async stop(): Promise<void> {
    this.pass();
    this.parts.mempool.close();
    clearTimeout(this.startTimer);
    if (!this.hasBegun) return;
    if (this.state === 'running') {
      this.state = 'stopping';
      this.link.post({ is: 'stop' });
    }
    // Don't wait for an answer; the engine may not have opened its database yet.
    if (this.passed.size === 0) await this.link.cutShort();
    await this.gone.promise;
  }

  private begin(): void {
    this.hasBegun = true;
    this.link.start({
      onMessage: (message) => this.next(() => this.take(message)),
      onError: (error) => this.next(() => this.end(error)),
      onExit: () => {
        this.next(() => this.end(new Error(`${this.link.name} has ended`)));
        this.next(() => this.gone.resolve());
      },
    });
  }

  private beginNow(): void {
    clearTimeout(this.startTimer);
    this.begin();
    this.link.post({ is: 'start' });
  }

  private next(work: () => Promise<void> | void): void {
    this.delivered = this.delivered.then(work).catch((error: unknown) => this.end(error));
  }

  private passSoon(): void {
    if (this.isPassing) return;
    this.isPassing = true;
    process.nextTick(() => {
      this.isPassing = false;
      this.pass();
    });
  }

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
    if (this.state === 'ended') {
      this.settleUnavailable();
      return;
    }
    if (!this.hasBegun) this.beginNow();
    this.link.post({ is: 'envelopes', envelopes, more: mempool.isAwaited });
  }

  private tellLab(message: ToLab): void {
    this.pass();
    if (this.state === 'ended') {
      this.lab?.end();
      return;
    }
    if (!this.hasBegun) this.beginNow();
    this.link.post(message);
  }

  private async tellArrived(): Promise<void> {
    await this.parts.mempool.arriving();
    this.pass();
    this.link.post({ is: 'arrived' });
  }

  private async take(message: FromEngine<Own>): Promise<void> {
    const { chain, store } = this.parts;
    switch (message.is) {
      case 'open':
        this.opening?.resolve();
        this.opening = null;
        break;
      case 'status':
        this.setStatus(message.status);
        break;
      case 'block': {
        const { head, height, transitionCount, changed, answers } = message;
        store.noteBlock(changed);
        chain.moveTo(head);
        this.lab?.noteBlock(timestampToMs(head.timestamp));
        await this.settle(answers);
        chain.notifyListeners(height, transitionCount);
        break;
      }
      case 'answers':
        await this.settle(message.answers);
        break;
      case 'awaits-arrivals':
        void this.tellArrived();
        break;
      case 'block-failure':
        this.events.onBlockFailure(errorFrom(message.error), message.height);
        break;
      case 'news':
        store.refresh();
        this.events.onNews?.(message.news);
        break;
      case 'lab':
        if (message.returnedTo) {
          store.noteReturn();
          chain.returnTo(message.returnedTo);
        }
        this.lab?.take(message);
        break;
      case 'halted':
        await this.settle(message.answers);
        this.end(errorFrom(message.error));
    }
  }

  private async settle(answers: Answers): Promise<void> {
    for (const [index, piece] of answers.entries()) {
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

  private setStatus(status: EngineStatus): void {
    this.status = status;
    this.events.onStatus?.(status);
  }

  private end(error: unknown): void {
    const { state, opening, status } = this;
    if (state === 'ended') return;
    this.state = 'ended';
    this.parts.mempool.close();
    this.settleUnavailable();
    this.lab?.end();
    const { following } = status;
    if (following) this.setStatus({ ...status, following: { ...following, isCurrent: false } });
    if (state === 'running') {
      if (opening) opening.reject(error);
      else this.events.onHalt(error);
      this.link.post({ is: 'stop' });
    }
  }
}
