/**
 * An agent that joins, works, talks and remembers. Each act happens once on the chain, even after a crash.
 */
import type { JsonObject, Receipt } from '@netd/protocol';
import { defaultHome } from '#home';
import type { NetAmount } from '../amount.ts';
import type { Content, Handled } from '../json-type.ts';
import type { AnyActionName, PayloadFor } from '../actions.ts';
import { defaultUrl } from '../http.ts';
import { bounded, BOUNDS, type Bounds } from '../bounds.ts';
import { NetClient } from '../client.ts';
import { requireKind, requireOptions } from '../option-names.ts';
import { within } from '../pause.ts';
import { addEncryptionKey, ensureKeys, ensureSigningKey, sealPlainKeys } from '../key-file.ts';
import { AgentError } from './agent-error.ts';
import {
  AGENT_OPTIONS,
  SESSION_AGENT_OPTIONS,
  type AgentOptions,
  type SessionAgentOptions,
} from './agent-options.ts';
import {
  awaitAnswer,
  randomId,
  SEND_OPTIONS,
  sendMessage,
  type SendOptions,
  type SentMessage,
} from './ask.ts';
import type { AgentEventName, AgentEvents } from './emitter.ts';
import { findingsOf, type Finding } from './findings.ts';
import type { AgentHealth } from './health.ts';
import type { AgentHome } from './home.ts';
import { hiredBefore, hireOnce } from './hire.ts';
import { HIRE_OPTIONS, type HireOptions, type TypedHireOptions } from './hire-options.ts';
import { untakenOf, type Hired } from './hired.ts';
import { joinOnce, requireFree } from './join.ts';
import type { Lifecycle, Ticked } from './lifecycle.ts';
import type { Memory } from './memory.ts';
import { contentBytes, type Message, type MessageContent, type MessageFacts } from './message.ts';
import {
  assemble,
  chainOf,
  isActorId,
  missingSealingKey,
  openedWithin,
  type Identity,
} from './opening.ts';
import { disputeOnce, releaseOnce } from './order-acts.ts';
import { actOnce } from './own-acts.ts';
import { answerIdOf, ownId } from './own-ids.ts';
import { boundedCall, requireSecret, type AgentParts, type WorkOrder } from './parts.ts';
import { RETRY_OPTIONS } from './retry-policy.ts';
import { RuntimeWorker, type RuntimeHandler } from './runtime-worker.ts';
import { acknowledge, openMessage } from './sealed-message.ts';
import { requireFacts, requireHandler, requireObject, requireText } from './arguments.ts';
import {
  grantSession,
  keysOfSession,
  readSession,
  requireLive,
  SESSION_OPTIONS,
  type GrantedSession,
  type SessionFile,
  type SessionOptions,
} from './session.ts';
import { OrderWorker } from './order-worker.ts';
import { inputOf, type Job, type JobHandler, type JobResult, type JobTypes } from './work-job.ts';
import {
  requireScope,
  requireSoundScope,
  WORK_OPTIONS,
  type WorkOffer,
  type TypedWorkOptions,
  type WorkOptions,
} from './work-offer.ts';
import {
  requireService,
  unservedOf,
  type AnyService,
  type CallOptions,
  type Service,
  type ServiceOrder,
} from './service.ts';
import type { TypeSchema } from './type-schema.ts';
import { requireInput, requireTypes } from './typed-work.ts';
import { unetOf } from './amount.ts';
import { acceptOnce, deliverOnce, offerOf } from './work-steps.ts';

export type { AgentOptions, SessionAgentOptions } from './agent-options.ts';

const ANSWER_TIMEOUT = 120_000;
const HEALTH_TIMEOUT = 5_000;
const TICK = 20_000;
const TICK_JOBS = 10;

/** An agent that joins, keeps its beacon current, works, talks and remembers. `open` makes one. */
export class Agent {
  /** Name of the agent on the chain. */
  readonly agentId: string;
  /** The chain that the agent is on. */
  readonly chainId: string;
  /** Client of the node, for everything else. It signs writes as the agent. */
  readonly client: NetClient;
  private readonly parts: AgentParts;
  private readonly identity: Identity;
  private readonly home: AgentHome;
  private readonly passphrase: string | undefined;
  private readonly life: Lifecycle;

  private constructor(
    { parts, life }: { parts: AgentParts; life: Lifecycle },
    identity: Identity,
    home: AgentHome,
    passphrase?: string,
  ) {
    this.agentId = parts.agentId;
    this.chainId = parts.chainId;
    this.client = parts.retryingClient.client;
    this.parts = parts;
    this.life = life;
    this.identity = identity;
    this.home = home;
    this.passphrase = passphrase;
  }

  /**
   * Creates or loads the keys, joins once, resumes open work, and publishes the beacon.
   * @throws AgentError with a code of AGENT_ERROR_TABLE; NetError
   */
  static async open(agentId: string, options: AgentOptions = {}): Promise<Agent> {
    requireOptions('Agent.open', options, AGENT_OPTIONS);
    if (!isActorId(agentId)) throw new AgentError('AGENT_ID_INVALID', JSON.stringify(agentId));
    return openedWithin('Agent.open', options, (bound) => Agent.opened(agentId, bound));
  }

  private static async opened(agentId: string, options: AgentOptions): Promise<Agent> {
    const url = options.url ?? defaultUrl();
    const { signal } = options;
    const chainId = await chainOf(new NetClient({ url }), { signal });
    // The agent must never sign for another chain, even if the node names one later.
    const client = new NetClient({ url, chainId });
    const home = options.home ?? defaultHome(chainId, agentId, options.keys);
    const { passphrase, description, referrer } = options;
    const owner = { chainId, actorId: agentId, passphrase };
    let missing: AgentError | null = null;
    if ((await home.readSecret(agentId)) === null) {
      await requireFree(client, agentId, { signal });
    } else {
      const key = await ensureSigningKey(home, owner);
      missing = await missingSealingKey({ agentId, key }, { client, home }, options);
    }
    const { signing, encryption } = await ensureKeys(home, owner);
    await sealPlainKeys(home, owner);
    const identity = { agentId, chainId, key: signing, encryption, sessionId: null };
    const assembled = await assemble(
      identity,
      { client, home },
      options,
      async (retryingClient) => {
        await joinOnce(retryingClient, { agentId, key: signing, description, referrer });
        return { beacon: true, memory: true };
      },
    );
    if (missing) {
      const { code, message } = missing;
      assembled.parts.events.emit('warning', { code, message });
    }
    return new Agent(assembled, identity, home, passphrase);
  }

  /**
   * Acts for an agent under a session, so the agent's own key can stay on another machine. Never changes the
   * beacon. Has no memory unless the session grants commitMemoryCheckpoint.
   * @param session the path of the file that grantSession wrote, or its content
   * @throws AgentError SESSION_FILE_INVALID, SESSION_ENDED, CHAIN_MISMATCH, OPTION_UNKNOWN and the codes of `open`
   */
  static async openSession(
    session: string | SessionFile,
    options: SessionAgentOptions = {},
  ): Promise<Agent> {
    requireOptions('Agent.openSession', options, SESSION_AGENT_OPTIONS);
    const file = typeof session === 'string' ? await readSession(session) : session;
    if (!isActorId(file.actorId) || !isActorId(file.sessionId)) {
      throw new AgentError('SESSION_FILE_INVALID');
    }
    return openedWithin('Agent.openSession', options, (bound) => Agent.openedSession(file, bound));
  }

  private static async openedSession(
    file: SessionFile,
    options: SessionAgentOptions,
  ): Promise<Agent> {
    const { actorId: agentId, chainId, sessionId } = file;
    const { signing: key, encryption } = await keysOfSession(file);
    const url = options.url ?? defaultUrl();
    const client = new NetClient({ url, chainId });
    const found = await chainOf(client, { signal: options.signal });
    if (found !== chainId) throw new AgentError('CHAIN_MISMATCH', `${found}, not ${chainId}`);
    const home = options.home ?? defaultHome(chainId, `${agentId}.${sessionId}`, options.keys);
    const identity = { agentId, chainId, key, encryption, sessionId };
    const assembled = await assemble(
      identity,
      { client, home },
      options,
      async (retryingClient) => {
        const actions = await requireLive(retryingClient, file);
        return {
          beacon: false,
          memory: actions.has('commitMemoryCheckpoint'),
        };
      },
    );
    return new Agent(assembled, identity, home);
  }

  /**
   * @returns a function that removes the listener
   * @throws AgentError ARGUMENT_INVALID
   */
  on<Name extends AgentEventName>(
    name: Name,
    listener: (event: AgentEvents[Name]) => unknown,
  ): () => void {
    return this.parts.events.on(name, listener);
  }

  /**
   * Accepts matching orders once `run` is called, delivers the handler's results and settles.
   * @throws AgentError AMOUNT_INVALID, HANDLER_TOO_LATE, HANDLER_TWICE, OPTION_UNKNOWN, ARGUMENT_INVALID
   */
  onWork<Result>(handler: (job: Job) => Handled<Result>): void;
  onWork<Input, Result>(
    options: TypedWorkOptions<Input, Result>,
    handler: (job: Job<Input>) => NoInfer<Result> | Promise<NoInfer<Result>>,
  ): void;
  onWork<Result, Input = undefined>(
    options: WorkOptions & { job?: TypeSchema<unknown, Input> | undefined },
    handler: (job: Job<Input>) => Handled<Result>,
  ): void;
  onWork(...call: [JobHandler] | [WorkOptions, JobHandler]): void {
    const [options, handler] = call.length === 1 ? [{}, call[0]] : call;
    requireOptions('onWork', options, WORK_OPTIONS);
    requireTypes(options as JobTypes);
    requireOptions('retry', options.retry ?? {}, RETRY_OPTIONS);
    requireHandler('onWork', handler);
    this.life.requireRoom('onWork', this.life.workers[0]);
    this.life.workers.push(new OrderWorker(this.parts, options, handler));
  }

  /**
   * Accepts orders with the name and at least the price of a service, once `run` is called.
   * @throws AgentError HANDLER_TOO_LATE, HANDLER_TWICE, ARGUMENT_INVALID
   */
  serve(...services: readonly AnyService[]): void {
    if (services.length === 0) requireObject('service', undefined);
    for (const service of services) {
      requireService(service);
      requireHandler(`serve, ${service.name}`, service.handler);
    }
    const byName = new Map(services.map((one) => [one.name, one]));
    const serviceOf = ({ jobType }: WorkOrder): AnyService | undefined => byName.get(jobType);
    this.life.requireRoom('serve', this.life.workers[0]);
    const options = {
      minFunding: Math.min(...services.map(({ price }) => unetOf(price, 'price'))),
      capabilities: [...this.parts.capabilities, ...byName.keys()],
    };
    const handler = async (job: Job): Promise<JobResult> =>
      serviceOf(job.order)?.handler(job as Job<never>) as JobResult;
    const typesOf = (order: WorkOrder): JobTypes => {
      const { input: job, output: returns, retry } = serviceOf(order) ?? {};
      return { job, returns, retry };
    };
    const unsuited = (order: ServiceOrder): string | null => unservedOf(byName, order);
    this.life.workers.push(new OrderWorker(this.parts, options, handler, { typesOf, unsuited }));
  }

  /**
   * Hires a service, and returns its parsed result once a jury has accepted it. Only an agent that serves it, or has its
   * name among its capabilities, takes the order.
   * @throws AgentError INPUT_INVALID before anything is sent; as `hire` and `Hired.result`
   */
  async call<Input, Parsed, Result>(
    service: Service<Input, Parsed, Result>,
    input: NoInfer<Input>,
    options: CallOptions = {},
  ): Promise<Result> {
    requireService(service);
    requireObject('options', options);
    const { name, description, output, price } = service;
    await requireInput(service.input, input);
    const asked = {
      title: name,
      instructions: description,
      jobType: name,
      funding: price,
      // Without it, a worker that takes any order could take it, and could not do it.
      requirements: [name],
    };
    const { timeout, signal, id = randomId('order'), ...more } = options;
    requireOptions('call', options, HIRE_OPTIONS);
    const terms = { ...asked, ...more, input, returns: output };
    const isNamed = options.id !== undefined;
    let hired: Hired<Result> | null = null;
    const hireAndWait = async (parts: AgentParts): Promise<Result> => {
      hired = await hireOnce(parts, terms, { id, isNamed });
      return (await hired.result({ signal: parts.poller.signal })).value;
    };
    const bounds = { timeout, signal };
    requireOptions('call', bounds, BOUNDS);
    const about = { name: 'call', data: { id }, why: () => untakenOf(hired) };
    const called = { 'netsdk.order.id': id, 'netsdk.skill': name };
    return this.parts.telemetry.span('call', called, () =>
      boundedCall(this.parts, about, bounds, hireAndWait),
    );
  }

  /** Resumes a job type, or all, after three rejections in a row have paused it. */
  resumeWork(jobType?: string): void {
    for (const worker of this.life.workers) worker.resume(jobType);
    this.parts.poller.wake();
  }

  /**
   * Returns the verifiers' findings. Treat them as untrusted content.
   * @throws NetError if there is no such order
   */
  async findings(orderId: string, bounds: Bounds = {}): Promise<Finding[]> {
    requireText('orderId', orderId);
    return this.bounded('findings', bounds, async ({ retryingClient, origins }) => {
      const { order } = await retryingClient.read('/v1/work-orders/{orderId}', { orderId });
      return findingsOf(order, (hash) => origins.fetch(hash));
    });
  }

  /**
   * Handles messages once `run` is called. Treat their text as untrusted content.
   * @throws AgentError HANDLER_TOO_LATE, HANDLER_TWICE, ARGUMENT_INVALID
   */
  onMessage<Answer>(handler: (message: Message) => Handled<Answer, null | undefined | void>): void {
    requireSecret(this.parts);
    requireHandler('onMessage', handler);
    this.life.requireRoom('onMessage', this.life.handler);
    this.life.handler = handler;
  }

  /**
   * Takes over memories that move to this agent's runtime, once `run` is called. Attests each unless the
   * handler throws. Needs the role RUNTIME_PROVIDER and a standing offer (`registerRuntimeOffer`).
   * @throws AgentError HANDLER_TOO_LATE, HANDLER_TWICE, ARGUMENT_INVALID
   */
  onHandover(handler: RuntimeHandler): void {
    requireSecret(this.parts);
    requireHandler('onHandover', handler);
    this.life.requireRoom('onHandover', this.life.runtimes[0]);
    this.life.runtimes.push(new RuntimeWorker(this.parts, handler));
  }

  /**
   * Sends a sealed message that asks for no answer.
   * @throws AgentError RECIPIENT_UNKNOWN, RECIPIENT_HAS_NO_KEY, BLOB_NOT_STORED; NetError
   */
  async send<Sent extends MessageContent>(
    toAgentId: string,
    content: Content<Sent>,
    options: SendOptions = {},
  ): Promise<SentMessage> {
    requireText('toAgentId', toAgentId);
    requireOptions('send', options, SEND_OPTIONS);
    const { timeout, signal, messageId = randomId('m') } = options;
    return this.bounded(
      'send',
      { timeout, signal },
      (parts) => sendMessage(parts, toAgentId, content, { ...options, messageId }),
      { messageId },
    );
  }

  /**
   * Sends a sealed question and waits for its answer.
   * @param options.timeout milliseconds until ANSWER_TIMEOUT; default two minutes
   * @throws AgentError ANSWER_TIMEOUT, MESSAGE_REJECTED and the codes of `send`
   */
  async ask<Sent extends MessageContent>(
    toAgentId: string,
    content: Content<Sent>,
    given: SendOptions = {},
  ): Promise<Message> {
    requireText('toAgentId', toAgentId);
    requireOptions('ask', given, SEND_OPTIONS);
    const { timeout = ANSWER_TIMEOUT, signal, messageId = randomId('m'), ...options } = given;
    requireSecret(this.parts);
    const late = (): AgentError => new AgentError('ANSWER_TIMEOUT', `${timeout} ms`);
    const deadline = Date.now() + timeout;
    const question = { ...options, messageId, timeout, deadline };
    return this.bounded(
      'ask',
      { signal },
      (parts) => within(timeout, late, this.askUntil(parts, toAgentId, content, question)),
      { messageId },
    );
  }

  private async askUntil(
    parts: AgentParts,
    toAgentId: string,
    content: MessageContent,
    options: SendOptions & { messageId: string; timeout: number; deadline: number },
  ): Promise<Message> {
    // The answer is sealed to the key that the beacon publishes.
    await this.life.catchUpOnBeacon();
    await this.life.listenForOwn();
    const { messageId, timeout, deadline } = options;
    // The answer may arrive before the receipt.
    this.life.asked.add(messageId);
    try {
      const question = { ...options, kind: 'REQUEST' } as const;
      const sent = await sendMessage(parts, toAgentId, content, question);
      return await awaitAnswer(parts, { ...sent, toAgentId }, timeout, deadline);
    } finally {
      this.life.asked.delete(messageId);
    }
  }

  /** @throws AgentError MEMORY_OFF */
  get memory(): Memory {
    if (!this.life.memory) throw new AgentError('MEMORY_OFF');
    return this.life.memory;
  }

  /**
   * Executes an action once. Adds a missing grantable capability, and fills in fields that agent and chain
   * determine. Amounts are '1 NET' or unet. acceptWork runs the checks of `accept` first.
   * @param options.id makes repeated calls the same act, even after a crash. The error of a bound that ends the
   *   call has it in its data. If the act was signed by then, its envelope stays until a call with that id: nothing
   *   else sends it again
   * @throws NetError; AgentError AMOUNT_INVALID, ACT_ID_USED if the id names another act
   */
  async act<Name extends AnyActionName>(
    action: Name,
    payload: PayloadFor<Name>,
    options: Bounds & { id?: string | undefined } = {},
  ): Promise<Receipt> {
    requireText('action', action);
    requireObject('payload', payload);
    requireOptions('act', options, { id: true, ...BOUNDS });
    const { id = randomId('act'), ...bounds } = options;
    const isNamed = options.id !== undefined;
    return this.bounded(
      'act',
      bounds,
      (parts) => actOnce(parts, action, payload, { id, isNamed }),
      {
        id,
      },
    );
  }

  /**
   * Creates an order once. Checks everything before money moves, then puts funding and verifiers' fee into
   * escrow.
   * @param options.id makes repeated calls the same order, even after a crash. The error of a bound that ends the
   *   call has it in its data
   * @throws FormatError SCOPE_UNJUDGEABLE, DOCUMENT_INVALID; AgentError AMOUNT_INVALID, REVIEW_NEEDS_A_MIND,
   *   BLOB_NOT_STORED, ACT_ID_USED; NetError. Nothing was paid then
   */
  async hire<Result>(options: TypedHireOptions<Result>): Promise<Hired<Result>>;
  async hire(options: HireOptions): Promise<Hired>;
  async hire<Result>(options: HireOptions | TypedHireOptions<Result>): Promise<Hired<Result>> {
    requireOptions('hire', options, HIRE_OPTIONS);
    const { id = randomId('order'), timeout, signal } = options;
    const isNamed = options.id !== undefined;
    return this.bounded(
      'hire',
      { timeout, signal },
      (parts) => hireOnce(parts, options, { id, isNamed }),
      { id },
    );
  }

  /**
   * Returns an order that this agent has created.
   * @param options.returns the type of its result
   * @throws AgentError NOT_YOUR_ORDER, SCOPE_MISSING; FormatError; NetError if there is no such order
   */
  async hired<Result = undefined>(
    orderId: string,
    options: Bounds & { returns?: TypeSchema<unknown, Result> | undefined } = {},
  ): Promise<Hired<Result>> {
    requireText('orderId', orderId);
    requireOptions('hired', options, { returns: true, ...BOUNDS });
    requireTypes(options);
    const { returns = null, ...bounds } = options;
    return this.bounded('hired', bounds, (parts) => hiredBefore(parts, orderId, returns));
  }

  /**
   * Gives back an accepted order before its deadline, without a penalty. The order opens again.
   * @throws NetError WORK_ORDER_NOT_ACCEPTED, NOT_WORK_AGENT
   */
  async release(orderId: string, bounds: Bounds = {}): Promise<Receipt> {
    requireText('orderId', orderId);
    return this.bounded('release', bounds, (parts) => releaseOnce(parts, orderId));
  }

  /**
   * Disputes the outcome of an order that goes against this agent, or answers a dispute. Locks a bond until
   * the decision.
   * @param options.bond the exact bond, '1 NET' or unet; default what the order asks
   * @throws NetError WORK_NOT_VERIFIED, DISPUTE_WINDOW_CLOSED, DISPUTE_BOND_MISMATCH; AgentError
   *   BLOB_NOT_STORED
   */
  async dispute(
    orderId: string,
    reason: string,
    options: Bounds & { bond?: NetAmount | number | undefined } = {},
  ): Promise<Receipt> {
    requireText('orderId', orderId);
    requireText('reason', reason);
    requireOptions('dispute', options, { bond: true, ...BOUNDS });
    const { bond, ...bounds } = options;
    return this.bounded('dispute', bounds, (parts) => disputeOnce(parts, orderId, reason, bond));
  }

  /**
   * Fetches one order with its verified scope.
   * @throws AgentError SCOPE_MISSING, SCOPE_SEALED_TO_OTHERS, REQUESTER_HAS_NO_KEY; FormatError; NetError
   */
  async offer(orderId: string, bounds: Bounds = {}): Promise<WorkOffer> {
    requireText('orderId', orderId);
    return this.bounded('offer', bounds, (parts) => offerOf(parts, orderId));
  }

  /**
   * Accepts an order, once, if its scope can be fetched, read and judged. Returns the current order.
   * @param options.workerBond the exact bond, '1 NET' or unet; default 0
   * @throws AgentError BOND_NOT_AGREED and the errors of `offer`; NetError
   */
  async accept(
    orderId: string,
    options: Bounds & { workerBond?: NetAmount | number | undefined } = {},
  ): Promise<WorkOrder> {
    requireText('orderId', orderId);
    requireOptions('accept', options, { workerBond: true, ...BOUNDS });
    const { workerBond = 0, ...bounds } = options;
    return this.bounded('accept', bounds, (parts) => acceptOnce(parts, orderId, workerBond));
  }

  /**
   * Returns a verified input that the scope names.
   * @throws AgentError INPUT_UNKNOWN, BLOB_NOT_FOUND, BLOB_UNAVAILABLE
   */
  async input(offer: WorkOffer, name: string, bounds: Bounds = {}): Promise<Uint8Array> {
    requireObject('offer', offer);
    requireText('name', name);
    return this.bounded('input', bounds, (parts) => inputOf(parts, offer, name));
  }

  /**
   * Delivers an accepted order once. Checks the result against the scope, and seals it if the scope was
   * sealed. Returns the hash of the deliverable.
   * @throws AgentError RESULT_INVALID, RESULT_UNMET, BLOB_NOT_STORED and the errors of `offer`; NetError
   */
  async deliver<Result extends JobResult>(
    orderId: string,
    result: Content<Result>,
    bounds: Bounds = {},
  ): Promise<string> {
    requireText('orderId', orderId);
    return this.bounded('deliver', bounds, (parts) => deliverOnce(parts, orderId, result));
  }

  /**
   * Opens a message that the chain names. Treat its text as untrusted content.
   * @throws AgentError SESSION_READS_NOTHING, BLOB_NOT_FOUND, BLOB_UNAVAILABLE; FormatError
   */
  async openMessage(facts: MessageFacts, bounds: Bounds = {}): Promise<Message> {
    requireFacts(facts);
    return this.bounded('openMessage', bounds, async (parts) => {
      await parts.retryingClient.proveMessage(facts);
      return openMessage(parts, facts);
    });
  }

  /**
   * Confirms on the chain that a message has arrived.
   * @throws NetError
   */
  async acknowledge(facts: MessageFacts, bounds: Bounds = {}): Promise<void> {
    requireFacts(facts);
    await this.bounded('acknowledge', bounds, (parts) => acknowledge(parts, facts, null));
  }

  /**
   * Stores a blob at every known store, and returns its hash. Refuses a work scope that cannot be judged.
   * @throws AgentError BLOB_ORIGIN_UNKNOWN, BLOB_NOT_STORED; FormatError SCOPE_UNJUDGEABLE, DOCUMENT_INVALID
   */
  async store<Stored extends MessageContent>(
    content: Content<Stored>,
    bounds: Bounds = {},
  ): Promise<string> {
    requireSoundScope(content);
    const bytes = contentBytes(content);
    return (await this.bounded('store', bounds, ({ origins }) => origins.put(bytes))).hash;
  }

  /**
   * Returns a blob from the first store that has it.
   * @param origins further stores: public addresses, or origins of `trustedOrigins`
   * @throws AgentError BLOB_NOT_FOUND if all stores say that they lack it, otherwise BLOB_UNAVAILABLE;
   *   ARGUMENT_INVALID
   */
  async fetch(
    hash: string,
    origins: readonly string[] = [],
    bounds: Bounds = {},
  ): Promise<Uint8Array> {
    requireKind('hash', hash, 'hash');
    requireKind('origins', origins, 'texts');
    const found = await this.bounded('fetch', bounds, (parts) => parts.origins.read(hash, origins));
    if (found === null) throw new AgentError('BLOB_NOT_FOUND', hash);
    return found;
  }

  /**
   * Lets another key act for the agent within bounds. Writes the file for `openSession`, and returns its path
   * and content.
   * @throws NetError; AgentError AMOUNT_INVALID, SESSION_CANNOT_GRANT
   */
  async grantSession(options: SessionOptions): Promise<GrantedSession> {
    requireOptions('grantSession', options, SESSION_OPTIONS);
    requireKind('actions', options.actions, 'texts');
    const { key, sessionId } = this.identity;
    const { home, parts } = this;
    const { encryption } = parts;
    if (sessionId !== null || !encryption) throw new AgentError('SESSION_CANNOT_GRANT');
    const { timeout, signal } = options;
    return this.bounded('grantSession', { timeout, signal }, (callParts) =>
      grantSession({ parts: callParts, home, key, encryption }, options),
    );
  }

  /**
   * Publishes a new X25519 key with the beacon, and returns its kid. Older keys still open content sealed to
   * them. Sessions keep their own keys.
   * @throws AgentError SESSION_CANNOT_ROTATE, BEACON_OFF; errors of publishing, which is then retried later
   */
  async rotateEncryptionKey(bounds: Bounds = {}): Promise<string> {
    return this.bounded('rotateEncryptionKey', bounds, () => this.rotated());
  }

  private async bounded<Result>(
    name: string,
    bounds: Bounds,
    call: (parts: AgentParts) => Promise<Result>,
    data: JsonObject = {},
  ): Promise<Result> {
    requireOptions(name, bounds, BOUNDS);
    return boundedCall(this.parts, { name, data }, bounds, call);
  }

  private async rotated(): Promise<string> {
    const { agentId: actorId, chainId, sessionId } = this.identity;
    if (sessionId !== null) throw new AgentError('SESSION_CANNOT_ROTATE');
    if (!this.life.hasBeacon) throw new AgentError('BEACON_OFF');
    const keyring = await addEncryptionKey(this.home, {
      chainId,
      actorId,
      passphrase: this.passphrase,
    });
    this.parts.encryption = keyring;
    this.parts.reach('key.kept');
    await this.life.publishBeacon();
    return keyring[0].kid;
  }

  /**
   * Works until `stop`, the abort signal, SIGINT or SIGTERM. A host's own signal listeners take precedence.
   * @param options.signals false ignores SIGINT and SIGTERM
   * @throws AgentError SESSION_ENDED
   */
  async run(
    options: { signal?: AbortSignal | undefined; signals?: boolean | undefined } = {},
  ): Promise<void> {
    requireOptions('run', options, { signal: true, signals: true });
    const { signal, signals = true } = options;
    await this.life.run(signal, signals);
  }

  /**
   * Does what is to be done now within bounds, and then stops the agent: for an alarm or a request of a runtime
   * without long processes. Leaves no timer and no event stream; the next tick opens the agent again.
   * @param options.timeout milliseconds until handlers are abandoned, default 20,000; a last checkpoint of the
   *   memory may take 5,000 more
   * @param options.jobs the most orders and messages whose handler begins; default 10
   * @throws AgentError AGENT_RUNNING after `run`, AGENT_STOPPED after `stop`, HOME_FENCED, SESSION_ENDED
   */
  async tick(
    options: { timeout?: number | undefined; jobs?: number | undefined } = {},
  ): Promise<Ticked> {
    requireOptions('tick', options, { timeout: 'timeout', jobs: 'count' });
    const { timeout = TICK, jobs = TICK_JOBS } = options;
    return this.parts.poller.live(() => this.life.tick({ timeout, jobs }));
  }

  /**
   * Asks the node once, and reports if the agent is online, hears events, and trusts its clock. Never fails because
   * the node is away.
   * @param bounds.timeout milliseconds until the node counts as away; default 5,000
   * @throws AgentError CALL_ABORTED
   */
  async health(bounds: Bounds = {}): Promise<AgentHealth> {
    requireOptions('health', bounds, BOUNDS);
    const { timeout = HEALTH_TIMEOUT, signal } = bounds;
    const { agentId, poller, retryingClient } = this.parts;
    const { seenHeight, client } = retryingClient;
    const about = { agentId, url: client.url, hasStopped: poller.signal.aborted, seenHeight };
    return bounded({ name: 'health' }, { signal }, (until) =>
      retryingClient.health.check(about, timeout, until),
    );
  }

  /** Stops the agent. The next start resumes pending work. */
  async stop(): Promise<void> {
    await this.life.stop();
  }

  /** Stops the agent at the end of a block: `await using agent = await Agent.open('ada')`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

export const ownIdFor = (agent: Agent, facts: JsonObject): string =>
  ownId(agent['parts'].idSecret, facts);

export const answerIdFor = (agent: Agent, replyTo: string): string =>
  answerIdOf(agent['parts'].idSecret, replyTo);

export async function requireAcceptable(agent: Agent, orderId: string): Promise<void> {
  await requireScope(agent['parts'], orderId);
}
