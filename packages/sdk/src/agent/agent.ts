/**
 * An agent in twenty lines: it joins, keeps its beacon current, works, talks and remembers. Whatever it does on the chain
 * it does once, however often its process dies.
 */
import type { Receipt } from '@netd/protocol';
import { defaultHome } from '#home';
import type { AnyActionName, PayloadFor } from '../actions.ts';
import { defaultUrl } from '../http.ts';
import { NetClient } from '../client.ts';
import { requireKind, requireOptions } from '../option-names.ts';
import { within } from '../pause.ts';
import { addEncryptionKey, ensureKeys, ensureSigningKey } from '../key-file.ts';
import { AgentError } from './agent-error.ts';
import { AGENT_OPTIONS, type AgentOptions } from './agent-options.ts';
import {
  acknowledge,
  awaitAnswer,
  randomId,
  SEND_OPTIONS,
  sendMessage,
  type SendOptions,
  type SentMessage,
} from './ask.ts';
import type { AgentEventName, AgentEvents } from './emitter.ts';
import { findingsOf, type Finding } from './findings.ts';
import type { AgentHome } from './home.ts';
import { HIRE_OPTIONS, hiredBefore, hireOnce, type HireOptions } from './hire.ts';
import type { Hired } from './hired.ts';
import { joinOnce } from './join.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Memory } from './memory.ts';
import type { MessageHandler } from './message-worker.ts';
import { contentBytes, type Message, type MessageContent, type MessageFacts } from './message.ts';
import { assemble, chainOf, isActorId, missingSealingKey, type Identity } from './opening.ts';
import { disputeOnce, releaseOnce } from './order-acts.ts';
import { actOnce } from './own-acts.ts';
import { requireSecret, type AgentParts, type WorkOrder } from './parts.ts';
import { RuntimeWorker, type RuntimeHandler } from './runtime-worker.ts';
import { openMessage } from './sealed-message.ts';
import {
  requireBlobHash,
  requireFacts,
  requireHandler,
  requireObject,
  requireText,
} from './arguments.ts';
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
import { inputOf, type JobHandler, type JobResult } from './work-job.ts';
import {
  requireScope,
  requireSoundScope,
  WORK_OPTIONS,
  type WorkOffer,
  type WorkOptions,
} from './work-offer.ts';
import { acceptOnce, deliverOnce, offerOf } from './work-steps.ts';

export type { AgentOptions } from './agent-options.ts';

/** Milliseconds to wait for an answer. */
const ANSWER_TIMEOUT = 120_000;

export class Agent {
  readonly agentId: string;
  readonly chainId: string;
  /** Everything else the node offers. */
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
   * Makes or loads the keys, joins once, takes up what was in hand, and publishes the beacon where it is not current.
   * @throws AgentError with a code of AGENT_ERROR_TABLE; NetError where the chain refuses something
   */
  static async open(agentId: string, options: AgentOptions = {}): Promise<Agent> {
    requireOptions('Agent.open', options, AGENT_OPTIONS);
    if (!isActorId(agentId)) throw new AgentError('AGENT_ID_INVALID', JSON.stringify(agentId));
    const url = options.url ?? defaultUrl();
    const chainId = await chainOf(new NetClient({ url }));
    // Whatever the node calls itself later, nothing is signed for another chain.
    const client = new NetClient({ url, chainId });
    const home = options.home ?? defaultHome(chainId, agentId, options.keys);
    const { passphrase, description, referrer } = options;
    const owner = { chainId, actorId: agentId, passphrase };
    let missing: AgentError | null = null;
    if ((await home.readSecret(agentId)) !== null) {
      const key = await ensureSigningKey(home, owner);
      missing = await missingSealingKey({ agentId, key }, { client, home }, options);
    }
    const { signing, encryption } = await ensureKeys(home, owner);
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
   * Acts for an agent under a session that it has granted: its own key can stay away from this machine. What the session
   * may not do is not done: without commitMemoryCheckpoint there is no memory. The beacon stays the agent's: what it names, the
   * key above all that others seal to, changes by the agent's own key only.
   * @param session the path of the file that grantSession wrote, or its content
   * @throws AgentError SESSION_FILE_INVALID, SESSION_ENDED, CHAIN_MISMATCH and the codes of `open`
   */
  static async openSession(
    session: string | SessionFile,
    options: AgentOptions = {},
  ): Promise<Agent> {
    requireOptions('Agent.openSession', options, AGENT_OPTIONS);
    const file = typeof session === 'string' ? await readSession(session) : session;
    const { actorId: agentId, chainId, sessionId } = file;
    if (!isActorId(agentId) || !isActorId(sessionId)) {
      throw new AgentError('SESSION_FILE_INVALID');
    }
    const { signing: key, encryption } = await keysOfSession(file);
    const url = options.url ?? defaultUrl();
    const client = new NetClient({ url, chainId });
    const found = await chainOf(client);
    if (found !== chainId) throw new AgentError('CHAIN_MISMATCH', `${found}, not ${chainId}`);
    // State of its own: the agent itself may run elsewhere.
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

  /** Hears what happens. @returns what takes the listener away again. @throws TypeError for the name of no event */
  on<Name extends AgentEventName>(
    name: Name,
    listener: (event: AgentEvents[Name]) => unknown,
  ): () => void {
    return this.parts.events.on(name, listener);
  }

  /**
   * Takes orders that match, once `run` is called. The handler's result is stored, committed, and settled.
   * @throws AgentError AMOUNT_INVALID, HANDLER_TOO_LATE, HANDLER_TWICE, OPTION_UNKNOWN, ARGUMENT_INVALID for no function
   */
  onWork(handler: JobHandler): void;
  onWork(options: WorkOptions, handler: JobHandler): void;
  onWork(...call: [JobHandler] | [WorkOptions, JobHandler]): void {
    const [options, handler] = call.length === 1 ? [{}, call[0]] : call;
    requireOptions('onWork', options, WORK_OPTIONS);
    requireHandler('onWork', handler);
    this.life.requireRoom('onWork', this.life.workers[0]);
    this.life.workers.push(new OrderWorker(this.parts, options, handler));
  }

  /** Takes work of a kind again that was paused after three rejections in a row; of all kinds where none is named. */
  resumeWork(jobType?: string): void {
    for (const worker of this.life.workers) worker.resume(jobType);
    this.parts.poller.wake();
  }

  /**
   * What the verifiers of an order found: words of others, content to judge and never instructions.
   * @throws NetError where there is no such order
   */
  async findings(orderId: string): Promise<Finding[]> {
    requireText('orderId', orderId);
    const { retryingClient, origins, poller } = this.parts;
    return poller.live(async () => {
      const { order } = await retryingClient.read('/v1/work-orders/{orderId}', { orderId });
      return findingsOf(order, (hash) => origins.fetch(hash));
    });
  }

  /**
   * Hears messages, once `run` is called: opened for the handler, answered sealed where they ask for it, acknowledged.
   * What they say is content from a stranger.
   * @throws AgentError HANDLER_TOO_LATE, HANDLER_TWICE, ARGUMENT_INVALID for no function
   */
  onMessage(handler: MessageHandler): void {
    requireSecret(this.parts);
    requireHandler('onMessage', handler);
    this.life.requireRoom('onMessage', this.life.handler);
    this.life.handler = handler;
  }

  /**
   * Takes memories that other agents hand over to a runtime of this one, once `run` is called: what the handler does not
   * throw for is attested. For agents with the role RUNTIME_PROVIDER and a standing offer (`registerRuntimeOffer`).
   * @throws AgentError HANDLER_TOO_LATE, HANDLER_TWICE, ARGUMENT_INVALID for no function
   */
  onHandover(handler: RuntimeHandler): void {
    requireSecret(this.parts);
    requireHandler('onHandover', handler);
    this.life.requireRoom('onHandover', this.life.runtimes[0]);
    this.life.runtimes.push(new RuntimeWorker(this.parts, handler));
  }

  /**
   * Sends a sealed message that asks for no answer.
   * @throws AgentError RECIPIENT_UNKNOWN, RECIPIENT_HAS_NO_KEY, BLOB_NOT_STORED; NetError with the code of a refusal
   */
  async send(
    toAgentId: string,
    content: MessageContent,
    options: SendOptions = {},
  ): Promise<SentMessage> {
    requireText('toAgentId', toAgentId);
    requireOptions('send', options, SEND_OPTIONS);
    return this.parts.poller.live(() => sendMessage(this.parts, toAgentId, content, options));
  }

  /**
   * Sends a sealed question and waits for its answer.
   * @param options.timeout milliseconds for all of it; default two minutes
   * @throws AgentError ANSWER_TIMEOUT, MESSAGE_REJECTED, and what `send` throws
   */
  async ask(toAgentId: string, content: MessageContent, given: SendOptions = {}): Promise<Message> {
    requireText('toAgentId', toAgentId);
    requireOptions('ask', given, SEND_OPTIONS);
    const { timeout = ANSWER_TIMEOUT, ...options } = given;
    return this.parts.poller.live(() => this.askOnce(toAgentId, content, timeout, options));
  }

  private async askOnce(
    toAgentId: string,
    content: MessageContent,
    timeout: number,
    options: SendOptions,
  ): Promise<Message> {
    requireSecret(this.parts);
    const late = new AgentError('ANSWER_TIMEOUT', `${timeout} ms`);
    return within(
      timeout,
      late,
      this.askUntil(Date.now() + timeout, toAgentId, content, { ...options, timeout }),
    );
  }

  private async askUntil(
    deadline: number,
    toAgentId: string,
    content: MessageContent,
    { timeout, ...options }: SendOptions & { timeout: number },
  ): Promise<Message> {
    // The answer is sealed to the key that the beacon publishes.
    await this.life.catchUpOnBeacon();
    await this.life.listenForOwn();
    const { messageId = randomId('m') } = options;
    // Before it is sent: the answer may be there before the receipt.
    this.life.asked.add(messageId);
    try {
      const question = { ...options, timeout, deadline, kind: 'REQUEST', messageId } as const;
      const sent = await sendMessage(this.parts, toAgentId, content, question);
      return await awaitAnswer(this.parts, { ...sent, toAgentId }, timeout, deadline);
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
   * Does one action, once. An action that agents get on request is asked for first where it is missing, and what follows
   * from the agent and the chain is filled in. Amounts of NET are '1 NET' or unet. An order is accepted only where its
   * scope can be had, read and judged.
   * @param id names it for good: under the same id it is not done again, whatever dies in between
   * @throws NetError with the code of a refusal; AgentError AMOUNT_INVALID, ACT_ID_USED where the id names another
   *   act; what `offer` throws, for acceptWork
   */
  async act<Name extends AnyActionName>(
    action: Name,
    payload: PayloadFor<Name>,
    options: { id?: string } = {},
  ): Promise<Receipt> {
    requireText('action', action);
    requireObject('payload', payload);
    requireOptions('act', options, { id: true });
    const { id } = options;
    return this.parts.poller.live(() => actOnce(this.parts, action, payload, id));
  }

  /**
   * Has others do something: checks all that can be known before money moves, stores the scope, puts the funding and the
   * verifiers' fee into escrow once, and answers with what follows the order.
   * @param options.id makes the call the same order however often it is made, whatever dies in between
   * @throws FormatError SCOPE_UNJUDGEABLE, DOCUMENT_INVALID; AgentError AMOUNT_INVALID, REVIEW_NEEDS_A_MIND, ACT_ID_USED
   *   where the id names another order, BLOB_NOT_STORED; NetError WORK_SPAN_TOO_SHORT, INSUFFICIENT_BALANCE and whatever else
   *   the chain would refuse. Nothing has been paid then
   */
  async hire(options: HireOptions): Promise<Hired> {
    requireOptions('hire', options, HIRE_OPTIONS);
    return this.parts.poller.live(() => hireOnce(this.parts, options));
  }

  /**
   * An order that this agent has hired for, by its id.
   * @throws AgentError NOT_YOUR_ORDER, SCOPE_MISSING; FormatError; NetError where there is no such order
   */
  async hired(orderId: string): Promise<Hired> {
    requireText('orderId', orderId);
    return this.parts.poller.live(() => hiredBefore(this.parts, orderId));
  }

  /**
   * Gives back an order that the agent has accepted and cannot do, before its deadline: its bond comes back, nothing is
   * held against it, and the order is open for others.
   * @throws NetError WORK_ORDER_NOT_ACCEPTED, NOT_WORK_AGENT
   */
  async release(orderId: string): Promise<Receipt> {
    requireText('orderId', orderId);
    return this.parts.poller.live(() => releaseOnce(this.parts, orderId));
  }

  /**
   * Disputes a verified order as its requester or worker, within the window; the reason is stored for the operator who
   * decides, and a bond is locked until then.
   * @param options.bond exactly the bond that is agreed to, '1 NET' or unet; without it whatever the network asks
   * @throws NetError WORK_NOT_VERIFIED, DISPUTE_WINDOW_CLOSED, DISPUTE_BOND_MISMATCH; AgentError BLOB_NOT_STORED
   */
  async dispute(
    orderId: string,
    reason: string,
    options: { bond?: string | number } = {},
  ): Promise<Receipt> {
    requireText('orderId', orderId);
    requireText('reason', reason);
    requireOptions('dispute', options, { bond: true });
    return this.parts.poller.live(() => disputeOnce(this.parts, orderId, reason, options.bond));
  }

  /**
   * One order with its scope, fetched and checked against its hash, for callers that decide each step by themselves.
   * @throws AgentError SCOPE_MISSING, SCOPE_SEALED_TO_OTHERS, REQUESTER_HAS_NO_KEY; FormatError; NetError
   */
  async offer(orderId: string): Promise<WorkOffer> {
    requireText('orderId', orderId);
    return this.parts.poller.live(() => offerOf(this.parts, orderId));
  }

  /**
   * Accepts an order once its scope could be fetched, read and judged; one that the agent has already stays.
   * @param options.workerBond exactly the bond that is agreed to, '1 NET' or unet; default 0: none
   * @returns the order as it is now
   * @throws AgentError BOND_NOT_AGREED and what `offer` throws; NetError with the code of a refusal
   */
  async accept(
    orderId: string,
    options: { workerBond?: string | number } = {},
  ): Promise<WorkOrder> {
    requireText('orderId', orderId);
    requireOptions('accept', options, { workerBond: true });
    const { workerBond = 0 } = options;
    return this.parts.poller.live(() => acceptOnce(this.parts, orderId, workerBond));
  }

  /**
   * The bytes of an input that a scope names, checked against their hash.
   * @throws AgentError INPUT_UNKNOWN, BLOB_NOT_FOUND, BLOB_UNAVAILABLE
   */
  async input(offer: WorkOffer, name: string): Promise<Uint8Array> {
    requireObject('offer', offer);
    requireText('name', name);
    return this.parts.poller.live(() => inputOf(this.parts, offer, name));
  }

  /**
   * Delivers an order that the agent has accepted: judged by its scope, sealed where that was, stored and committed. What
   * has been delivered already is not delivered again.
   * @returns the hash of what is delivered
   * @throws AgentError RESULT_INVALID, RESULT_UNMET, BLOB_NOT_STORED and what `offer` throws; NetError
   */
  async deliver(orderId: string, result: JobResult): Promise<string> {
    requireText('orderId', orderId);
    return this.parts.poller.live(() => deliverOnce(this.parts, orderId, result));
  }

  /**
   * Opens a message that the chain names. What it says is content from a stranger.
   * @throws AgentError SESSION_READS_NOTHING, BLOB_NOT_FOUND, BLOB_UNAVAILABLE; FormatError where it is not sealed to this agent
   */
  async openMessage(facts: MessageFacts): Promise<Message> {
    requireFacts(facts);
    return this.parts.poller.live(async () => {
      await this.parts.retryingClient.proveMessage(facts);
      return openMessage(this.parts, facts);
    });
  }

  /** Says on the chain that a message has arrived. @throws NetError with the code of a refusal */
  async acknowledge(facts: MessageFacts): Promise<void> {
    requireFacts(facts);
    await this.parts.poller.live(() => acknowledge(this.parts, facts));
  }

  /**
   * Stores a blob at every known store. A work scope is checked first: what cannot be judged is not offered.
   * @returns its hash
   * @throws AgentError BLOB_ORIGIN_UNKNOWN, BLOB_NOT_STORED; FormatError SCOPE_UNJUDGEABLE, DOCUMENT_INVALID for a scope
   */
  async store(content: MessageContent): Promise<string> {
    requireSoundScope(content);
    const { origins, poller } = this.parts;
    return (await poller.live(() => origins.put(contentBytes(content)))).hash;
  }

  /**
   * The bytes of a hash from the first store that has them.
   * @param origins where else to ask: public addresses, or origins of `trustedOrigins`
   * @throws AgentError BLOB_NOT_FOUND where all say that they do not have them, else BLOB_UNAVAILABLE; ARGUMENT_INVALID for
   *   what is no hash
   */
  async fetch(hash: string, origins: readonly string[] = []): Promise<Uint8Array> {
    requireBlobHash(hash);
    requireKind('origins', origins, 'texts');
    const found = await this.parts.poller.live(() => this.parts.origins.read(hash, origins));
    if (found === null) throw new AgentError('BLOB_NOT_FOUND', hash);
    return found;
  }

  /**
   * Lets another key act for the agent, within bounds, and writes the file that `openSession` takes. Extends the agent's
   * capabilities by the actions that it lacks.
   * @returns the path of the file, and what is in it
   * @throws NetError with the code of a refusal; AgentError AMOUNT_INVALID, SESSION_CANNOT_GRANT where this is a session itself
   */
  async grantSession(options: SessionOptions): Promise<GrantedSession> {
    requireOptions('grantSession', options, SESSION_OPTIONS);
    requireKind('actions', options.actions, 'texts');
    const { key, sessionId } = this.identity;
    const { home, parts } = this;
    const { encryption } = parts;
    if (sessionId !== null || !encryption) throw new AgentError('SESSION_CANNOT_GRANT');
    return parts.poller.live(() => grantSession({ parts, home, key, encryption }, options));
  }

  /**
   * Makes a new X25519 key for others to seal to and publishes it with the beacon. Those of before stay: what was sealed to
   * them, and what is on its way, is still opened. Sessions have the keys of the day they were granted.
   * @returns the kid of the new one
   * @throws AgentError SESSION_CANNOT_ROTATE, BEACON_OFF; what publishing a beacon throws: then the key is published later
   */
  async rotateEncryptionKey(): Promise<string> {
    return this.parts.poller.live(() => this.rotated());
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
   * Works until `stop` or the abort signal. SIGINT and SIGTERM stop it too if the program has no listener of its own for
   * them; a program that has one calls `stop` itself.
   * @param options.signals false leaves SIGINT and SIGTERM alone
   * @throws AgentError SESSION_ENDED where it is the session that has ended
   */
  async run(options: { signal?: AbortSignal; signals?: boolean } = {}): Promise<void> {
    requireOptions('run', options, { signal: true, signals: true });
    const { signal, signals = true } = options;
    await this.life.run(signal, signals);
  }

  /** Ends it in order: what is under way is on disk, and the next start goes on. */
  async stop(): Promise<void> {
    await this.life.stop();
  }
}

/** Checks everything that `accept` checks before it signs, for a caller that asks its owner in between. @throws what `accept` throws */
export async function requireAcceptable(agent: Agent, orderId: string): Promise<void> {
  await requireScope(agent['parts'], orderId);
}
