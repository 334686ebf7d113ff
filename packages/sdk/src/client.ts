/** Talks to one node: reads, and actions signed by one agent. */
import {
  bytesToHex,
  canonicalize,
  KIND_SCHEMAS,
  type JsonObject,
  type Receipt,
} from '@netd/protocol';
import { CoreError, refuseArgument } from './agent/core-error.ts';
import { requireObject, requireText } from './agent/arguments.ts';
import { exactValue } from './agent/exact-value.ts';
import { completePayload, type AnyActionName, type PayloadFor, type PayloadOf } from './actions.ts';
import type { AgentKey } from './agent-key.ts';
import { bounded, BOUNDS, type Bounds } from './bounds.ts';
import { ChainTip } from './chain-tip.ts';
import { controlHeader, controlHeaders } from './control-token.ts';
import { streamEvents, type EventsOptions, type NetEvent } from './events.ts';
import { LISTS } from './generated/tables.ts';
import {
  documentOf,
  defaultUrl,
  isLoopbackUrl,
  networkFrom,
  nextCursor,
  NetError,
  requestText,
  requireBaseUrl,
  type RequestOptions,
} from './http.ts';
import {
  buildPath,
  type DocumentOf,
  type ItemOf,
  type PagedPath,
  type ParameterArgument,
  type ReadPath,
  type SchemaOf,
  type TextPath,
} from './reads.ts';
import { MOST_NAME_BITS, workedNonce } from './name-work.ts';
import { requireKind, requireOptions, shown, type OptionNames } from './option-names.ts';
import { LostAnswerError, submit } from './submission.ts';
import { compareTrustReports, type TrustComparison } from './trust-comparison.ts';

/** Options of `NetClient`. */
export interface ClientOptions {
  /** Base address of the node; default $NET_URL, otherwise http://127.0.0.1:8420. */
  url?: string | undefined;
  /** Milliseconds per request; default 30,000. */
  timeout?: number | undefined;
  /** The chain to sign for; default the first chain that the node serves. */
  chainId?: string | undefined;
  /** Signer of `act` calls that name no actor. */
  actor?: Actor | undefined;
  /**
   * The node's secret, for laboratory calls and unsigned writes. Default for a node on this machine: the
   * token in `~/.netd/control`, or $NET_CONTROL_TOKEN if it is the node of $NET_URL.
   */
  controlToken?: string | undefined;
}

const CLIENT_OPTIONS: OptionNames<ClientOptions> = {
  url: true,
  timeout: 'timeout',
  chainId: true,
  actor: true,
  controlToken: true,
};

const INTENT_LIFETIME = 600;
/** Refusals of an intent made for a wrong height. They are final, so a new intent is safe. */
const WRONG_HEIGHT = new Set<string>(['INTENT_EXPIRED', 'EXPIRY_TOO_FAR']);

/** A client of one node: reads, and actions signed by one actor. */
export class NetClient {
  /** Address of the node. */
  readonly url: string;
  private readonly timeout: number;
  private readonly actor: Actor | null;
  private readonly tip: ChainTip;
  private readonly controlToken: string | undefined;
  /** Set on the clients of single calls with bounds, which inherit from this one. */
  declare private readonly signal: AbortSignal | undefined;
  declare private readonly sent: { envelope: JsonObject | null } | undefined;

  /** @throws AgentError URL_INVALID, OPTION_UNKNOWN */
  constructor(options: ClientOptions = {}) {
    requireOptions('NetClient', options, CLIENT_OPTIONS);
    const { url = defaultUrl(), timeout = 30_000, actor, chainId, controlToken } = options;
    this.url = requireBaseUrl(url);
    this.timeout = timeout;
    this.actor = actor ?? null;
    this.controlToken = controlToken;
    this.tip = new ChainTip(() => this.network(), chainId);
  }

  /**
   * Reads a document by its OpenAPI path.
   * @throws NetError for anything but success; AgentError ARGUMENT_INVALID if a path parameter is missing
   */
  async read<Path extends ReadPath>(
    path: Path,
    ...[parameters, bounds]: ParameterArgument<Path>
  ): Promise<DocumentOf<Path>> {
    const document = await this.get<DocumentOf<Path>>(buildPath(path, parameters), bounds);
    requireList(path, document);
    this.tip.saw((document as { snapshot?: { height?: unknown } }).snapshot?.height);
    return document;
  }

  /** Reads a list page by page, from the newest item or the cursor. The timeout is for each page. */
  async *pages<Path extends PagedPath>(
    path: Path,
    ...[parameters, bounds]: ParameterArgument<Path>
  ): AsyncGenerator<DocumentOf<Path>, void, undefined> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const more = cursor === undefined ? parameters : { ...parameters, cursor };
      const page = await this.get<DocumentOf<Path>>(buildPath(path, more), bounds);
      requireList(path, page);
      yield page;
      cursor = nextCursor(page, seen);
    } while (cursor !== undefined);
  }

  /** Reads a list item by item. Fetches pages on demand. The timeout is for each page. */
  async *items<Path extends PagedPath>(
    path: Path,
    ...parameters: ParameterArgument<Path>
  ): AsyncGenerator<ItemOf<Path>, void, undefined> {
    for await (const page of this.pages(path, ...parameters)) {
      yield* (page as Record<string, unknown>)[LISTS[path]] as ItemOf<Path>[];
    }
  }

  /** Reads a text resource, for example `/llms.txt`. */
  async text(path: TextPath, bounds: Bounds = {}): Promise<string> {
    requirePath(path);
    return this.within('text', bounds, (client) => client.request(path));
  }

  private async request(path: string, more: Partial<RequestOptions> = {}): Promise<string> {
    const { timeout, signal } = this;
    return requestText(this.url + path, { timeout, ...(signal ? { signal } : {}), ...more });
  }

  /**
   * Runs a call within its bounds.
   * @throws LostAnswerError if a bound ends the call after an envelope was sent
   */
  private async within<Result>(
    name: string,
    bounds: Bounds,
    call: (client: this) => Promise<Result>,
  ): Promise<Result> {
    requireOptions(name, bounds, BOUNDS);
    const sent: { envelope: JsonObject | null } = { envelope: null };
    try {
      return await bounded({ name }, bounds, (signal) =>
        call(
          signal
            ? (Object.create(this, { signal: { value: signal }, sent: { value: sent } }) as this)
            : this,
        ),
      );
    } catch (error) {
      const { envelope } = sent;
      const isCutShort = error instanceof CoreError && error.code.startsWith('CALL_');
      throw isCutShort && envelope ? new LostAnswerError(envelope, error) : error;
    }
  }

  /** Returns this origin's trust report: evidence, never a permission score. */
  async agentTrust(bounds: Bounds = {}): Promise<DocumentOf<'/v1/agent-trust'>> {
    return this.read('/v1/agent-trust', {}, bounds);
  }

  /**
   * Compares this origin's trust report with others.
   * @param origins base addresses that the caller has chosen
   */
  async compareTrustReports(
    origins: readonly string[],
    bounds: Bounds = {},
  ): Promise<TrustComparison> {
    requireKind('origins', origins, 'texts');
    return this.within('compareTrustReports', bounds, ({ url, timeout }) =>
      compareTrustReports([url, ...origins], { timeout }),
    );
  }

  /** Yields events, each once and in order. Reconnects as needed. */
  events(options: EventsOptions = {}): AsyncGenerator<NetEvent, void, undefined> {
    return streamEvents(this.url, options);
  }

  /**
   * Names this genesis in every envelope from now on. Call it once version 2 of the rules is proven;
   * otherwise the client trusts the node's claim. After a false claim, envelopes are refused on every other
   * chain.
   */
  nameGenesis(genesisHash: string): void {
    requireText('genesisHash', genesisHash);
    this.tip.nameGenesis(genesisHash);
  }

  /**
   * Reads any path, untyped.
   * @param path with its query, for example `/v1/agents/alice`
   */
  async get<Document = JsonObject>(path: string, bounds: Bounds = {}): Promise<Document> {
    requirePath(path);
    const text = await this.within('get', bounds, (client) => client.request(path));
    return documentOf(text) as Document;
  }

  /**
   * Sends a document.
   * @throws NetError with the code and locations of a refusal; AgentError ARGUMENT_INVALID, or VALUE_NOT_JSON
   *   with the path of the fault
   */
  async post<Answer = JsonObject>(
    path: string,
    given: JsonObject,
    bounds: Bounds = {},
  ): Promise<Answer> {
    requirePath(path);
    const body = exactValue(given) as JsonObject;
    const headers = controlHeaders(this.url, { path, body, given: this.controlToken });
    const more = { body: canonicalize(body), headers };
    const text = await this.within('post', bounds, (client) => client.request(path, more));
    return documentOf(text) as Answer;
  }

  /**
   * Signs and submits one action. Fills in fields that actor and chain determine. Amounts are '1 NET' or
   * unet. Resends the same envelope if the answer is lost, so the action happens once.
   * @returns the receipt: executed, durable and certified
   * @throws NetError with the code and locations of a refusal; LostAnswerError; AmountError; AgentError
   *   ARGUMENT_INVALID without an actor
   */
  async act<Name extends AnyActionName>(
    action: Name,
    payload: PayloadFor<Name>,
    bounds?: Bounds,
  ): Promise<Receipt>;
  async act<Name extends AnyActionName>(
    actor: Actor,
    action: Name,
    payload: PayloadFor<Name>,
    bounds?: Bounds,
  ): Promise<Receipt>;
  async act(...call: ActionCall<Actor, Bounds>): Promise<Receipt> {
    const { actor, action, payload, options } = this.callOf(call);
    return this.within('act', options, (client) =>
      client.sendFresh((nonce) => client.intent(actor, action, payload, nonce)),
    );
  }

  /**
   * Lets another key do some of the actor's actions within a budget. The key signs its consent, and `{
   * actorId, sessionId, key }` is an actor from then on.
   * @throws as `act`
   */
  async grantSession(actor: Actor, given: SessionGrant, bounds: Bounds = {}): Promise<Receipt> {
    requireActor(actor);
    requireObject('grant', given);
    const { key, ...grant } = given;
    requireObject('key', key);
    requireText('sessionId', grant.sessionId);
    requireKind('actions', grant.actions, 'texts');
    const { actorId } = actor;
    const { publicKey, publicKeyHash } = key;
    const { sessionId } = grant;
    const make = async (nonce: string): Promise<JsonObject> => {
      const { chainId, genesisHash } = await this.tip.now();
      const genesis = genesisHash === null ? {} : { genesisHash };
      const { signature } = await key.sign({
        schema: 'NET-SESSION-KEY/1',
        chainId,
        actorId,
        sessionId,
        publicKey,
        nonce,
        ...genesis,
      });
      const proof = { publicKey, publicKeyHash, sessionKeySignature: signature, ...genesis };
      const payload = { ...grant, ...proof };
      return this.intent(actor, 'grantSession', payload, nonce);
    };
    return this.within('grantSession', bounds, (client) => client.sendFresh(make));
  }

  /**
   * Replaces the actor's key. The new key signs its consent.
   * @throws as `act`
   */
  async rotateKey(actor: Actor, newKey: AgentKey, bounds: Bounds = {}): Promise<Receipt> {
    requireActor(actor);
    requireObject('newKey', newKey);
    const { actorId, key } = actor;
    const newPublicKey = newKey.publicKey;
    const make = async (nonce: string): Promise<JsonObject> => {
      const { chainId, genesisHash } = await this.tip.now();
      const genesis = genesisHash === null ? {} : { genesisHash };
      const { signature } = await newKey.sign({
        schema: 'NET-KEY-ROTATION/1',
        chainId,
        actorId,
        oldKeyHash: key.publicKeyHash,
        newPublicKey,
        nonce,
        ...genesis,
      });
      const payload = { newPublicKey, newKeySignature: signature, ...genesis };
      return this.intent(actor, 'rotateAgentKey', payload, nonce);
    };
    return this.within('rotateKey', bounds, (client) => client.sendFresh(make));
  }

  /**
   * Simulates an action and returns its events and changes, or its refusal. Nothing is signed.
   * @param options.trace true adds rules, reads, writes and timers step by step
   * @throws NetError if the request is malformed; AgentError ARGUMENT_INVALID without an actor
   */
  async simulate<Name extends AnyActionName>(
    action: Name,
    payload: PayloadFor<Name>,
    options?: SimulateOptions,
  ): Promise<Simulation>;
  async simulate<Name extends AnyActionName>(
    actor: Pick<Actor, 'actorId'>,
    action: Name,
    payload: PayloadFor<Name>,
    options?: SimulateOptions,
  ): Promise<Simulation>;
  async simulate(
    ...call: ActionCall<Pick<Actor, 'actorId'>, SimulateOptions>
  ): Promise<Simulation> {
    const { actor, action, payload: given, options } = this.callOf(call);
    requireOptions('simulate', options, SIMULATE_OPTIONS);
    const { trace = false, ...bounds } = options;
    const { actorId } = actor;
    const path = `/v1/intents:simulate${trace ? '?trace=true' : ''}`;
    return this.within('simulate', bounds, async (client) => {
      const payload = await client.complete(actorId, action, given);
      return client.post<Simulation>(path, { actorId, action, payload });
    });
  }

  /**
   * Returns the checks, reads, writes and timers of a committed transition.
   * @param transition its hash, or its receipt
   * @throws NetError TRANSITION_NOT_FOUND; NOT_A_LABORATORY
   */
  async trace(
    transition: string | Pick<Receipt, 'transitionHash'>,
    bounds: Bounds = {},
  ): Promise<TracedTransition> {
    const hash = typeof transition === 'string' ? transition : transition?.transitionHash;
    requireText('transition', hash);
    return this.read('/v1/lab/trace', { transition: hash }, bounds);
  }

  /**
   * Submits a signed intent, for example of a LostAnswerError. A repeated intent is executed once.
   * @throws as `act`
   */
  async send(intent: JsonObject, bounds: Bounds = {}): Promise<Receipt> {
    requireObject('intent', intent);
    return this.within('send', bounds, (client) => client.submit('/v1/intents', intent));
  }

  /**
   * Registers the actor as an agent, under its key. If names cost work (`registration` of `network()`), does
   * it in slices: 20 bits take a second or two.
   * @throws NetError AGENT_EXISTS and other refusals
   */
  async register(
    actor: Actor,
    about: Bounds & {
      description?: string | undefined;
      referrerAgentId?: string | undefined;
    } = {},
  ): Promise<Receipt> {
    requireOptions('register', about, { description: true, referrerAgentId: true, ...BOUNDS });
    requireActor(actor);
    const { timeout, signal, ...given } = about;
    const members = exactValue(given) as JsonObject;
    return this.within('register', { timeout, signal }, (client) =>
      client.submitWorked('/v1/agents/register', actor, members),
    );
  }

  private async submitWorked(path: string, actor: Actor, members: JsonObject): Promise<Receipt> {
    try {
      return await this.submit(path, await this.selfSigned(actor, members));
    } catch (error) {
      if (!(error instanceof NetError) || error.code !== 'NAME_WORK_MISSING') throw error;
      const { workBits } = (await this.network()).registration;
      if (workBits > MOST_NAME_BITS) throw error;
      return this.submit(path, await this.selfSigned(actor, members, workBits));
    }
  }

  /**
   * Applies for a role. Does the work that a new name costs, as `register` does.
   * @returns the receipt; approved at once if it holds the event OperatorInvitationCreated
   * @throws NetError
   */
  async apply(actor: Actor, application: Application, bounds: Bounds = {}): Promise<Receipt> {
    requireActor(actor);
    requireObject('application', application);
    const members = { schema: KIND_SCHEMAS.application, ...application };
    return this.within('apply', bounds, (client) =>
      client.submitWorked('/v1/operator-applications', actor, members),
    );
  }

  /**
   * Claims an invitation, which installs the role.
   * @param invitationId the transition hash of the approval
   * @throws NetError
   */
  async claim(actor: Actor, invitationId: string, bounds: Bounds = {}): Promise<Receipt> {
    requireActor(actor);
    requireText('invitationId', invitationId);
    const schema = KIND_SCHEMAS.claim;
    return this.within('claim', bounds, async (client) => {
      const envelope = await client.selfSigned(actor, { schema, invitationId });
      return client.submit('/v1/operator-invitations/claim', envelope);
    });
  }

  /**
   * Returns the chain that the node serves, and its head.
   * @throws NetError UNREACHABLE, NOT_A_NODE
   */
  async network(bounds: Bounds = {}): Promise<NetworkStatus> {
    return networkFrom(this.url, () => this.read('/v1/network', {}, bounds));
  }

  /**
   * Returns the active version of the rules and the scheduled one.
   * @throws as `network`
   */
  async rules(bounds: Bounds = {}): Promise<NetworkStatus['rules']> {
    return (await this.network(bounds)).rules;
  }

  private callOf<Someone, Options>(
    call: ActionCall<Someone, Options>,
  ): { actor: Someone | Actor; action: string; payload: object; options: Partial<Options> } {
    const isOwn = typeof call[0] === 'string' || call.length < 3;
    const [action, payload, options] = (isOwn ? call : call.slice(1)) as OwnCall<Options>;
    const actor = isOwn ? this.actor : (call[0] as Someone);
    requireText('action', action);
    requireObject('payload', payload);
    if (actor === null)
      refuseArgument('actor', `actor: ${action} needs one: give it to the client or to the call`);
    requireObject('actor', actor);
    return { actor, action, payload, options: options ?? {} };
  }

  /**
   * Sends an intent, and a second one if the remembered height was wrong. Both share a nonce, and the second
   * expires no earlier, so the chain executes only one even if the refusal was a lie. Believes a loopback
   * node's lower height, since a laboratory can go back.
   */
  private async sendFresh(make: (nonce: string) => Promise<JsonObject>): Promise<Receipt> {
    const nonce = freshNonce();
    const first = await make(nonce);
    try {
      return await this.submit('/v1/intents', first);
    } catch (error) {
      if (!(error instanceof NetError && WRONG_HEIGHT.has(error.code))) throw error;
      this.tip.forgetHeight();
      const second = await make(nonce);
      const isEarlier = Number(second['expiresAtHeight']) < Number(first['expiresAtHeight']);
      if (isEarlier && !isLoopbackUrl(this.url)) throw error;
      return this.submit('/v1/intents', second);
    }
  }

  private async intent(
    actor: Actor,
    action: string,
    given: object,
    nonce: string,
  ): Promise<JsonObject> {
    const { actorId, sessionId, key } = actor;
    const payload = await this.complete(actorId, action, given);
    const { chainId, height, genesisHash } = await this.tip.now();
    return key.sign({
      actorId,
      nonce,
      expiresAtHeight: height + INTENT_LIFETIME,
      action,
      payload,
      chainId,
      ...(genesisHash === null ? {} : { genesisHash }),
      ...(sessionId === undefined ? {} : { sessionId }),
    });
  }

  private complete(actorId: string, action: string, given: object): Promise<JsonObject> {
    return completePayload(actorId, action, given, {
      height: async () => (await this.tip.now()).height,
      agent: (agentId) => this.read('/v1/agents/{agentId}', { agentId }),
    });
  }

  private async selfSigned(actor: Actor, members: JsonObject, workBits = 0): Promise<JsonObject> {
    const { chainId, genesisHash } = await this.tip.now();
    const { actorId, key } = actor;
    const { publicKey, publicKeyHash } = key;
    const nonce = freshNonce();
    const genesis = genesisHash === null ? {} : { genesisHash };
    const unsigned = { ...members, actorId, publicKey, publicKeyHash, nonce, chainId, ...genesis };
    if (workBits === 0) return key.sign(unsigned);
    return key.sign({ ...unsigned, nonce: await workedNonce(unsigned, workBits) });
  }

  private async submit(path: string, envelope: JsonObject): Promise<Receipt> {
    const { timeout, signal } = this;
    signal?.throwIfAborted();
    if (this.sent) this.sent.envelope = envelope;
    const receipt = await submit(this.url + path, envelope, { timeout, signal }, () =>
      controlHeader(this.url, this.controlToken),
    );
    this.tip.saw(receipt.height);
    return receipt;
  }
}

function requirePath(path: unknown): void {
  if (typeof path === 'string' && path.startsWith('/')) return;
  refuseArgument('path', `${shown(path)}: a path begins with a slash, for example /v1/agents`);
}

function requireActor(actor: unknown): void {
  requireObject('actor', actor);
  const { actorId, key } = actor as Partial<Actor>;
  requireText('actorId', actorId);
  requireObject('key', key);
}

const freshNonce = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)));

/** An application for a role. `profile` has the fields that the role requires, such as bond and region. */
export interface Application extends JsonObject {
  /** Id that the applicant chooses. */
  applicationId: string;
  /** Role to be granted. */
  role: SchemaOf<'OperatorApplication'>['role'];
  /** Actions that the role needs, with their limits. */
  capabilities: JsonObject[];
  /** Facts for those who decide. */
  profile: JsonObject;
  /** Height after which the application is void. */
  expiresAtHeight: number;
}

/** Status of the network: chain, height, rules, registration. */
export type NetworkStatus = DocumentOf<'/v1/network'>;

/** A grant of a session. It expires after 2,000 heights by default. */
export type SessionGrant = Omit<
  PayloadOf<'grantSession'>,
  'agentId' | 'publicKey' | 'publicKeyHash' | 'sessionKeySignature' | 'genesisHash'
> & { key: AgentKey };

/** The predicted outcome of an action that nothing has signed. */
export type Simulation = SchemaOf<'Simulation'>;

/** What a simulation shows. */
export interface SimulateOptions extends Bounds {
  /** True to add checks, reads and writes of each rule. */
  trace?: boolean | undefined;
}

const SIMULATE_OPTIONS: OptionNames<SimulateOptions> = { trace: true, ...BOUNDS };

type OwnCall<Options> = [action: string, payload: object, options?: Options | undefined];
type ActionCall<Someone, Options> = OwnCall<Options> | [actor: Someone, ...OwnCall<Options>];

/** A transition with its checks, reads and writes. Only laboratory nodes have it. */
export type TracedTransition = SchemaOf<'TracedTransition'>;

/** An actor with the key that signs for it. */
export interface Actor {
  /** Name of the actor on the chain. */
  actorId: string;
  /** Key that signs: that of the session, if there is one. */
  key: AgentKey;
  /** Undefined if the key is the actor's own. */
  sessionId?: string | undefined;
}

/** @throws NetError without a problem unless the document is a list of objects: no node wrote it then */
function requireList(path: string, document: unknown): void {
  if (!Object.hasOwn(LISTS, path)) return;
  const list = (document as Record<string, unknown>)[LISTS[path as PagedPath]];
  const isSound =
    Array.isArray(list) &&
    list.every(
      (item: unknown) => typeof item === 'object' && item !== null && !Array.isArray(item),
    );
  if (!isSound) throw new NetError(200, null);
}
