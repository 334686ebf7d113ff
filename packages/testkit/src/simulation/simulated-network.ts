/**
 * A simulated network on a manual clock: answers may be late, reordered, repeated, stale or lost. Each pair of
 * nodes has its own random generator, so that links do not affect each other.
 */
import type { AskOptions } from '@netd/sync/testing';
import type { Transport } from '@netd/sync';
import type { ManualClock } from '../manual-clock.ts';
import { Random } from './random.ts';

/** Paths below it are read from checkpoints. */
export const STATE_PATH = '/v1/state/';

export interface SimulatedAnswer {
  status: number;
  text: string;
}

export interface NetworkNode {
  readonly url: string;
  /** True while its port is open. */
  readonly isUp: boolean;
  /** @returns null to break the connection */
  answer(path: string): SimulatedAnswer | null;
  /** Answers below `/v1/state/`, read from files. */
  state(path: string): Promise<SimulatedAnswer | null>;
}

export interface NetworkCounts {
  asked: number;
  lost: number;
  refused: number;
  /** Earlier answers delivered instead of the new one. */
  repeated: number;
  /** Answers that overtook an earlier request's. */
  reordered: number;
}

interface Link {
  random: Random;
  isCut: boolean;
  /** The last answer by path. */
  before: Map<string, SimulatedAnswer>;
  asked: number;
  /** The newest answered request. */
  answered: number;
}

interface Stream {
  from: string;
  to: string;
  link: Link;
  isOpen: boolean;
  tell: () => void;
  break: (reason: unknown) => void;
}

const LOSS = 0.04;
const REPETITION = 0.05;
const SLOW = 0.03;
const SLOW_MILLISECONDS = 4_000;
/** Connection timeout of a request without a deadline. */
const CONNECT_MILLISECONDS = 10_000;
const NEWS = new TextEncoder().encode(': news\n\n');

export class SimulatedNetwork {
  readonly counts: NetworkCounts = { asked: 0, lost: 0, refused: 0, repeated: 0, reordered: 0 };
  /** True once faults have stopped. */
  isCalm = false;
  private readonly clock: ManualClock;
  private readonly seed: number;
  private readonly nodes = new Map<string, NetworkNode>();
  private readonly links = new Map<string, Link>();
  private readonly streams = new Set<Stream>();

  constructor(clock: ManualClock, seed: number) {
    this.clock = clock;
    this.seed = seed;
  }

  add(node: NetworkNode): void {
    this.nodes.set(node.url, node);
  }

  /** Cuts or mends the link between two nodes, both ways. */
  cut(one: string, other: string, isCut: boolean): void {
    for (const link of [this.link(one, other), this.link(other, one)]) link.isCut = isCut;
  }

  /** Returns a node's transport; nothing reaches a dead one. */
  transportOf(from: string, isDead: () => boolean): Transport {
    return {
      ask: (url, options) => this.ask(from, new URL(url), isDead, options),
    };
  }

  /** Notifies a node's listeners of news. */
  tellNews(to: string): void {
    for (const stream of this.streams) {
      if (stream.to === to) this.clock.after(this.delay(stream.link), () => stream.tell());
    }
  }

  /** Breaks a dead node's connections, in and out. */
  close(node: string): void {
    for (const stream of this.streams) {
      if (stream.from === node) this.streams.delete(stream);
      else if (stream.to === node) {
        this.clock.after(this.delay(stream.link), () => stream.break(new Error('reset')));
      }
    }
  }

  private ask(
    from: string,
    { origin: to, pathname, search }: URL,
    isDead: () => boolean,
    { signal, timeout = CONNECT_MILLISECONDS }: AskOptions,
  ): Promise<Response> {
    const link = this.link(from, to);
    const number = ++link.asked;
    this.counts.asked++;
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (settle: () => void): void => {
        if (isOver) return;
        isOver = true;
        cancelDeadline();
        signal?.removeEventListener('abort', onAbort);
        if (!isDead()) settle();
      };
      const cancelDeadline = this.clock.after(timeout, () =>
        end(() => reject(new Error('no answer in time'))),
      );
      const onAbort = (): void => end(() => reject(signal?.reason as Error));
      if (signal?.aborted) {
        onAbort();
        return;
      }
      signal?.addEventListener('abort', onAbort);
      this.carry(link, () => {
        const node = this.nodes.get(to);
        if (!node?.isUp) {
          this.counts.refused++;
          this.clock.after(1, () => end(() => reject(new Error('connection refused'))));
          return;
        }
        if (pathname === '/v1/events') {
          this.carry(link, () => end(() => resolve(this.stream(from, to, link, signal))));
          return;
        }
        const path = pathname + search;
        const tell = (answer: SimulatedAnswer | null): void => {
          if (answer === null) {
            this.carry(link, () => end(() => reject(new Error('connection reset'))));
            return;
          }
          const received = this.newOrOld(link, path, answer);
          this.carry(link, () => {
            if (number < link.answered) this.counts.reordered++;
            link.answered = Math.max(link.answered, number);
            end(() => resolve(new Response(received.text, { status: received.status })));
          });
        };
        if (path.startsWith(STATE_PATH)) {
          void node.state(path).then(tell);
          return;
        }
        const answer = node.answer(path);
        // A duplicate request: its answer has no receiver, and must not matter.
        if (this.isStruck(link, REPETITION)) node.answer(path);
        tell(answer);
      });
    });
  }

  private newOrOld(link: Link, path: string, answer: SimulatedAnswer): SimulatedAnswer {
    const before = link.before.get(path);
    link.before.set(path, answer);
    if (!before || !this.isStruck(link, REPETITION)) return answer;
    this.counts.repeated++;
    return before;
  }

  private stream(from: string, to: string, link: Link, signal: AbortSignal | undefined): Response {
    let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
      },
    });
    const stream: Stream = {
      from,
      to,
      link,
      isOpen: true,
      tell: () => {
        if (!stream.isOpen) return;
        if (link.isCut || this.isStruck(link, LOSS)) stream.break(new Error('reset'));
        else controller?.enqueue(NEWS);
      },
      break: (reason) => {
        if (!stream.isOpen) return;
        stream.isOpen = false;
        this.streams.delete(stream);
        controller?.error(reason);
      },
    };
    signal?.addEventListener('abort', () => stream.break(signal.reason));
    this.streams.add(stream);
    return new Response(body, { status: 200 });
  }

  /** Delivers one way, unless it is lost. */
  private carry(link: Link, arrive: () => void): void {
    this.clock.after(this.delay(link), () => {
      if (link.isCut || this.isStruck(link, LOSS)) this.counts.lost++;
      else arrive();
    });
  }

  private delay(link: Link): number {
    const quick = 1 + link.random.below(30);
    return this.isStruck(link, SLOW) ? quick + link.random.below(SLOW_MILLISECONDS) : quick;
  }

  private isStruck(link: Link, probability: number): boolean {
    return link.random.chance(probability) && !this.isCalm;
  }

  private link(from: string, to: string): Link {
    const name = `${from} ${to}`;
    const known = this.links.get(name);
    if (known) return known;
    const random = Random.named(this.seed, name);
    const link = { random, isCut: false, before: new Map(), asked: 0, answered: 0 };
    this.links.set(name, link);
    return link;
  }
}
