/** The client of blob services. Hashes verify the bytes, so origins need no trust. */
import { bytesToHex, MAX_BLOB_BYTES, NetSdkError, readBounded, type Problem } from '@netd/protocol';
import { reachAll, type Reach } from './reach.ts';
import type { Way } from './way.ts';
import {
  blobPath,
  clockFault,
  signRequest,
  type BlobSigner,
  type SignedMethod,
} from './signature.ts';

/** Branch on `code`, show `message`. */
export class BlobServiceError extends NetSdkError {
  override name = 'BlobServiceError';
  readonly status: number;
  /** Seconds, or null. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Problem | null, retryAfter: number | null) {
    super(problem ? `${problem.title}. ${problem.detail}` : `the service answered with ${status}`, {
      code: problem?.code ?? `HTTP_${status}`,
      data: { status },
    });
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface BlobClientOptions {
  /** Milliseconds per request. */
  timeout?: number;
  now?: () => number;
  reach?: Reach;
}

const DEFAULT_TIMEOUT = 60_000;
const MAX_REFUSAL_BYTES = 65_536;
const HEDGE_MILLISECONDS = 1_000;

/** `absent` if all asked origins say so; otherwise `unknown`. */
export type FoundBlob = Uint8Array | 'absent' | 'unknown';

export class BlobClient {
  readonly origin: string;
  private readonly timeout: number;
  private readonly now: () => number;
  private readonly reach: Reach;

  constructor(
    origin: string,
    { timeout = DEFAULT_TIMEOUT, now = Date.now, reach = reachAll }: BlobClientOptions = {},
  ) {
    this.reach = reach;
    this.origin = new URL(origin).origin;
    this.timeout = timeout;
    this.now = now;
  }

  url(hash: string): string {
    return this.origin + blobPath(hash);
  }

  /**
   * Stores a blob; idempotent.
   * @returns the hash
   * @throws BlobServiceError
   */
  async put(bytes: Uint8Array, signer: BlobSigner): Promise<string> {
    const hash = await hashOf(bytes);
    const body = bytes as Uint8Array<ArrayBuffer>;
    const headers = { 'content-type': 'application/octet-stream' };
    await this.signed('PUT', hash, signer, { body, headers });
    return hash;
  }

  /**
   * @returns the verified bytes; null if the service lacks them, or sends others
   * @throws BlobServiceError; TypeError if there is no answer
   */
  async get(hash: string): Promise<Uint8Array | null> {
    const found = await this.find(hash);
    return typeof found === 'string' ? null : found;
  }

  /**
   * @returns the bytes; `absent` if the service says so, `unknown` if it sends other bytes
   * @throws as `get`
   */
  async find(hash: string): Promise<FoundBlob> {
    const way = await this.reach(this.origin);
    if (way === null) return 'absent';
    try {
      const found = await this.findBy(way, hash);
      return found === 'unknown' && way.isHidden ? 'absent' : found;
    } catch (error) {
      if (way.isHidden) return 'absent';
      throw error;
    }
  }

  /**
   * @returns `unknown` if the answer is neither yes nor no
   * @throws TypeError if there is no answer
   */
  async has(hash: string): Promise<'present' | 'absent' | 'unknown'> {
    const way = await this.reach(this.origin);
    if (way === null) return 'absent';
    // Any web server may answer 200, so only the bytes count.
    if (way.isHidden) return (await this.find(hash)) === 'absent' ? 'absent' : 'present';
    const { status } = await way.fetch(this.url(hash), {
      method: 'HEAD',
      redirect: 'error',
      signal: AbortSignal.timeout(this.timeout),
    });
    return status === 200 ? 'present' : status === 404 ? 'absent' : 'unknown';
  }

  private async findBy(way: Way, hash: string): Promise<FoundBlob> {
    // Refuse redirects, which may lead to this machine.
    const response = await way.fetch(this.url(hash), {
      redirect: 'error',
      signal: AbortSignal.timeout(this.timeout),
    });
    if (response.status === 404) {
      await response.body?.cancel();
      return 'absent';
    }
    if (!response.ok) throw await errorFrom(response);
    const bytes = await readBounded(response.body, MAX_BLOB_BYTES);
    return bytes !== null && (await hashOf(bytes)) === hash ? bytes : 'unknown';
  }

  /**
   * Ends the agent's hold on a blob. The service deletes a blob without holds.
   * @throws BlobServiceError
   */
  async delete(hash: string, signer: BlobSigner): Promise<void> {
    await this.signed('DELETE', hash, signer, {});
  }

  private async signed(
    method: SignedMethod,
    hash: string,
    signer: BlobSigner,
    { headers, ...rest }: { body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> },
  ): Promise<void> {
    const signature = await signRequest(signer, {
      method,
      authority: new URL(this.origin).host,
      hash,
      created: Math.floor(this.now() / 1_000),
      nonce: bytesToHex(crypto.getRandomValues(new Uint8Array(16))),
    });
    const way = await this.reach(this.origin);
    if (way === null) {
      throw new TypeError(
        `${this.origin} is not asked: a stranger named it, and its address is not public`,
      );
    }
    const response = await way.fetch(this.url(hash), {
      method,
      redirect: 'error',
      ...rest,
      headers: { ...headers, ...signature },
      signal: AbortSignal.timeout(this.timeout),
    });
    if (!response.ok) throw await errorFrom(response, this.now());
    await response.body?.cancel();
  }
}

export interface FindOptions extends BlobClientOptions {
  /** Milliseconds until the next origin is asked in parallel; default 1,000. */
  hedge?: number;
}

/** Asks the origins in order; a silent one costs at most the hedge time. */
export async function findBlob(
  hash: string,
  origins: readonly string[],
  { hedge = HEDGE_MILLISECONDS, ...options }: FindOptions = {},
): Promise<FoundBlob> {
  const asked: Promise<FoundBlob>[] = [];
  let arrived: (bytes: Uint8Array) => void;
  const first = new Promise<Uint8Array>((resolve) => {
    arrived = resolve;
  });
  for (const origin of origins) {
    const answer = askForBlob(hash, origin, options);
    asked.push(answer);
    void answer.then((found) => typeof found !== 'string' && arrived(found));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, hedge, null);
    });
    const found = await Promise.race([answer, first, patience]);
    clearTimeout(timer);
    if (found !== null && typeof found !== 'string') return found;
  }
  const none = Promise.all(asked).then(
    (all) =>
      all.find((found) => typeof found !== 'string') ??
      (all.every((found) => found === 'absent') ? 'absent' : 'unknown'),
  );
  return Promise.race([first, none]);
}

/** @returns as `findBlob`; null if no origin delivers the bytes */
export async function fetchBlob(
  hash: string,
  origins: readonly string[],
  options: BlobClientOptions = {},
): Promise<Uint8Array | null> {
  const found = await findBlob(hash, origins, options);
  return typeof found === 'string' ? null : found;
}

async function askForBlob(
  hash: string,
  origin: string,
  options: BlobClientOptions,
): Promise<FoundBlob> {
  try {
    return await new BlobClient(origin, options).find(hash);
  } catch {
    return 'unknown';
  }
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const body = bytes as Uint8Array<ArrayBuffer>;
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', body)));
}

/** @param signedAt milliseconds by this machine's clock */
async function errorFrom(response: Response, signedAt = Date.now()): Promise<BlobServiceError> {
  let problem: Problem | null = null;
  try {
    const bytes = await readBounded(response.body, MAX_REFUSAL_BYTES);
    problem = bytes && problemOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {}
  const fault = clockFault(response.headers.get('date'), signedAt);
  if (problem?.code === 'SIGNATURE_EXPIRED' && fault !== null) {
    problem = {
      ...problem,
      detail: `${problem.detail} The clock of this machine is ${fault} of the service's.`,
    };
  }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new BlobServiceError(
    response.status,
    problem,
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

/** Removes control characters, which a terminal would obey. */
function problemOf(value: unknown): Problem | null {
  const { code, title, detail } = (value ?? {}) as Partial<Problem>;
  if (typeof code !== 'string' || typeof title !== 'string' || typeof detail !== 'string')
    return null;
  const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 500);
  return { ...(value as Problem), code: plain(code), title: plain(title), detail: plain(detail) };
}
