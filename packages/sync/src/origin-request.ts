/** One write that is brought to a node, with bounds on time and size: its bytes there, and the answer's bytes back. */
import { readBounded } from '@netd/protocol';
import type { Transport } from './transport.ts';

export interface OriginRequest {
  headers: Record<string, string>;
  body: Uint8Array;
  /** Milliseconds for all of it. */
  timeout: number;
  /** The longest body that is read of the answer. */
  maxBytes: number;
  signal?: AbortSignal;
}

export interface OriginAnswer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/**
 * @throws Error where no whole answer comes in time, or more than there may be: then it is unknown what the node has done,
 *   unless `neverSent` says that it has heard nothing
 */
export async function requestOrigin(
  transport: Transport,
  url: string,
  { maxBytes, ...options }: OriginRequest,
): Promise<OriginAnswer> {
  const response = await transport.ask(url, options);
  const bytes = await readBounded(response.body, maxBytes);
  if (bytes === null) throw new Error(`the answer is longer than ${maxBytes} bytes`);
  return { status: response.status, headers: response.headers, bytes };
}

/** Codes of errors where there was no connection at all. */
export const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether there was no connection at all, so that the node has heard nothing. */
export function neverSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return NEVER_CONNECTED.has(cause?.code ?? '');
}

/** Seconds that an answer asks to wait; null where it says none that can be read. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
