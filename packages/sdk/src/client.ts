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
    const { chainId, height } = await this.network();
    const envelope = await actor.key.sign({
      actorId: actor.actorId,
      nonce: bytesToHex(crypto.getRandomValues(new Uint8Array(16))),
      expiresAtHeight: height + INTENT_LIFETIME,
      action,
      payload,
      chainId,
    });
    return this.submit('/v1/intents', envelope);
  }

  /**
   * Registers the actor as an agent, under its key.
   * @returns the receipt
   * @throws NetError AGENT_EXISTS and the other refusals of a registration
   */
  async register(
    actor: Actor,
    about: { description?: string; referrerAgentId?: string } = {},
  ): Promise<Receipt> {
    return this.submit('/v1/agents/register', await this.selfSigned(actor, { ...about }));
  }

  /**
   * Applies for a role, with exactly the capabilities it states.
   * @returns the receipt; approved at once where it holds the event OperatorInvitationCreated
   * @throws NetError with the code and places of a refusal
   */
  async apply(actor: Actor, application: Application): Promise<Receipt> {
    const schema = 'NET-OPERATOR-APPLICATION/1';
    const envelope = await this.selfSigned(actor, { schema, ...application });
    return this.submit('/v1/operator-applications', envelope);
  }

  /**
   * Claims an invitation, which installs the role that was applied for.
   * @param invitationId the transition hash of the approval
   * @throws NetError with the code and places of a refusal
   */
  async claim(actor: Actor, invitationId: string): Promise<Receipt> {
    const schema = 'NET-OPERATOR-INVITATION-CLAIM/1';
    const envelope = await this.selfSigned(actor, { schema, invitationId });
    return this.submit('/v1/operator-invitations/claim', envelope);
  }

  /** Which chain the node serves, and how far it is. */
  async network(): Promise<NetworkStatus> {
    return this.get<NetworkStatus>('/v1/network');
  }

  /** An envelope that brings the key it is signed with. */
  private async selfSigned(actor: Actor, members: JsonObject): Promise<JsonObject> {
    const { chainId } = await this.network();
    const { publicKey, publicKeyHash } = actor.key;
    const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(16)));
    const { actorId } = actor;
    return actor.key.sign({ ...members, actorId, publicKey, publicKeyHash, nonce, chainId });
  }

  /** Sends one envelope until there is an answer; the node recognises a twin of what it has committed. */
  private async submit(path: string, envelope: JsonObject): Promise<Receipt> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.post<{ receipt: Receipt }>(path, envelope)).receipt;
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

/** What somebody applies for; `profile` holds what the role asks for: bond, region, …. */
export interface Application extends JsonObject {
  applicationId: string;
  role: string;
  capabilities: JsonObject[];
  profile: JsonObject;
  expiresAtHeight: number;
}

/** The members of NET-NETWORK-STATUS/1 that a client decides by. */
export interface NetworkStatus {
  chainId: string;
  /** The last committed height. */
  height: number;
  genesisHash: string;
  /** Whether the chain takes unsigned payloads on the paths of resources. */
  open: boolean;
}

/** Who signs. */
export interface Actor {
  actorId: string;
  key: AgentKey;
}
