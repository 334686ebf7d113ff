import { NetSdkError, readBounded } from '@netd/protocol';
import { printableAddress } from '@netd/protocol/printable-url';
import { CORE_ERROR_TABLE, CoreError, isDebugging, shortenStack } from './agent/core-error.ts';
import type { ErrorCode } from './generated/tables.ts';
import type { SchemaOf } from './reads.ts';

/** A refusal over HTTP, as RFC 9457 describes it. */
export type Problem = SchemaOf<'Problem'>;

/**
 * `UNREACHABLE` if no answer came, `NOT_A_NODE` if something else answers, `HTTP_502` and the like if a proxy
 * answers.
 */
export type NetErrorCode = ErrorCode | 'UNREACHABLE' | 'NOT_A_NODE' | `HTTP_${number}`;

/** A refusal by the node, or no answer. Branch on `code`, show `message`. */
export class NetError extends NetSdkError {
  override name = 'NetError';
  /** HTTP status; 0 if no answer came. */
  readonly status: number;
  /** Code of the refusal, or of the connection. */
  declare readonly code: NetErrorCode;
  /** JSON Pointer of the first fault, for example `/payload/amount`; null without one. */
  readonly path: string | null;
  /** Advice from the node; null if no node answered. */
  readonly hint: string | null;
  /** Id of the request in the node's log. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry, at most a day; null if the node names none. */
  readonly retryAfter: number | null;
  /** The answer of the node; null if there was none. */
  readonly problem: Problem | null;

  constructor(
    status: number,
    problem: Problem | null,
    headers: { get: (name: string) => string | null } = new Headers(),
    { code, detail, cause }: NetFault = {},
  ) {
    const locations = (problem?.errors ?? [])
      .filter(({ message }) => message !== problem?.title && !problem?.detail.startsWith(message))
      .map(({ path, message }) => `${path} ${message}`);
    super(
      code
        ? `${CORE_ERROR_TABLE[code].title} (${detail}). ${CORE_ERROR_TABLE[code].advice}`
        : problem
          ? [`${problem.title}. ${problem.detail}`, ...locations].join('\n  ')
          : status < 300
            ? 'the answer is not a document of a node'
            : `the node answered with status ${status}`,
      // Keep codes that this version does not know: the node may be newer.
      {
        code: code ?? problem?.code ?? `HTTP_${status}`,
        data: { status, path: problem?.errors?.[0]?.path ?? null },
        ...(cause === undefined ? {} : { cause }),
      },
    );
    this.status = status;
    this.path = problem?.errors?.[0]?.path ?? null;
    this.hint = problem?.detail ?? null;
    this.requestId = problem?.requestId ?? headers.get('x-request-id');
    this.retryAfter = secondsOf(headers.get('retry-after'));
    this.problem = problem;
    shortenStack(this, `NetError: ${this.message}`);
  }

  /** Returns the refusal for terminals, and the stack if NET_DEBUG is 1. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return isDebugging() ? String(this.stack) : `NetError: ${this.message}`;
  }
}

interface NetFault {
  code?: 'UNREACHABLE' | 'NOT_A_NODE';
  detail?: string;
  cause?: unknown;
}

/** A day. Later moments would be no dates any more. */
const MOST_SECONDS = 86_400;

function secondsOf(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(MOST_SECONDS, Math.max(0, Math.ceil(seconds)));
}

export function defaultUrl(): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.['NET_URL'] || 'http://127.0.0.1:8420';
}

/** True for literal loopback addresses and `localhost`. Other names are not resolved. */
export const isLoopbackUrl = (url: string | URL): boolean =>
  /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);

export function normalizeBaseUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

/**
 * Returns the address without trailing slashes.
 * @throws AgentError URL_INVALID if it has no scheme, a query, or /v1 at its end
 */
export function requireBaseUrl(given: string): string {
  const refuse = (why: string): never => {
    const shown = typeof given === 'string' ? printableAddress(given) : given;
    const detail = `${JSON.stringify(shown)} ${why}`;
    throw new CoreError('URL_INVALID', detail, { data: { path: '/url' } });
  };
  if (typeof given !== 'string') refuse('is not a text');
  const base = normalizeBaseUrl(given.trim());
  if (!given.includes('://')) {
    const whole = `http://${base}`;
    refuse(
      URL.canParse(whole) ? `has no scheme: write ${printableAddress(whole)}` : 'is not an address',
    );
  }
  if (!URL.canParse(base)) refuse('is not an address');
  const { protocol, pathname, search, hash, username, password } = new URL(base);
  if (protocol !== 'http:' && protocol !== 'https:') refuse(`has the scheme ${protocol}//`);
  if (search || hash) refuse('has a query or a fragment');
  if (username || password) refuse('has a name or password, which fetch does not send');
  if (pathname.endsWith('/v1')) refuse(`ends in /v1: write ${base.slice(0, -'/v1'.length)}`);
  return base;
}

/** Limit after decompression. Fits the largest page and the checkpoint of a 50 GiB state. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Larger limit for blocks, which contain their events twice, once in receipts. */
const MAX_BLOCK_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 1_048_576;

export interface RequestOptions {
  timeout: number;
  /** Ends the request early. */
  signal?: AbortSignal;
  body?: string;
  /** Called with the headers of any answer. */
  told?: (headers: Headers) => void;
  headers?: Readonly<Record<string, string>>;
  /** Closes the connection, so that the next request opens another one. Browsers ignore it. */
  isLast?: boolean;
}

export async function requestText(
  url: string,
  { timeout, signal, body, headers, told, isLast = false }: RequestOptions,
): Promise<string> {
  const isBlock = new URL(url).pathname.includes('/v1/blocks/');
  try {
    const response = await fetch(url, {
      // The node must not choose who gets signed data.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
      ...(body === undefined
        ? isLast
          ? { headers: { connection: 'close' }, cache: 'no-store' }
          : {}
        : { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }),
    });
    told?.(response.headers);
    if (!response.ok) throw await refusalFrom(response);
    return await textOf(response, isBlock ? MAX_BLOCK_ANSWER_BYTES : MAX_ANSWER_BYTES);
  } catch (error) {
    throw error instanceof NetError ? error : unreachable(new URL(url).origin, error, timeout);
  }
}

function unreachable(origin: string, cause: unknown, timeout: number): NetError {
  const { name, message, cause: below } = cause as Error;
  const why =
    name === 'TimeoutError'
      ? `no answer within ${timeout} ms`
      : below instanceof Error && below.message !== ''
        ? below.message
        : message;
  return new NetError(0, null, undefined, {
    code: 'UNREACHABLE',
    detail: `${origin}: ${why}`,
    cause,
  });
}

/**
 * @throws NetError NOT_A_NODE if something else answers; without a problem if the chain id or height is
 *   invalid
 */
export async function networkFrom<Found extends object>(
  url: string,
  ask: () => Promise<Found>,
): Promise<Found> {
  let found: Found;
  try {
    found = await ask();
  } catch (error) {
    const isForeign = error instanceof NetError && error.problem === null;
    if (!isForeign || (error.status !== 200 && error.status !== 404)) throw error;
    throw notANode(url, error.status === 200 ? 'what is no JSON document' : 'status 404', error);
  }
  const { chainId, height } = found as { chainId?: unknown; height?: unknown };
  if (chainId !== undefined || height !== undefined) {
    requireHeight(height);
    if (typeof chainId !== 'string') throw new NetError(200, null);
    return found;
  }
  const names = Object.keys(found).slice(0, 5).join(', ');
  const isList = Array.isArray(found);
  throw notANode(url, isList ? 'a list' : names ? `JSON that has ${names}` : 'an empty object');
}

function notANode(url: string, found: string, cause?: NetError): NetError {
  const detail = `${url}/v1/network answers with ${found}`;
  return new NetError(cause?.status ?? 200, null, undefined, { code: 'NOT_A_NODE', detail, cause });
}

/** Rejects strings, because adding to one would give another number. */
export function requireHeight(height: unknown): number {
  if (Number.isSafeInteger(height) && Number(height) >= 0) return Number(height);
  throw new NetError(200, null);
}

/** @throws NetError without a problem if the text is not a JSON object or array: no node wrote it then */
export function documentOf(text: string): object {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // refused below
  }
  if (typeof document === 'object' && document !== null) return document;
  throw new NetError(200, null);
}

/**
 * Returns undefined after the last page.
 * @param seen cursors of this walk; the new one is added
 * @throws NetError without a problem if a cursor repeats: the list would never end
 */
export function nextCursor(page: unknown, seen: Set<string>): string | undefined {
  const { nextCursor: cursor = null } = page as { nextCursor?: unknown };
  if (cursor === null) return undefined;
  if (typeof cursor !== 'string' || seen.has(cursor)) throw new NetError(200, null);
  seen.add(cursor);
  return cursor;
}

async function textOf({ body, status }: Response, most: number): Promise<string> {
  const bytes = await readBounded(body, most);
  if (bytes === null) throw new NetError(status, null);
  return new TextDecoder().decode(bytes);
}

export async function refusalFrom(response: Response): Promise<NetError> {
  const { status, headers } = response;
  return new NetError(status, problemOf(await textOf(response, MAX_REFUSAL_BYTES)), headers);
}

/** Returns null for a proxy's text or a malformed body. */
function problemOf(text: string): Problem | null {
  try {
    return soundProblem(JSON.parse(text));
  } catch {
    return null;
  }
}

export function soundProblem(given: unknown): Problem | null {
  try {
    const value = given as Problem;
    const places: unknown = value.errors ?? [];
    const texts = (places as { path: unknown; message: unknown }[]).flatMap((place) => [
      place.path,
      place.message,
    ]);
    const isSound = [value.code, value.detail, ...texts].every((each) => typeof each === 'string');
    return isSound ? value : null;
  } catch {
    return null;
  }
}
