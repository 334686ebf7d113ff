/** How a follower reaches other nodes: HTTP, where a simulation does not have a network of its own. */
import type { Answer } from './answer.ts';
import { getBounded } from './bounded-answer.ts';

export interface AskOptions {
  /** Posted; without it, a GET. */
  body?: Uint8Array | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Milliseconds for all of the answer; without it there is no end. */
  timeout?: number;
  /** The longest body; named for an answer that may be read at once, which some transports do faster. */
  maxBytes?: number;
}

export interface Transport {
  /**
   * One request. Redirects are not followed.
   * @throws Error where there is no answer, or not in time, LongAnswerError beyond `maxBytes`; so does reading the body
   */
  ask(url: string, options: AskOptions): Promise<Answer>;
}

/** By itself `fetch` asks for gzip: no shorter, and twice the work for the node. */
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

/** The same, as long as the signal says nothing: then every request ends, and none begins. */
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
