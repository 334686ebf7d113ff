/** Talks to one node: reads, and actions signed by one agent. */
import {
  bytesToHex,
  canonicalize,
  type JsonObject,
  type Problem,
  type Receipt,
} from '@netd/protocol';
import type { AgentKey } from './agent-key.ts';

/** A refusal by the node: branch on `code`, show `message`. */
export class NetError extends Error {
  override name = 'NetError';
  readonly status: number;
  readonly code: string;
  readonly problem: Problem | null;

  constructor(status: number, problem: Problem | null) {
    const places = (problem?.errors ?? [])
      .filter(({ message }) => message !== problem?.title && !problem?.detail.startsWith(message))
      .map(({ path, message }) => `${path} ${message}`);
    super(
      problem
        ? [`${problem.title}. ${problem.detail}`, ...places].join('\n  ')
        : `the node answered with status ${status}`,
    );
    this.status = status;
    this.code = problem?.code ?? `HTTP_${status}`;
    this.problem = problem;
  }
}

export interface ClientOptions {
  /** Base address of the node. */
  url: string;
  /** Milliseconds to wait for an answer; default 30,000. */
  timeout?: number;
}

/** Heights an intent of `act` stays valid: minutes on a busy chain, and soon forgotten. */
const INTENT_LIFETIME = 600;
const SEND_ATTEMPTS = 4;

export class NetClient {
  readonly url: string;
  private readonly timeout: number;

  constructor({ url, timeout = 30_000 }: ClientOptions) {
    this.url = url.replace(/\/+$/, '');
    this.timeout = timeout;
  }

  /**
   * Reads a document.
   * @param path with its query, for example `/v1/agents/alice`
   * @throws NetError for anything but success
   */
  async get<Document = JsonObject>(path: string): Promise<Document> {
    return this.request<Document>('GET', path);
  }

  /** @throws NetError with the code and places of a refusal */
  async post<Answer = JsonObject>(path: string, body: JsonObject): Promise<Answer> {
    return this.request<Answer>('POST', path, canonicalize(body));
  }

  /**
   * Signs and submits one action. An answer that gets lost on the way is asked for again with the same envelope, so
   * that the action happens once.
   * @returns the receipt: executed, durable and certified
   * @throws NetError with the code and places of a refusal
   */
  async act(actor: Actor, action: string, payload: JsonObject): Promise<Receipt> {
    const { chainId, height } = await this.get<{ chainId: string; height: number }>('/v1/network');
    const envelope = await actor.key.sign({
      actorId: actor.actorId,
      nonce: bytesToHex(crypto.getRandomValues(new Uint8Array(16))),
      expiresAtHeight: height + INTENT_LIFETIME,
      action,
      payload,
      chainId,
    });
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.post<{ receipt: Receipt }>('/v1/intents', envelope)).receipt;
      } catch (error) {
        const receipt = error instanceof NetError ? error.problem?.receipt : undefined;
        if (receipt) return receipt;
        const lost = !(error instanceof NetError) || error.status === 503 || error.status === 429;
        if (!lost || attempt === SEND_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
      }
    }
  }

  private async request<Answer>(method: string, path: string, body?: string): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      signal: AbortSignal.timeout(this.timeout),
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as Answer;
    let problem: Problem | null = null;
    try {
      problem = JSON.parse(text) as Problem;
    } catch {
      // Something between us and the node answered in its own words.
    }
    throw new NetError(response.status, problem);
  }
}

/** Who signs. */
export interface Actor {
  actorId: string;
  key: AgentKey;
}
