import type { Answer } from './answer.ts';
import { getBounded } from './bounded-answer.ts';

export interface AskOptions {
  body?: Uint8Array | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Milliseconds for the complete answer; default: no limit. */
  timeout?: number;
  maxBytes?: number;
}

export interface Transport {
  /**
   * Does not follow redirects.
   * @throws Error if there is no answer in time, LongAnswerError beyond `maxBytes`; reading the body may
   * throw the same
   */
  ask(url: string, options: AskOptions): Promise<Answer>;
}

/** `fetch` would ask for gzip, which is no shorter and costs the node twice the work. */
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
