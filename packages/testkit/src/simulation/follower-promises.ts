/** What followers of a simulation promise their readers: what the writer certified and nothing else, and never less than before. */
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
  /** Chooses the block that a reader asks for. */
  random: Random;
  writer: () => Store;
  followers: () => readonly SimulatedFollower[];
}

export class FollowerPromises {
  /** Answers that were compared with what the writer certified. */
  comparedCount = 0;
  private readonly watched: Watched;
  private readonly certified = new CertifiedHistory();
  /** What each follower served as its height at most. */
  private readonly served = new Map<string, number>();
  /** The first that was noticed. */
  private broken: Error | null = null;

  constructor(watched: Watched) {
    this.watched = watched;
  }

  /** The same node; whatever it tells must be what the writer certified. */
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
   * Looks at what readers see now.
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

  /** @param told the height of which its readers have just heard */
  checkByUrl(url: string, told = 0): void {
    const follower = this.watched.followers().find((one) => one.url === url);
    if (!follower?.isUp) return;
    this.checkServed(follower);
    const held = follower.chain.store.headHeight() ?? -1;
    if (told > held) this.break(`${url} tells of block ${told}, its disk holds ${held}`);
  }

  /** The height that it served at most. */
  servedBy({ url }: SimulatedFollower): number | undefined {
    return this.served.get(url);
  }

  /** It has been thrown away: the next one may begin lower. */
  forget({ url }: SimulatedFollower): void {
    this.served.delete(url);
  }

  /** Noted, because it is noticed where it is not caught. */
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
    // The writer may have made a block durable that was not looked at yet.
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
