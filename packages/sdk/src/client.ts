/** Talks to one node: reads, and actions signed by one agent. */
import { bytesToHex, canonicalize, type JsonObject, type Receipt } from '@netd/protocol';
import type { AgentKey } from './agent-key.ts';
import { streamEvents, type EventsOptions, type NetEvent } from './events.ts';
import { normalizeBaseUrl, NetError, requestText } from './http.ts';
import {
  buildPath,
  type DocumentOf,
  type PagedPath,
  type ParameterArgument,
  type ReadPath,
  type TextPath,
} from './reads.ts';
import { compareTrustReports, type TrustComparison } from './trust-comparison.ts';

export interface ClientOptions {
  /** Base address of the node. */
  url: string;
  /** Milliseconds to wait for an answer; default 30,000. */
  timeout?: number;
  /** Who signs where `act` is not told. */
  actor?: Actor;
}

/** Heights an intent of `act` stays valid: minutes on a busy chain, and soon forgotten. */
const INTENT_LIFETIME = 600;
const SEND_ATTEMPTS = 4;

export class NetClient {
  readonly url: string;
  private readonly timeout: number;
  private readonly actor: Actor | null;

  constructor({ url, timeout = 30_000, actor }: ClientOptions) {
    this.url = normalizeBaseUrl(url);
    this.timeout = timeout;
    this.actor = actor ?? null;
  }

  /**
   * Reads a document by the path that the description of the interface gives it.
   * @param parameters what stands in the braces of the path, and its query, by name
   * @throws NetError for anything but success, TypeError where the path lacks a parameter
   */
  async read<Path extends ReadPath>(
    path: Path,
    ...[parameters]: ParameterArgument<Path>
  ): Promise<DocumentOf<Path>> {
    return this.get<DocumentOf<Path>>(buildPath(path, parameters));
  }

  /**
   * Reads a list page by page, from the newest item or the cursor on, to its end.
   * @throws NetError, TypeError as `read` does
   */
  async *pages<Path extends PagedPath>(
    path: Path,
    ...[parameters]: ParameterArgument<Path>
  ): AsyncGenerator<DocumentOf<Path>, void, undefined> {
    let page: DocumentOf<Path> & { nextCursor: string | null };
    let cursor: string | undefined;
    do {
      const more = cursor === undefined ? parameters : { ...parameters, cursor };
      page = await this.get<typeof page>(buildPath(path, more));
      yield page as Awaited<typeof page>;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Reads one of the texts beside the documents. */
  async text(path: TextPath): Promise<string> {
    return requestText(this.url + path, { timeout: this.timeout });
  }

  /** The trust report of this origin: evidence, never a permission score. */
  async agentTrust(): Promise<DocumentOf<'/v1/agent-trust'>> {
    return this.read('/v1/agent-trust');
  }

  /**
   * Compares the trust report of this origin with those of others.
   * @param origins base addresses that the caller has chosen
   */
  async compareTrustReports(origins: readonly string[]): Promise<TrustComparison> {
    return compareTrustReports([this.url, ...origins], { timeout: this.timeout });
  }

  /** What happens on the chain, as `streamEvents` tells it. */
  events(options: EventsOptions = {}): AsyncGenerator<NetEvent, void, undefined> {
    return streamEvents(this.url, options);
  }

  /**
   * Reads whatever a path answers with, untyped.
   * @param path with its query, for example `/v1/agents/alice`
   * @throws NetError for anything but success
   */
  async get<Document = JsonObject>(path: string): Promise<Document> {
    return JSON.parse(await requestText(this.url + path, { timeout: this.timeout })) as Document;
  }

  /** @throws NetError with the code and the locations of a refusal */
  async post<Answer = JsonObject>(path: string, body: JsonObject): Promise<Answer> {
    const options = { timeout: this.timeout, body: canonicalize(body) };
    return JSON.parse(await requestText(this.url + path, options)) as Answer;
  }

  /**
   * Signs and submits one action. An answer that gets lost on the way is asked for again with the same envelope, so
   * that the action happens once. The actor of the client signs, unless another one comes first.
   * @returns the receipt: executed, durable and certified
   * @throws NetError with the code and the locations of a refusal, TypeError where nobody is there to sign
   */
  async act(
    ...call:
      [action: string, payload: JsonObject] | [actor: Actor, action: string, payload: JsonObject]
  ): Promise<Receipt> {
    const [actor, action, payload] = call.length === 3 ? call : [this.actor, ...call];
    if (!actor) throw new TypeError(`${action} needs an actor: give one to the client or to act`);
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
   * @throws NetError with the code and the locations of a refusal
   */
  async apply(actor: Actor, application: Application): Promise<Receipt> {
    const schema = 'NET-OPERATOR-APPLICATION/1';
    const envelope = await this.selfSigned(actor, { schema, ...application });
    return this.submit('/v1/operator-applications', envelope);
  }

  /**
   * Claims an invitation, which installs the role that was applied for.
   * @param invitationId the transition hash of the approval
   * @throws NetError with the code and the locations of a refusal
   */
  async claim(actor: Actor, invitationId: string): Promise<Receipt> {
    const schema = 'NET-OPERATOR-INVITATION-CLAIM/1';
    const envelope = await this.selfSigned(actor, { schema, invitationId });
    return this.submit('/v1/operator-invitations/claim', envelope);
  }

  /** Which chain the node serves, and how far it is. */
  async network(): Promise<NetworkStatus> {
    return this.read('/v1/network');
  }

  /** An envelope that brings the key it is signed with. */
  private async selfSigned(actor: Actor, members: JsonObject): Promise<JsonObject> {
    const { chainId } = await this.network();
    const { publicKey, publicKeyHash } = actor.key;
    const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(16)));
    const { actorId } = actor;
    return actor.key.sign({ ...members, actorId, publicKey, publicKeyHash, nonce, chainId });
  }

  /** Sends one envelope until there is an answer; the node recognises a duplicate of what it has committed. */
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
}

/** What somebody applies for; `profile` holds what the role asks for: bond, region, …. */
export interface Application extends JsonObject {
  applicationId: string;
  role: string;
  capabilities: JsonObject[];
  profile: JsonObject;
  expiresAtHeight: number;
}

/** NET-NETWORK-STATUS/1: which chain it is, how far, and whether it is open. */
export type NetworkStatus = DocumentOf<'/v1/network'>;

/** Who signs. */
export interface Actor {
  actorId: string;
  key: AgentKey;
}
