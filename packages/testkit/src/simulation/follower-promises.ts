/** Promises of followers to readers: only certified data, and never an older height. */
import type { Store } from '@netd/engine';
import { CertifiedHistory } from './certified-history.ts';
import type { Random } from './random.ts';
import type { SimulatedFollower } from './simulated-follower.ts';
import type { NetworkNode, SimulatedAnswer } from './simulated-network.ts';

class BrokenPromiseError extends Error {
  override name = 'BrokenPromiseError';
}

interface Watched {
  seed: number;
  /** Picks the block that a reader requests. */
  random: Random;
  writer: () => Store;
  followers: () => readonly SimulatedFollower[];
}

export class FollowerPromises {
  /** Answers compared with certified data. */
  comparedCount = 0;
  private readonly watched: Watched;
  private readonly certified = new CertifiedHistory();
  /** The greatest height that each follower has served. */
  private readonly served = new Map<string, number>();
  /** The first broken promise. */
  private broken: Error | null = null;

  constructor(watched: Watched) {
    this.watched = watched;
  }

  /** Wraps a node to compare each answer with certified data. */
  compared(node: NetworkNode): NetworkNode {
    return {
      url: node.url,
      get isUp() {
        return node.isUp;
      },
      answer: (path) => {
        const answer = node.answer(path);
        this.compare(node, path, answer);
        return answer;
      },
      state: async (path) => {
        const answer = await node.state(path);
        this.compare(node, path, answer);
        return answer;
      },
    };
  }

  /**
   * Checks the documents that readers see now.
   * @throws BrokenPromiseError
   */
  check(): void {
    const { writer, followers } = this.watched;
    this.certified.follow(writer());
    for (const follower of followers()) {
      if (!follower.isUp) continue;
      const { chain, executor } = follower.chain;
      this.checkServed(follower);
      if (executor.tree.root !== chain.head.stateRoot) {
        this.break(`${follower.url}: the tree is not the head’s`);
      }
    }
    this.throwIfBroken();
  }

  /** @param told the height just announced to its readers */
  checkByUrl(url: string, told = 0): void {
    const follower = this.watched.followers().find((one) => one.url === url);
    if (!follower?.isUp) return;
    this.checkServed(follower);
    const held = follower.chain.store.headHeight() ?? -1;
    if (told > held) this.break(`${url} tells of block ${told}, its disk holds ${held}`);
  }

  servedBy({ url }: SimulatedFollower): number | undefined {
    return this.served.get(url);
  }

  /** Forgets a wiped follower, whose successor may begin lower. */
  forget({ url }: SimulatedFollower): void {
    this.served.delete(url);
  }

  /** Stored for later: an exception thrown here would not be caught. */
  break(what: string): void {
    this.broken ??= new BrokenPromiseError(`seed ${this.watched.seed}: ${what}`);
  }

  fail(what: string): never {
    this.break(what);
    throw this.broken as Error;
  }

  /** @throws BrokenPromiseError */
  throwIfBroken(): void {
    if (this.broken) throw this.broken;
  }

  private compare({ url }: NetworkNode, path: string, answer: SimulatedAnswer | null): void {
    // The writer may have unobserved durable blocks.
    this.certified.follow(this.watched.writer());
    const fault = answer && this.certified.faultOf(path, answer);
    if (fault) this.break(`${url}${path} ${fault}`);
    this.comparedCount++;
  }

  private checkServed(follower: SimulatedFollower): void {
    const { url } = follower;
    const { chain, store } = follower.chain;
    const height = store.headHeight() ?? -1;
    const before = this.served.get(url) ?? 0;
    if (height < before) this.break(`${url} served ${before} and is at ${height}`);
    if (chain.height > height) this.break(`${url} says ${chain.height}, its disk holds ${height}`);
    this.served.set(url, Math.max(before, height));
    const reader = this.compared(follower);
    const { random } = this.watched;
    for (const at of [height, random.below(height + 1)]) {
      for (const query of ['', '?events=none']) reader.answer(`/v1/blocks/${at}${query}`);
    }
    reader.answer('/v1/network');
    const fault = this.certified.faultOfDocuments(store);
    if (fault) this.break(`${url} ${fault}`);
  }
}
