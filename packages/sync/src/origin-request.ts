import { readBounded } from '@netd/protocol';
import type { Transport } from './transport.ts';

export interface OriginRequest {
  headers: Record<string, string>;
  body: Uint8Array;
  /** Milliseconds in total. */
  timeout: number;
  maxBytes: number;
  signal?: AbortSignal;
}

export interface OriginAnswer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** @throws Error if there is no complete answer; the node may have acted all the same, unless `neverSent` */
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

export const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function neverSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return NEVER_CONNECTED.has(cause?.code ?? '');
}

/** Returns seconds; null if the header is missing or unreadable. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
