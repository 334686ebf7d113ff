/** Sends a follower's heartbeats. A refusal causes a pause, and never stops the follower. */
import { randomBytes } from 'node:crypto';
import { canonicalize, type JsonObject, type Problem } from '@netd/protocol';
import { type ChainHead, type Clock, sleep, type Store } from '@netd/engine';
import { VERSION } from '@netd/protocol/version';
import { requestOrigin, retryAfterOf } from './origin-request.ts';
import type { Transport } from './transport.ts';
import { dueAction, type Declared, type DueAction } from './presence.ts';

/** The key of an agent, or of a session that may send heartbeats. */
interface PresenceKey {
  chainId: string;
  actorId: string;
  sessionId: string | null;
  sign: (envelope: JsonObject) => Promise<JsonObject>;
}

export interface PresenceOptions {
  key: PresenceKey;
  declared: Declared;
  /** Milliseconds between two checks; default 5,000. */
  every?: number;
  /** Called with the reason of a refusal, or with null when the follower can be seen again. */
  onRefused?: (refusedWhy: string | null) => void;
}

export interface HeartbeatParts {
  chain: ChainHead;
  store: Store;
  clock: Clock;
  isCurrent: () => boolean;
  origins: () => readonly string[];
  transport: Transport;
  signal: AbortSignal;
}

const EVERY_MILLISECONDS = 5_000;
const FIRST_BACKOFF_MILLISECONDS = 5_000;
const LONGEST_BACKOFF_MILLISECONDS = 600_000;
const MOST_FAILURES = 8;
const TIMEOUT_MILLISECONDS = 30_000;
const MAX_ANSWER_BYTES = 65_536;
/** An intent expires after this many heights, so a lost one expires soon. */
const INTENT_HEIGHTS = 100;

/** Codes of a refusal that passes: the chain moved on, or this follower has not seen its last heartbeat yet. */
const PASSING = new Set([
  'HEARTBEAT_ROOT_MISMATCH',
  'HEARTBEAT_SEQUENCE_STALE',
  'BEACON_SEQUENCE_STALE',
  'INTENT_EXPIRED',
]);

const PASSING_TRIES = 3;

type Outcome = Taken | Refusal;

interface Taken {
  url: string;
  height: number;
  due: string;
}

interface Refusal {
  why: string;
  /** Seconds from Retry-After. */
  seconds: number | null;
  passes: boolean;
}

export class Heartbeats {
  refusedWhy: string | null = null;
  private readonly parts: HeartbeatParts;
  private readonly options: PresenceOptions;
  private failures = 0;
  /** Height of the last accepted intent. Below it, this follower would sign the same intent again. */
  private committedAt = 0;
  private taken: Taken | null = null;
  /** URL of an origin whose claimed block is not in the chain. It is asked last. */
  private doubted: string | null = null;
  private backoffUntil = 0;
  private ended: Promise<void> = Promise.resolve();

  constructor(parts: HeartbeatParts, options: PresenceOptions) {
    this.parts = parts;
    this.options = options;
  }

  start(): void {
    this.ended = this.run();
  }

  stop(): Promise<void> {
    return this.ended;
  }

  private async run(): Promise<void> {
    const { chain, clock, signal, isCurrent } = this.parts;
    while (!signal.aborted) {
      const isTime = clock.elapsed() >= this.backoffUntil && chain.height >= this.committedAt;
      if (isTime && isCurrent()) await this.look();
      await sleep(this.parts.clock, this.options.every ?? EVERY_MILLISECONDS, this.parts.signal);
    }
  }

  private async look(): Promise<void> {
    try {
      const due = this.due();
      if (this.taken) this.check(this.taken, due);
      this.taken = null;
      if (due) this.settle(await this.bring(due));
    } catch (error) {
      if (this.parts.signal.aborted) return;
      this.settle({ why: (error as Error).message, seconds: null, passes: false });
    }
  }

  private check({ url, due: taken }: Taken, due: DueAction | null): void {
    this.doubted = due && nameOf(due) === taken ? url : null;
    this.say(this.doubted && `${url} says that it has taken ${taken}, and the chain has it not`);
  }

  private due(): DueAction | null {
    const { store } = this.parts;
    const { key, declared } = this.options;
    const snapshot = store.snapshot();
    try {
      return dueAction(snapshot, key.actorId, { nodeVersion: `netd/${VERSION}`, declared });
    } finally {
      snapshot.close();
    }
  }

  private async bring(due: DueAction): Promise<Outcome> {
    const { chain, origins, transport, signal } = this.parts;
    const { key } = this.options;
    const envelope = await key.sign({
      ...due,
      actorId: key.actorId,
      chainId: chain.identity.chainId,
      nonce: randomBytes(16).toString('hex'),
      expiresAtHeight: chain.height + INTENT_HEIGHTS,
      ...(key.sessionId === null ? {} : { sessionId: key.sessionId }),
    });
    const body = Buffer.from(canonicalize(envelope));
    let refusal: Refusal = { why: 'no origin answers', seconds: null, passes: false };
    const inOrder = origins().toSorted(
      (a, b) => Number(a === this.doubted) - Number(b === this.doubted),
    );
    for (const url of inOrder) {
      try {
        const answer = await requestOrigin(transport, `${url}/v1/intents`, {
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body,
          timeout: TIMEOUT_MILLISECONDS,
          maxBytes: MAX_ANSWER_BYTES,
          signal,
        });
        const { status, headers, bytes } = answer;
        if (status === 201) return { url, height: heightIn(bytes), due: nameOf(due) };
        const { code = String(status), detail = '' } = jsonIn<Partial<Problem>>(bytes);
        const why = `${url} answers ${code} ${detail}`.trimEnd();
        refusal = { why, seconds: retryAfterOf(headers), passes: PASSING.has(code) };
        // A rule of the chain refused the heartbeat, so other origins would too.
        if (status === 409) return refusal;
      } catch (error) {
        if (signal.aborted) throw error;
        refusal = { why: `${url} does not answer`, seconds: null, passes: false };
      }
    }
    return refusal;
  }

  private settle(outcome: Outcome): void {
    if ('height' in outcome) {
      const { height } = this.parts.chain;
      this.committedAt = Math.min(outcome.height, height + INTENT_HEIGHTS);
      this.failures = 0;
      this.taken = outcome;
      if (this.doubted === null) this.say(null);
      return;
    }
    const { why, seconds, passes } = outcome;
    const backoff = Math.max(
      FIRST_BACKOFF_MILLISECONDS * 2 ** this.failures,
      (seconds ?? 0) * 1_000,
    );
    this.failures = Math.min(this.failures + 1, MOST_FAILURES);
    if (passes && this.failures <= PASSING_TRIES) return;
    this.backoffUntil =
      this.parts.clock.elapsed() + Math.min(backoff, LONGEST_BACKOFF_MILLISECONDS);
    this.say(why);
  }

  private say(refusedWhy: string | null): void {
    if (refusedWhy === this.refusedWhy) return;
    this.refusedWhy = refusedWhy;
    this.options.onRefused?.(refusedWhy);
  }
}

const nameOf = ({ action, payload }: DueAction): string =>
  `${action} ${JSON.stringify(payload['sequence'])}`;

function heightIn(bytes: Uint8Array): number {
  const { height } = jsonIn<{ receipt?: { height?: unknown } }>(bytes).receipt ?? {};
  return Number.isSafeInteger(height) ? Number(height) : 0;
}

function jsonIn<Document extends object>(bytes: Uint8Array): Partial<Document> {
  try {
    const document = JSON.parse(Buffer.from(bytes).toString()) as Partial<Document> | null;
    return document !== null && typeof document === 'object' ? document : {};
  } catch {
    return {};
  }
}
