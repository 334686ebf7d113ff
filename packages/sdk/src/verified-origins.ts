/**
 * Proven reads from several origins. Asks the nearest one that is not behind, then the next. All answers are
 * verified against one anchor.
 */
import type { Receipt } from '@netd/protocol';
import type { AnyActionName, PayloadFor } from './actions.ts';
import { NetClient, type Actor } from './client.ts';
import { isLoopbackUrl, NetError, normalizeBaseUrl } from './http.ts';
import type { DocumentOf, ParameterArgument, ReadPath } from './reads.ts';
import { NAMED_GENESIS, rulesVersionOf } from './rules-version.ts';
import {
  StaleStateError,
  VerificationError,
  VerifiedReader,
  type Anchor,
  type Freshness,
  type VerifiedAudit,
  type VerifiedState,
  type VerifiedTransition,
} from './verified-reader.ts';

/** Options of `VerifiedOrigins`. */
export interface OriginsOptions {
  /** Milliseconds per request to one origin; default 10,000. */
  timeout?: number | undefined;
  /** Heights that an origin may be behind the highest before it is asked last; default 10. */
  maxLag?: number | undefined;
}

/** Answers and faults of one origin. */
export interface OriginStatus {
  /** Address of the origin. */
  origin: string;
  /**
   * `banned`: gave a false answer. `backoff`: does not answer. `behind`: exceeds `maxLag`, or could not prove
   * its height.
   */
  state: 'unknown' | 'good' | 'behind' | 'backoff' | 'banned';
  /** Milliseconds of its latest answer; null before the first. */
  latency: number | null;
  /** Height that it last claimed; null before its first answer. */
  height: number | null;
  /** Why it is not used, with the answers that show it; null if it is. */
  fault: { reason: string; answers: ReceivedDocument[] } | null;
}

/** A document as an origin answered it. */
export interface ReceivedDocument {
  /** Path that was asked for. */
  path: string;
  /** Parameters of the request. */
  parameters: unknown;
  /** The answer. */
  document: unknown;
}

const TIMEOUT = 10_000;
const MAX_LAG = 10;
const MEASURE_EVERY = 15_000;
const GRACE = 250;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;
const KEPT_ANSWERS = 4;

/** Reads from several origins. Uses the fastest honest one, and keeps evidence of a fork. */
export class VerifiedOrigins {
  private readonly all: readonly Origin[];
  private readonly options: { timeout: number; maxLag: number };
  private measuredAt = Number.NEGATIVE_INFINITY;
  private measuring: Promise<unknown> | null = null;
  private chainId: string | null = null;
  private provenGenesis: string | null = null;
  /** True once version 2 of the rules is proven. Envelopes then name the genesis. */
  private isNamed = false;
  private writer: NetClient | null = null;

  /**
   * @param origins base addresses
   * @throws RangeError if there is no origin
   */
  constructor(origins: readonly string[], anchor: Anchor, options: OriginsOptions = {}) {
    const { timeout = TIMEOUT, maxLag = MAX_LAG } = options;
    this.options = { timeout, maxLag };
    const urls = [...new Set(origins.map(normalizeBaseUrl))];
    if (urls.length === 0) throw new RangeError('at least one origin is needed');
    this.all = urls.map((url) => new Origin(url, anchor, timeout));
  }

  /** Status of each origin, in the order in which they are asked. */
  get origins(): OriginStatus[] {
    return this.inOrder().map((one) => one.status(this.isBehind(one)));
  }

  /** Highest height proven so far. */
  get height(): number {
    return Math.max(...this.all.map(({ reader }) => reader.height));
  }

  /** As `VerifiedReader.readState`, and never older than the highest proven block. */
  async readState(key: string, freshness: Freshness = {}): Promise<VerifiedState> {
    const least = this.atLeast(freshness);
    return this.ask((reader) => reader.readState(key, least), least.minHeight);
  }

  /** As `VerifiedReader.readTransition`. */
  async readTransition(transitionHash: string): Promise<VerifiedTransition> {
    return this.ask((reader) => reader.readTransition(transitionHash), 0);
  }

  /** As `VerifiedReader.readWorkAudit`, and never older than the highest proven block. */
  async readWorkAudit(orderId: string, freshness: Freshness = {}): Promise<VerifiedAudit> {
    const least = this.atLeast(freshness);
    return this.ask((reader) => reader.readWorkAudit(orderId, least), least.minHeight);
  }

  /**
   * As `NetClient.act`, through an origin that accepts writes.
   * @throws as `write`
   */
  async act<Name extends AnyActionName>(
    actor: Actor,
    action: Name,
    payload: PayloadFor<Name>,
  ): Promise<Receipt> {
    return this.write((client) => client.act(actor, action, payload));
  }

  /**
   * Calls back with a client of an origin that accepts writes: a listed one, or one named by a follower.
   * Signs for the anchor's chain only. If an answer is lost, `write((client) => client.send(error.envelope))`
   * retries safely.
   * @throws NetError, LostAnswerError as the client
   */
  async write<Result>(call: (client: NetClient) => Promise<Result>): Promise<Result> {
    if (this.chainId === null) {
      const { value } = await this.readState('chain/identity');
      const { chainId, genesisHash } = value as { chainId: string; genesisHash: string };
      this.chainId = chainId;
      this.provenGenesis = genesisHash;
    }
    this.isNamed ||= rulesVersionOf(await this.readState('rules/active')) >= NAMED_GENESIS;
    const queue = this.writer ? [this.writer.url] : [];
    queue.push(
      ...this.inOrder()
        .filter(({ fault }) => !fault)
        .map(({ url }) => url),
    );
    const asked = new Set<string>();
    let refusal: unknown = null;
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      if (asked.has(url)) continue;
      asked.add(url);
      let client: NetClient;
      try {
        client = this.clientOf(url);
        // Check the node before anything is signed: if it is absent, it has received nothing.
        if (client !== this.writer) await client.network();
      } catch (error) {
        refusal ??= error;
        continue;
      }
      if (this.isNamed && this.provenGenesis !== null) client.nameGenesis(this.provenGenesis);
      try {
        const result = await call(client);
        this.writer = client;
        return result;
      } catch (error) {
        if (!(error instanceof NetError) || error.code !== 'FOLLOWER_TAKES_NO_WRITES') throw error;
        refusal = error;
        const named = addressIn(error.hint ?? '', url);
        if (named !== null) queue.unshift(named);
      }
    }
    throw refusal as Error;
  }

  private clientOf(url: string): NetClient {
    if (this.writer?.url === url) return this.writer;
    const { timeout } = this.options;
    return new NetClient({
      url,
      timeout,
      ...(this.chainId === null ? {} : { chainId: this.chainId }),
    });
  }

  private atLeast(freshness: Freshness): Freshness & { minHeight: number } {
    return { ...freshness, minHeight: Math.max(this.height, freshness.minHeight ?? 0) };
  }

  private async ask<Result>(
    read: (reader: VerifiedReader) => Promise<Result>,
    least: number,
  ): Promise<Result> {
    await this.measure();
    const failures: unknown[] = [];
    for (const origin of this.inOrder()) {
      if (origin.fault) continue;
      try {
        const result = await read(origin.reader);
        origin.answered();
        return result;
      } catch (error) {
        origin.failed(error, least);
        failures.push(error);
      }
    }
    const telling =
      failures.find((error) => error instanceof NetError && !isAway(error)) ??
      failures.find((error) => error instanceof StaleStateError) ??
      failures.find((error) => !(error instanceof VerificationError));
    if (telling) throw telling as Error;
    const reasons = this.all.map(({ url, fault }) => `${url}: ${fault?.reason}`);
    throw new VerificationError(`no origin is left to be believed: ${reasons.join('; ')}`, {
      cause: failures[0],
    });
  }

  /** Returns the nearest origins first, then those behind, in backoff, and banned. */
  private inOrder(): Origin[] {
    const now = performance.now();
    const rank = (one: Origin): number =>
      one.fault ? 3 : one.backoffUntil > now ? 2 : this.isBehind(one) ? 1 : 0;
    return this.all.toSorted(
      (a, b) => rank(a) - rank(b) || (a.latency ?? Infinity) - (b.latency ?? Infinity),
    );
  }

  private isBehind({ claimed }: Origin): boolean {
    const heights = this.all.filter(({ fault }) => !fault).map((one) => one.claimed ?? 0);
    return claimed !== null && Math.max(...heights, this.height) - claimed > this.options.maxLag;
  }

  private async measure(): Promise<void> {
    const now = performance.now();
    if (this.measuring === null && now - this.measuredAt > MEASURE_EVERY) {
      const isFirst = this.measuredAt === Number.NEGATIVE_INFINITY;
      this.measuredAt = now;
      const answers = this.all.filter(({ fault }) => !fault).map((one) => one.probe());
      const end = Promise.all(answers).finally(() => (this.measuring = null));
      const fastest = Promise.any(answers.map((one) => one.then((ok) => ok || Promise.reject())))
        .then(() => new Promise((resolve) => setTimeout(resolve, GRACE)))
        .catch(() => end);
      this.measuring = isFirst ? Promise.race([end, fastest]) : null;
    }
    await this.measuring;
  }
}

class Origin {
  readonly url: string;
  readonly reader: VerifiedReader;
  latency: number | null = null;
  claimed: number | null = null;
  backoffUntil = 0;
  fault: OriginStatus['fault'] = null;
  private readonly client: RecordingClient;
  private failures = 0;

  constructor(url: string, anchor: Anchor, timeout: number) {
    this.url = url;
    this.client = new RecordingClient({ url, timeout });
    this.reader = new VerifiedReader(this.client, anchor);
  }

  status(isBehind: boolean): OriginStatus {
    const { url: origin, latency, claimed: height, fault } = this;
    const isInBackoff = this.failures > 0;
    const seen = latency === null ? 'unknown' : 'good';
    const state = fault ? 'banned' : isInBackoff ? 'backoff' : isBehind ? 'behind' : seen;
    return { origin, state, latency, height, fault };
  }

  async probe(): Promise<boolean> {
    const start = performance.now();
    try {
      const { height } = await this.client.network();
      this.latency = performance.now() - start;
      this.claimed = Number.isSafeInteger(height) ? height : 0;
      this.answered();
      return true;
    } catch (error) {
      this.failed(error, 0);
      return false;
    }
  }

  answered(): void {
    this.failures = 0;
    this.backoffUntil = 0;
    this.claimed = Math.max(this.claimed ?? 0, this.reader.height);
  }

  failed(error: unknown, least: number): void {
    if (error instanceof StaleStateError)
      this.claimed = Math.min(this.claimed ?? 0, least - 1, error.height);
    else if (error instanceof VerificationError) {
      this.fault = { reason: error.message, answers: [...this.client.received] };
    } else if (!(error instanceof NetError) || isAway(error)) {
      const backoff = Math.min(FIRST_BACKOFF * 2 ** Math.min(this.failures++, 16), LONGEST_BACKOFF);
      this.backoffUntil = performance.now() + backoff;
    }
  }
}

class RecordingClient extends NetClient {
  readonly received: ReceivedDocument[] = [];

  override async read<Path extends ReadPath>(
    path: Path,
    ...parameters: ParameterArgument<Path>
  ): Promise<DocumentOf<Path>> {
    const document = await super.read(path, ...parameters);
    this.received.push({ path, parameters: parameters[0] ?? null, document });
    if (this.received.length > KEPT_ANSWERS) this.received.shift();
    return document;
  }
}

/** Status below 300 means a captive portal that answers with its own page. */
const isAway = ({ status }: NetError): boolean => status >= 500 || status === 429 || status < 300;

/** Returns the address that a follower names for writes. Only a local follower may name a local address. */
function addressIn(sentence: string, teller: string): string | null {
  const [found] = /https?:\/\/[^\s"<>]+/.exec(sentence) ?? [];
  const address = found?.replace(/[.,;)]+$/, '');
  if (address === undefined || !URL.canParse(address)) return null;
  return isLoopbackUrl(address) && !isLoopbackUrl(teller) ? null : normalizeBaseUrl(address);
}
