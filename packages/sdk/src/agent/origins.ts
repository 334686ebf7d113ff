/**
 * Where the agent stores blobs and looks for them. The hash is all the trust it takes; an origin that is down, lies or
 * refuses only costs time.
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
import { AgentError } from './agent-error.ts';
import type { RetryingClient } from './retrying-client.ts';
import { backoff } from './poller.ts';

export interface Place {
  /** The origin under which blobs are asked for. */
  origin: string;
  /** The provider that keeps it: replicas of a memory need different ones. */
  providerId: string;
  /** True if the operator of a node on this machine announces it: then it is asked whatever its address is. */
  isOperators?: boolean;
}

/** Stores that the owner of an agent has chosen. */
export interface ChosenStores {
  /** All that count; without them those that the network announces. */
  blobs?: readonly string[];
  /** Asked whatever their address is, if another agent names them. */
  trustedOrigins?: readonly string[];
}

/** Names that begin like this are the operator's: the ledger refuses them to everybody else. */
const OPERATORS_NAME = /^house-/;
/** How a beacon that offers a replica says that it keeps blobs. */
const BLOBS_PROTOCOL = /(^|[-.])blobs\/1$/;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;
/** Strangers' origins are asked quickly, or not at all. */
const TIMEOUT_MILLISECONDS = 20_000;
const MAX_HINTS = 4;
/** Everything is stored at each of them. */
const MAX_PLACES = 100;
/**
 * Milliseconds after its start in which an agent waits for stores: those of a network that is starting are announced some
 * seconds after its node answers.
 */
const PATIENCE = 20_000;
const LOOK_AGAIN = 500;
/** Milliseconds for which busy stores are asked again. */
const BUSY_PATIENCE = 60_000;
/** Milliseconds for which a clock that was right is not compared again. */
const CLOCK_TRUSTED = 30_000;
/** Milliseconds for the answers by which the clock is judged. */
const CLOCK_TIMEOUT = 2_000;

let violations: ReturnType<typeof compileSchema> | undefined;
/** Compiled at its first use: a page that has no agent has no schemas either. */
function isOrigin(text: string): boolean {
  violations ??= compileSchema(BlobOrigin);
  // A port of five digits may be none, and four numbers no address.
  return violations(text) === null && URL.canParse(text);
}

/** An https origin on this machine answers plain HTTP on the same port: its certificate is of its own making. */
export function reachableOrigin(origin: string): string {
  const url = new URL(origin);
  const scheme = LOOPBACK.test(url.hostname) ? 'http:' : url.protocol;
  // A port that one scheme leaves out stands in the other.
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return new URL(`${scheme}//${url.hostname}:${port}`).origin;
}

/** The https URI that the chain names a blob by. */
export function blobUri(origin: string, hash: string): string {
  const url = new URL(origin);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${new URL(`https://${url.hostname}:${port}`).origin}/blobs/${hash}`;
}

/** The origin of a URI on the chain that names this very blob, else null: nothing else is ever asked of a stranger's. */
export function originOfUri(uri: string | null | undefined, hash: string): string | null {
  if (uri === null || uri === undefined || !URL.canParse(uri)) return null;
  const url = new URL(uri);
  return url.protocol === 'https:' && url.pathname === `/blobs/${hash}` ? url.origin : null;
}

/**
 * The stores among beacons, always in the same order: else a beacon would change whenever another one is renewed. Left out are those whose
 * address a stranger may not name (docs/decisions/189).
 * @param nodeUrl of the node that announces them
 * @param trusted origins that the user has chosen
 */
export function placesOf(
  beacons: readonly { agentId: string; endpoint: string; protocols: readonly string[] }[],
  nodeUrl: string,
  trusted: readonly string[] = [],
): Place[] {
  const isNodeHere = LOOPBACK.test(new URL(nodeUrl).hostname);
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
  // The same place under two names is one place; it is the operator's if one of them is.
  const distinct = new Map(
    found
      .toSorted((a, b) => Number(a.isOperators) - Number(b.isOperators))
      .map((place) => [place.origin, place]),
  );
  return [...distinct.values()].toSorted((a, b) => (a.providerId < b.providerId ? -1 : 1));
}

/** Asks the operator's and the user's own stores as they are, and all others as a stranger's. */
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
  /** The monotonic time at which the clock was last found to be right. */
  private clockRightAt = -Infinity;

  /**
   * @param waiting told when a wait for places begins
   */
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

  /** Where the agent stores, the likeliest first. */
  places(): readonly Place[] {
    return this.given.length > 0 ? this.given : this.announced;
  }

  /** Asks the network who keeps blobs; known stores stay where the network is silent. */
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

  /**
   * Looks again until so many places are known, for a bounded while after the start of the agent; after it, once.
   * Places that the owner has chosen are all there are.
   */
  async known(least: number): Promise<void> {
    while (this.given.length === 0 && this.places().length < least) {
      await this.refresh();
      if (this.places().length >= least || Date.now() >= this.patientUntil) return;
      if (!this.warnedOfWaiting) this.waiting('stores for blobs');
      this.warnedOfWaiting = true;
      await this.retryingClient.pause(LOOK_AGAIN);
    }
  }

  /** Nothing is waited for any more: the agent is about to stop. */
  hurry(): void {
    this.patientUntil = 0;
    this.isHurried = true;
  }

  /** Compares the clock with those of the stores, at most once in half a minute. @throws AgentError CLOCK_WRONG */
  async requireClock(): Promise<void> {
    if (performance.now() - this.clockRightAt < CLOCK_TRUSTED) return;
    const origins = this.places().map(({ origin }) => origin);
    await requireClock(origins, this.retryingClient.client.url, this.reach());
    this.clockRightAt = performance.now();
  }

  /** @throws AgentError BLOB_ORIGIN_UNKNOWN */
  require(): readonly [Place, ...Place[]] {
    const [first, ...rest] = this.places();
    if (!first) throw new AgentError('BLOB_ORIGIN_UNKNOWN');
    return [first, ...rest];
  }

  /**
   * Stores bytes at every known store; stores that are busy are asked again, with a growing pause.
   * @param least how many have to take them
   * @returns the stores that have them
   * @throws AgentError BLOB_NOT_STORED with the reason of each that did not
   */
  async put(
    bytes: Uint8Array,
    least = 1,
    patience = BUSY_PATIENCE,
  ): Promise<{ hash: string; places: Place[] }> {
    await this.known(least);
    const end = Date.now() + patience;
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
      if (this.isHurried || Date.now() + pause > end || !errors.some(isBusy)) {
        const reasons = errors.flatMap((error, index) =>
          error === null ? [] : [`${places[index]?.origin}: ${error.message}`],
        );
        throw new AgentError('BLOB_NOT_STORED', reasons.join('; '));
      }
      this.waiting('stores that are busy');
      await this.retryingClient.pause(pause);
    }
  }

  /**
   * The bytes of a hash from the first store that has them.
   * @param hints further origins, of strangers
   * @returns null where no store has them
   */
  async fetch(hash: string, hints: readonly (string | null)[] = []): Promise<Uint8Array | null> {
    const found = await this.find(hash, hints);
    return typeof found === 'string' ? null : found;
  }

  /**
   * The bytes of a hash, where it must not be taken for lost while a store is only busy.
   * @returns null where all say that they do not have them
   * @throws AgentError BLOB_UNAVAILABLE where one fails, is busy or does not answer
   */
  async read(hash: string, hints: readonly (string | null)[] = []): Promise<Uint8Array | null> {
    const found = await this.find(hash, hints);
    if (found === 'unknown') throw new AgentError('BLOB_UNAVAILABLE', hash);
    return found === 'absent' ? null : found;
  }

  /** The bytes of a hash, or whether all say that they do not have them, or one only did not answer. */
  async find(hash: string, hints: readonly (string | null)[] = []): Promise<FoundBlob> {
    const options = { timeout: TIMEOUT_MILLISECONDS, reach: this.reach() };
    return findBlob(hash, this.asked(hints), options);
  }

  /** Whether a store has a blob, without its bytes; `unknown` if none has it and one did not answer. */
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

  /** Whether every known store has the blob, as far as they answer. */
  async isEverywhere(hash: string): Promise<boolean> {
    const reach = this.reach();
    const answers = await Promise.all(
      this.places().map(({ origin }) => presenceAt(origin, hash, reach)),
    );
    return !answers.includes('absent');
  }
}

type Presence = 'present' | 'absent' | 'unknown';

/** Whether one of these origins has a blob; `unknown` if none has it and one did not answer. */
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
 * Compares this machine's clock with the Date headers of the stores. One store that would accept a signature is enough.
 * The node decides if no store answers. The headers are in real time, even if a laboratory has moved its chain's time.
 * @throws AgentError CLOCK_WRONG
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

/** How far the clock is from each server that answers with a date; null for a server that would accept it. */
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

/** Whether a place may take it a little later. */
function isBusy(error: Error | null): boolean {
  if (error instanceof BlobServiceError) return error.status === 429 || error.status === 503;
  return error?.name === 'TimeoutError';
}

function placeOf(origin: string): Place {
  const reachable = reachableOrigin(origin);
  return { origin: reachable, providerId: new URL(reachable).host };
}
