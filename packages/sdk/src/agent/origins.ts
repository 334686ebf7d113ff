/**
 * The stores where the agent keeps and finds blobs. Blobs are verified by their hashes, so a bad store only
 * costs time.
 */
import {
  BlobClient,
  BlobServiceError,
  clockFault,
  findBlob,
  isRefusedAsWritten,
  reachFor,
  type BlobSigner,
  type FoundBlob,
  type Reach,
} from '@netd/blobs/client';
import { BlobOrigin } from '@netd/formats';
import { BLOBS_CAPABILITY, compileSchema, sha256Hex } from '@netd/protocol';
import { isLoopbackUrl } from '../http.ts';
import { AgentError } from './agent-error.ts';
import type { RetryingClient } from './retrying-client.ts';
import { backoff } from './poller.ts';

export interface Place {
  origin: string;
  /** Provider of the store. Replicas of a memory must have different providers. */
  providerId: string;
  /** True if the operator of a node on this machine announced the store, so it may have any address. */
  isOperators?: boolean;
}

export interface ChosenStores {
  blobs?: readonly string[] | undefined;
  trustedOrigins?: readonly string[] | undefined;
}

const OPERATORS_NAME = /^house-/;
const BLOBS_PROTOCOL = /(^|[-.])blobs\/1$/;
/** Milliseconds. */
const TIMEOUT_MILLISECONDS = 20_000;
const MAX_HINTS = 4;
const MAX_PLACES = 100;
/**
 * Milliseconds to wait for stores after the start. A new network announces them some seconds after its node
 * answers.
 */
const PATIENCE = 20_000;
const LOOK_AGAIN = 500;
const BUSY_PATIENCE = 60_000;
/** Milliseconds to wait for stores that do not answer, because a restart takes some seconds. */
const AWAY_PATIENCE = 20_000;
const BUSY = new Set([429, 503]);
const CLOCK_TRUSTED = 30_000;
/** Milliseconds. */
const CLOCK_TIMEOUT = 2_000;

let violations: ReturnType<typeof compileSchema> | undefined;
/** The schema is compiled at first use, so that pages without an agent never do it. */
function isOrigin(text: string): boolean {
  violations ??= compileSchema(BlobOrigin);
  // The schema's pattern still allows invalid ports and IPv4 addresses.
  return violations(text) === null && URL.canParse(text);
}

/** Turns a local https origin into http on the same port, because its certificate is self-signed. */
export function reachableOrigin(origin: string): string {
  const url = new URL(origin);
  const scheme = isLoopbackUrl(url) ? 'http:' : url.protocol;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return new URL(`${scheme}//${url.hostname}:${port}`).origin;
}

export function blobUri(origin: string, hash: string): string {
  const url = new URL(origin);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${new URL(`https://${url.hostname}:${port}`).origin}/blobs/${hash}`;
}

/**
 * Returns the store that a URI names, or null unless the URI is of exactly this blob. Otherwise strangers
 * could choose the request.
 */
export function originOfUri(uri: string | null | undefined, hash: string): string | null {
  if (uri === null || uri === undefined || !URL.canParse(uri)) return null;
  const url = new URL(uri);
  return url.protocol === 'https:' && url.pathname === `/blobs/${hash}` ? url.origin : null;
}

/**
 * Returns the announced stores in a stable order, so that other agents' renewals don't change our beacon.
 * Leaves out addresses that a stranger may not name (docs/decisions/189).
 */
export function placesOf(
  beacons: readonly { agentId: string; endpoint: string; protocols: readonly string[] }[],
  nodeUrl: string,
  trusted: readonly string[] = [],
): Place[] {
  const isNodeHere = isLoopbackUrl(nodeUrl);
  const own = new Set([nodeUrl, ...trusted].map(reachableOrigin));
  const found = beacons
    .filter(({ protocols }) => protocols.some((one) => BLOBS_PROTOCOL.test(one)))
    .filter(({ endpoint }) => URL.canParse(endpoint))
    .map(({ endpoint, agentId }) => {
      const isOperators = isNodeHere && OPERATORS_NAME.test(agentId);
      return { origin: reachableOrigin(endpoint), providerId: agentId, isOperators };
    })
    .filter(
      ({ origin, isOperators }) =>
        isOperators || own.has(origin) || !isRefusedAsWritten(origin, nodeUrl),
    );
  // Of entries with the same origin the last wins, so the operator's name is kept.
  const distinct = new Map(
    found
      .toSorted((a, b) => Number(a.isOperators) - Number(b.isOperators))
      .map((place) => [place.origin, place]),
  );
  return [...distinct.values()].toSorted((a, b) => (a.providerId < b.providerId ? -1 : 1));
}

export function reachOf(
  nodeUrl: string,
  places: readonly Place[],
  trusted: readonly string[] = [],
): Reach {
  const operators = places.filter(({ isOperators }) => isOperators).map(({ origin }) => origin);
  return reachFor({ nodeUrl, trusted: [...operators, ...trusted.map(reachableOrigin)] });
}

export class Origins {
  private readonly retryingClient: RetryingClient;
  private readonly signer: BlobSigner;
  private readonly given: readonly Place[];
  private readonly trusted: readonly string[];
  private announced: readonly Place[] = [];
  private readonly waiting: (what: string) => void;
  private patientUntil = Date.now() + PATIENCE;
  private warnedOfWaiting = false;
  private isHurried = false;
  private clockRightAt = -Infinity;

  constructor(
    retryingClient: RetryingClient,
    signer: BlobSigner,
    { blobs = [], trustedOrigins = [] }: ChosenStores,
    waiting: (what: string) => void = () => {},
  ) {
    this.waiting = waiting;
    this.retryingClient = retryingClient;
    this.signer = signer;
    this.given = blobs.map(placeOf);
    this.trusted = [...blobs, ...trustedOrigins];
  }

  places(): readonly Place[] {
    return this.given.length > 0 ? this.given : this.announced;
  }

  /** Reads the announced stores again. Keeps the known ones if the network announces none. */
  async refresh(): Promise<void> {
    if (this.given.length > 0) return;
    const { beacons } = await this.retryingClient.read('/v1/discovery', {
      capability: BLOBS_CAPABILITY,
      limit: MAX_PLACES,
    });
    const { url } = this.retryingClient.client;
    const places = placesOf(beacons.slice(0, MAX_PLACES), url, this.trusted);
    if (places.length > 0) this.announced = places;
  }

  async known(least: number): Promise<void> {
    while (this.given.length === 0 && this.places().length < least) {
      await this.refresh();
      if (this.places().length >= least || Date.now() >= this.patientUntil) return;
      if (!this.warnedOfWaiting) this.waiting('stores for blobs');
      this.warnedOfWaiting = true;
      await this.retryingClient.pause(LOOK_AGAIN);
    }
  }

  hurry(): void {
    this.patientUntil = 0;
    this.isHurried = true;
  }

  /** Compares the clock with the stores, at most every 30 seconds. */
  async requireClock(): Promise<void> {
    if (performance.now() - this.clockRightAt < CLOCK_TRUSTED) return;
    const origins = this.places().map(({ origin }) => origin);
    await requireClock(origins, this.retryingClient.client.url, this.reach());
    this.clockRightAt = performance.now();
  }

  require(): readonly [Place, ...Place[]] {
    const [first, ...rest] = this.places();
    if (!first) throw new AgentError('BLOB_ORIGIN_UNKNOWN');
    return [first, ...rest];
  }

  /**
   * Stores bytes at every known store. Retries busy and unreachable ones.
   * @param least stores that must accept
   * @param patience milliseconds for retries
   * @throws AgentError BLOB_NOT_STORED with each failure, BLOB_ORIGIN_UNKNOWN
   */
  async put(
    bytes: Uint8Array,
    least = 1,
    patience = BUSY_PATIENCE,
  ): Promise<{ hash: string; places: Place[] }> {
    await this.known(least);
    const began = Date.now();
    for (let attempt = 0; ; attempt++) {
      const places = this.require();
      const reach = this.reach();
      const results = await Promise.allSettled(
        places.map(({ origin }) =>
          new BlobClient(origin, { timeout: TIMEOUT_MILLISECONDS, reach }).put(bytes, this.signer),
        ),
      );
      const stored = places.filter((_, index) => results[index]?.status === 'fulfilled');
      if (stored.length >= least) return { hash: sha256Hex(bytes), places: stored };
      const errors = results.map((one) =>
        one.status === 'rejected' ? (one.reason as Error) : null,
      );
      const pause = backoff(attempt);
      const end = began + Math.min(patience, Math.max(...errors.map(patienceWith)));
      if (this.isHurried || Date.now() + pause > end) {
        const reasons = errors.flatMap((error, index) =>
          error === null ? [] : [`${places[index]?.origin}: ${error.message}`],
        );
        throw new AgentError('BLOB_NOT_STORED', reasons.join('; '));
      }
      this.waiting('stores that are busy or away');
      await this.retryingClient.pause(pause);
    }
  }

  /**
   * Returns a blob, or null if no store returned it.
   * @param hints further origins, named by strangers
   */
  async fetch(hash: string, hints: readonly (string | null)[] = []): Promise<Uint8Array | null> {
    const found = await this.find(hash, hints);
    return typeof found === 'string' ? null : found;
  }

  /** Returns a blob, or null if all stores say that they lack it. */
  async read(hash: string, hints: readonly (string | null)[] = []): Promise<Uint8Array | null> {
    const found = await this.find(hash, hints);
    if (found === 'unknown') throw new AgentError('BLOB_UNAVAILABLE', hash);
    return found === 'absent' ? null : found;
  }

  async find(hash: string, hints: readonly (string | null)[] = []): Promise<FoundBlob> {
    const options = { timeout: TIMEOUT_MILLISECONDS, reach: this.reach() };
    return findBlob(hash, this.asked(hints), options);
  }

  /** Returns `unknown` if no store has the blob and one did not answer. */
  async has(hash: string, hints: readonly (string | null)[] = []): Promise<Presence> {
    return hasBlob(hash, this.asked(hints), this.reach());
  }

  private reach(): Reach {
    return reachOf(this.retryingClient.client.url, this.places(), this.trusted);
  }

  private asked(hints: readonly (string | null)[]): string[] {
    const own = this.places().map(({ origin }) => origin);
    const others = hints
      .filter((hint): hint is string => hint !== null && isOrigin(hint))
      .map(reachableOrigin);
    return [...new Set([...own, ...others.slice(0, MAX_HINTS)])];
  }

  async isEverywhere(hash: string): Promise<boolean> {
    const reach = this.reach();
    const answers = await Promise.all(
      this.places().map(({ origin }) => presenceAt(origin, hash, reach)),
    );
    return !answers.includes('absent');
  }
}

type Presence = 'present' | 'absent' | 'unknown';

/** Asks the given origins as `has` does. */
export async function hasBlob(
  hash: string,
  origins: readonly string[],
  reach: Reach,
): Promise<Presence> {
  const answers = await Promise.all(origins.map((origin) => presenceAt(origin, hash, reach)));
  if (answers.includes('present')) return 'present';
  return answers.every((answer) => answer === 'absent') ? 'absent' : 'unknown';
}

async function presenceAt(origin: string, hash: string, reach: Reach): Promise<Presence> {
  const options = { timeout: TIMEOUT_MILLISECONDS, reach };
  return new BlobClient(origin, options).has(hash).catch(() => 'unknown');
}

/**
 * Compares this machine's clock with the Date headers of the stores, or the node's if no store answers. One
 * store that would accept a signature is enough. Date headers use real time, even in a laboratory.
 */
export async function requireClock(
  origins: readonly string[],
  nodeUrl: string,
  reach: Reach,
): Promise<void> {
  let faults = await clockFaults(origins, reach);
  if (faults.length === 0) faults = await clockFaults([nodeUrl], reach);
  const [fault] = faults;
  if (fault && !faults.includes(null)) throw new AgentError('CLOCK_WRONG', fault);
}

async function clockFaults(urls: readonly string[], reach: Reach): Promise<(string | null)[]> {
  const answers = urls.map(async (url) => {
    const way = await reach(url);
    if (way === null) return [];
    const { headers } = await way.fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(CLOCK_TIMEOUT),
    });
    const date = headers.get('date');
    if (date === null) return [];
    const fault = clockFault(date, Date.now());
    return [fault && `${fault} of ${url}`];
  });
  return (await Promise.all(answers.map((answer) => answer.catch(() => [])))).flat();
}

/** Milliseconds after which a store that failed so is not asked again. */
function patienceWith(error: Error | null): number {
  if (error instanceof BlobServiceError) return BUSY.has(error.status) ? BUSY_PATIENCE : 0;
  if (error?.name === 'TimeoutError') return BUSY_PATIENCE;
  // `fetch` throws it if there is no answer.
  return error instanceof TypeError ? AWAY_PATIENCE : 0;
}

function placeOf(origin: string): Place {
  const reachable = reachableOrigin(origin);
  return { origin: reachable, providerId: new URL(reachable).host };
}
