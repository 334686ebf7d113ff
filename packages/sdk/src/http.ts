/** One request to one node: bytes out, a document or a refusal back. */
import type { Problem } from '@netd/protocol';

/** A refusal by the node: branch on `code`, show `message`. */
export class NetError extends Error {
  override name = 'NetError';
  readonly status: number;
  readonly code: string;
  readonly problem: Problem | null;

  constructor(status: number, problem: Problem | null) {
    const locations = (problem?.errors ?? [])
      .filter(({ message }) => message !== problem?.title && !problem?.detail.startsWith(message))
      .map(({ path, message }) => `${path} ${message}`);
    super(
      problem
        ? [`${problem.title}. ${problem.detail}`, ...locations].join('\n  ')
        : `the node answered with status ${status}`,
    );
    this.status = status;
    this.code = problem?.code ?? `HTTP_${status}`;
    this.problem = problem;
  }
}

/** A base address as paths are appended to it. */
export function normalizeBaseUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

export interface RequestOptions {
  /** Milliseconds until the whole answer must be there. */
  timeout: number;
  /** JSON to send, which makes it a POST. */
  body?: string;
}

/**
 * @returns the text of the answer
 * @throws NetError for anything but success
 */
export async function requestText(url: string, { timeout, body }: RequestOptions): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeout),
    ...(body === undefined
      ? {}
      : { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
  });
  if (!response.ok) throw await errorFrom(response);
  return response.text();
}

/** The error that an answer without success is. */
export async function errorFrom(response: Response): Promise<NetError> {
  const text = await response.text();
  let problem: Problem | null = null;
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    // Something between us and the node answered in its own words.
  }
  return new NetError(response.status, problem);
}
