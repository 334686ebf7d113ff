/** One request to one node: bytes out, a document or a refusal back. */
import { NetSdkError, readBounded } from '@netd/protocol';
import type { ErrorCode } from './generated/tables.ts';
import type { SchemaOf } from './reads.ts';

/** RFC 9457 problem details, as a node words a refusal. */
export type Problem = SchemaOf<'Problem'>;

/** The code of a refusal; `HTTP_502` and the like where the answer did not come from a node. */
export type NetErrorCode = ErrorCode | `HTTP_${number}`;

/** A refusal by the node: branch on `code`, show `message`. */
export class NetError extends NetSdkError {
  override name = 'NetError';
  readonly status: number;
  declare readonly code: NetErrorCode;
  /** JSON Pointer of the first thing at fault, for example `/payload/amount`; null where it is not about a part. */
  readonly path: string | null;
  /** What can be done about it, in the words of the node; null where no node has spoken. */
  readonly hint: string | null;
  /** The id of the request in the log of the node. */
  readonly requestId: string | null;
  /** Seconds after which it is worth asking again, where the answer says so. */
  readonly retryAfter: number | null;
  readonly problem: Problem | null;

  constructor(
    status: number,
    problem: Problem | null,
    headers: { get: (name: string) => string | null } = new Headers(),
  ) {
    const locations = (problem?.errors ?? [])
      .filter(({ message }) => message !== problem?.title && !problem?.detail.startsWith(message))
      .map(({ path, message }) => `${path} ${message}`);
    super(
      problem
        ? [`${problem.title}. ${problem.detail}`, ...locations].join('\n  ')
        : status < 300
          ? 'the answer is not a document of a node'
          : `the node answered with status ${status}`,
      // A newer node may have codes that this version has no name for.
      {
        code: problem?.code ?? `HTTP_${status}`,
        data: { status, path: problem?.errors?.[0]?.path ?? null },
      },
    );
    this.status = status;
    this.path = problem?.errors?.[0]?.path ?? null;
    this.hint = problem?.detail ?? null;
    this.requestId = problem?.requestId ?? headers.get('x-request-id');
    this.retryAfter = secondsOf(headers.get('retry-after'));
    this.problem = problem;
  }
}

/** Seconds of a Retry-After (RFC 9110 section 10.2.3), which is a number of them or a date. */
function secondsOf(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

/** The node that the environment names, where there is one, else a node on this machine. */
export function defaultUrl(): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.['NET_URL'] || 'http://127.0.0.1:8420';
}

/** A base address as paths are appended to it. */
export function normalizeBaseUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

/**
 * Bytes of an answer at most, unpacked: the largest page and the checkpoint of a state of 50 GiB fit, and a node cannot fill
 * our memory.
 */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Bytes of an answer about a block, which its receipts and events repeat a few times over. */
const MAX_BLOCK_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 1_048_576;

export interface RequestOptions {
  /** Milliseconds until the whole answer must be there. */
  timeout: number;
  /** JSON to send, which makes it a POST. */
  body?: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * @returns the text of the answer
 * @throws NetError for anything but success
 */
export async function requestText(
  url: string,
  { timeout, body, headers }: RequestOptions,
): Promise<string> {
  const response = await fetch(url, {
    // Redirects are not followed: the node does not choose who gets what was signed.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
    ...(body === undefined
      ? {}
      : { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }),
  });
  if (!response.ok) throw await refusalFrom(response);
  const isBlock = new URL(url).pathname.includes('/v1/blocks/');
  return textOf(response, isBlock ? MAX_BLOCK_ANSWER_BYTES : MAX_ANSWER_BYTES);
}

/**
 * The document of a successful answer.
 * @throws NetError without a problem if it is none: then the answer is not from a node
 */
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

/** The body as text. @throws NetError where it is longer than it may be */
async function textOf({ body, status }: Response, most: number): Promise<string> {
  const bytes = await readBounded(body, most);
  if (bytes === null) throw new NetError(status, null);
  return new TextDecoder().decode(bytes);
}

/** The error that an answer without success is. */
export async function refusalFrom(response: Response): Promise<NetError> {
  const { status, headers } = response;
  return new NetError(status, problemOf(await textOf(response, MAX_REFUSAL_BYTES)), headers);
}

/** Null where something between us and the node answered in its own words. */
function problemOf(text: string): Problem | null {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null;
    return typeof value?.code === 'string' && typeof value.detail === 'string'
      ? (value as Problem)
      : null;
  } catch {
    return null;
  }
}
