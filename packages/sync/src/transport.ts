/** How a follower reaches other nodes: HTTP, or a simulated network. */
import type { Answer } from './answer.ts';
import { getBounded } from './bounded-answer.ts';

export interface AskOptions {
  /** Sent by POST; a GET without it. */
  body?: Uint8Array | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Milliseconds for the complete answer; default: no limit. */
  timeout?: number;
  /** Longest body. With it, the body may be read at once, which is faster in some transports. */
  maxBytes?: number;
}

export interface Transport {
  /**
   * Sends one request without following redirects.
   * @throws Error if there is no answer in time, LongAnswerError beyond `maxBytes`; reading the body may throw
   * the same
   */
  ask(url: string, options: AskOptions): Promise<Answer>;
}

/** By default `fetch` asks for gzip, which is no shorter and costs the node twice the work. */
const ACCEPTED = 'br, gzip;q=0.5';

export const httpTransport: Transport = {
  async ask(url, { body, headers = {}, signal, timeout, maxBytes }) {
    const limits = [
      ...(signal ? [signal] : []),
      ...(timeout === undefined ? [] : [AbortSignal.timeout(timeout)]),
    ];
    const accepted = { 'accept-encoding': ACCEPTED, ...headers };
    const either = AbortSignal.any(limits);
    if (body === undefined && maxBytes !== undefined) {
      return getBounded(url, { headers: accepted, signal: either, maxBytes });
    }
    return fetch(url, {
      ...(body === undefined ? {} : { method: 'POST', body: body as Uint8Array<ArrayBuffer> }),
      headers: accepted,
      redirect: 'manual',
      signal: either,
    });
  },
};

/** Returns a transport that aborts all requests with the signal. */
export function endedBy(
  end: AbortSignal | undefined,
  transport: Transport = httpTransport,
): Transport {
  if (!end) return transport;
  return {
    async ask(url, options) {
      end.throwIfAborted();
      const { signal } = options;
      return transport.ask(url, {
        ...options,
        signal: signal ? AbortSignal.any([signal, end]) : end,
      });
    },
  };
}
