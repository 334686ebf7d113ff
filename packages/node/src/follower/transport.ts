/** How a follower reaches other nodes: HTTP, where a simulation does not have a network of its own. */

export interface AskOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Milliseconds for all of the answer; without it there is no end. */
  timeout?: number;
}

export interface Transport {
  /**
   * A GET. An answer that points elsewhere is answered as it is: whom the operator has named is asked, and nobody to whom
   * that one points.
   * @throws Error where nobody answers, or not in time; so does reading the body
   */
  get(url: string, options: AskOptions): Promise<Response>;
}

export const httpTransport: Transport = {
  get(url, { headers = {}, signal, timeout }) {
    const limits = [
      ...(signal ? [signal] : []),
      ...(timeout === undefined ? [] : [AbortSignal.timeout(timeout)]),
    ];
    return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.any(limits) });
  },
};
