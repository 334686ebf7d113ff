import { FairQueue } from '@netd/client-limits';
import { LRUCache } from 'lru-cache';
import { BlobError } from './errors.ts';

const MAX_NAMES = 10_000;
/** Strangers' names must neither flood the node nor delay other lookups. */
const BOUNDS = { most: 16, ofAddress: 8, waiting: 512, waitingOfAddress: 128, patience: 10_000 };

interface LookupOptions<Answer> {
  what: string;
  ask: (name: string) => Promise<Answer>;
  /** Returns how many milliseconds to cache an answer. */
  keepFor: (answer: Answer) => number;
}

export class Lookups<Answer extends object> {
  private readonly options: LookupOptions<Answer>;
  private readonly cache = new LRUCache<string, Answer>({ max: MAX_NAMES });
  private readonly asking = new Map<string, Promise<Answer>>();
  private readonly queue = new FairQueue(BOUNDS);

  constructor(options: LookupOptions<Answer>) {
    this.options = options;
  }

  /**
   * @param fresh bypasses the cache
   * @returns the answer; `isNew` if the node was asked just now
   * @throws BlobError NODE_UNREACHABLE, BUSY
   */
  async of(
    name: string,
    share: string,
    fresh = false,
  ): Promise<{ answer: Answer; isNew: boolean }> {
    const known = this.cache.get(name);
    if (known && !fresh) return { answer: known, isNew: false };
    let question = this.asking.get(name);
    if (!question) {
      const message = `Too many ${this.options.what} are being looked up, of ${share} or in all`;
      question = this.queue
        .run(
          share,
          () => this.ask(name),
          () => new BlobError('BUSY', 1, message),
        )
        .finally(() => this.asking.delete(name));
      this.asking.set(name, question);
    }
    return { answer: await question, isNew: true };
  }

  private async ask(name: string): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await this.options.ask(name);
    } catch {
      throw new BlobError('NODE_UNREACHABLE', 5);
    }
    this.cache.set(name, answer, { ttl: this.options.keepFor(answer) });
    return answer;
  }
}
