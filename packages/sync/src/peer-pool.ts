/** The peers that a follower asks: how far each is, which are in backoff after a failure, and which are banned for a lie. */
import type { Clock, HealthIssue } from '@netd/engine';
import { OriginFaultError, type Origin, type OriginHead } from './origin.ts';

const FIRST_REST_MILLISECONDS = 500;
const LONGEST_REST_MILLISECONDS = 30_000;
/** A restart takes less; who is silent for longer is told of, though others answer. */
const SILENCE_MILLISECONDS = 60_000;

export interface Peer {
  origin: Origin;
  /** What it said last; null before. */
  head: OriginHead | null;
  /** Whether it is being asked how far it is. */
  isAsked: boolean;
  /** Whether its history is being laid beside ours: until that is over none of its blocks is wanted. */
  isCompared: boolean;
  /** Failures since its last answer. */
  failures: number;
  /** By the clock's elapsed time: when the first of these was. */
  silentSince: number;
  /** What the last of them was; null before. */
  trouble: string | null;
  /** How often it did not deliver the blocks that it says it has; less when it has delivered them all. */
  failureScore: number;
  /** By the clock's elapsed time. */
  restsUntil: number;
  /** Why it is not asked any more; null while it is. */
  banned: string | null;
}

type AnsweringOrigin = Peer & { head: OriginHead };

export class PeerPool {
  /** Called whenever one has answered or failed. */
  onAnswer: () => void = () => {};
  readonly all: readonly Peer[];
  private readonly clock: Clock;
  private readonly onDrop: (url: string, reason: string) => void;
  /** The height that the furthest reliable one has said last, also after all have fallen silent; null before. */
  lastHeard: number | null = null;

  constructor(
    origins: readonly Origin[],
    clock: Clock,
    onDrop: (url: string, reason: string) => void,
  ) {
    this.clock = clock;
    this.onDrop = onDrop;
    this.all = origins.map((origin) => ({
      origin,
      head: null,
      isAsked: false,
      isCompared: false,
      failures: 0,
      silentSince: 0,
      trouble: null,
      failureScore: 0,
      restsUntil: 0,
      banned: null,
    }));
  }

  /** Those who may be asked now. */
  get active(): Peer[] {
    const now = this.clock.elapsed();
    return this.all.filter(({ banned, restsUntil }) => banned === null && restsUntil <= now);
  }

  /** Addresses of those who may be asked now, those that answered last first: who is away may be tried again, too. */
  get reachable(): string[] {
    const byFailures = this.active.toSorted((a, b) => a.failures - b.failures);
    return byFailures.map(({ origin }) => origin.url);
  }

  /** Of those who may be asked, the furthest of the most reliable; the first named of several. */
  get furthest(): AnsweringOrigin | null {
    return this.answering()[0] ?? null;
  }

  /**
   * Of those who may be asked, and say that they have blocks above a height, the furthest of the most reliable: what an
   * origin says of its height is not worth more than that it delivers.
   */
  aheadOf(height: number): AnsweringOrigin[] {
    return this.answering().filter(({ head, isCompared }) => head.height > height && !isCompared);
  }

  /** The most reliable first, of these the furthest. */
  private answering(): AnsweringOrigin[] {
    return this.active
      .filter((followed): followed is AnsweringOrigin => followed.head !== null)
      .toSorted((a, b) => a.failureScore - b.failureScore || b.head.height - a.head.height);
  }

  /**
   * Asks everybody who may be asked how far they are.
   * @returns when the first of them has answered or failed; nobody waits for the slow ones, who are asked once at a time
   */
  async refresh(signal: AbortSignal): Promise<void> {
    const asked = this.active.filter(({ isAsked }) => !isAsked);
    if (asked.length > 0) await Promise.race(asked.map((followed) => this.ask(followed, signal)));
  }

  private async ask(followed: Peer, signal: AbortSignal): Promise<void> {
    followed.isAsked = true;
    try {
      const head = await followed.origin.head(signal);
      if (followed.banned !== null) return;
      followed.head = head;
      followed.failures = 0;
      this.lastHeard = this.furthest?.head.height ?? this.lastHeard;
    } catch (error) {
      if (!signal.aborted) this.fail(followed, error);
    } finally {
      followed.isAsked = false;
      this.onAnswer();
    }
  }

  /** A failure may pass; what no honest node answers may not. */
  fail(followed: Peer, error: unknown): void {
    if (error instanceof OriginFaultError) {
      this.drop(followed, error.message);
      return;
    }
    followed.head = null;
    // One that answers and does not deliver is left alone longer and longer, as long as there is another one.
    const isAlone = this.active.every((other) => other === followed);
    const times = isAlone ? followed.failures : Math.max(followed.failures, followed.failureScore);
    const rest = Math.min(LONGEST_REST_MILLISECONDS, FIRST_REST_MILLISECONDS * 2 ** times);
    if (followed.failures === 0) followed.silentSince = this.clock.elapsed();
    followed.failures++;
    followed.trouble = error instanceof Error ? error.message : String(error);
    followed.restsUntil = this.clock.elapsed() + rest;
  }

  drop(followed: Peer, reason: string): void {
    if (followed.banned !== null) return;
    followed.banned = reason;
    followed.head = null;
    this.onDrop(followed.origin.url, reason);
  }

  /** How many are active, in backoff after a failure, and banned. */
  get standing(): { active: number; backoff: number; banned: number } {
    const active = this.active.length;
    const banned = this.all.filter(({ banned: reason }) => reason !== null).length;
    return { active, backoff: this.all.length - active - banned, banned };
  }

  faults(): string[] {
    return this.issues().map(({ text }) => text);
  }

  /** What an operator ought to know of them. */
  issues(): HealthIssue[] {
    const banned = this.all.flatMap(({ origin: { url }, banned: reason }): HealthIssue[] =>
      reason === null
        ? []
        : [
            {
              kind: 'origin-banned',
              subject: url,
              text: `${url} is not asked any more: ${reason}`,
            },
          ],
    );
    const silent = this.all.filter(
      ({ failures, banned: reason }) => reason === null && failures > 0,
    );
    if (banned.length + silent.length === this.all.length) {
      const again = [
        `${silent.length} ${silent.length === 1 ? 'is' : 'are'} tried again`,
        ...silent.map(troubleOf),
      ].join('; ');
      const text = `no origin answers: this copy does not grow (${again})`;
      return [...banned, { kind: 'no-origin', text }];
    }
    const now = this.clock.elapsed();
    const gone = silent.filter(({ silentSince }) => now - silentSince >= SILENCE_MILLISECONDS);
    return [
      ...banned,
      ...gone.map((followed): HealthIssue => ({
        kind: 'origin-silent',
        subject: followed.origin.url,
        text: `an origin has not answered for more than a minute, and is tried again: ${troubleOf(followed)}`,
      })),
    ];
  }
}

/** With its address. */
function troubleOf({ origin: { url }, trouble }: Peer): string {
  return trouble?.includes(url) === true ? trouble : `${url}: ${trouble}`;
}
