/**
 * An agent in twenty lines: it joins, keeps its beacon current, works, talks and remembers. Whatever it does on the chain
 * it does once, however often its process dies.
 */
import {
  ACTOR_ID_PATTERN,
  bytesToHex,
  utf8Bytes,
  canonicalize,
  type JsonObject,
  type Receipt,
} from '@netd/protocol';
import type { AgentMetadata, Keyring } from '@netd/formats';
import { defaultHome, defaultUrl, onInterrupt } from '#home';
import type { AgentKey } from '../agent-key.ts';
import { NetClient } from '../client.ts';
import { NetError } from '../http.ts';
import { addEncryptionKey, ensureKeys } from '../key-file.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { VerifiedReader } from '../verified-reader.ts';
import { keepBeacon, LONGEST_LOOK, type BeaconOptions } from './beacon.ts';
import { Emitter, type AgentEventName, type AgentEvents } from './emitter.ts';
import type { ReachFailpoint } from './failpoints.ts';
import type { AgentHome } from './home.ts';
import { joinOnce } from './join.ts';
import { Line } from './line.ts';
import { Origins } from './origins.ts';
import { Outbox } from './outbox.ts';
import {
  acknowledge,
  awaitAnswer,
  randomId,
  sendMessage,
  type SendOptions,
  type SentMessage,
} from './ask.ts';
import { Memory } from './memory.ts';
import { MessageDesk, type MessageHandler } from './message-desk.ts';
import type { Message, MessageContent, MessageFacts } from './message.ts';
import { openMessage } from './sealed-message.ts';
import { requireSecret, SLOW_POLL, type AgentParts } from './parts.ts';
import { Peers } from './peers.ts';
import { Pulse } from './pulse.ts';
import { RuntimeDesk, type RuntimeHandler } from './runtime-desk.ts';
import {
  grantSession,
  keysOfSession,
  readSession,
  requireLive,
  type SessionFile,
  type SessionOptions,
} from './session.ts';
import { WorkDesk } from './work-desk.ts';
import { inputOf, type JobHandler, type JobResult } from './work-job.ts';
import type { WorkOffer, WorkOptions } from './work-offer.ts';
import { deliverOnce, offerOf } from './work-steps.ts';

export interface AgentOptions {
  /** Base address of the node; default $NET_URL in Node, else http://127.0.0.1:8420. */
  url?: string;
  /** What it offers to do; default ['general']. Orders are matched by it. */
  capabilities?: readonly string[];
  /** Public: stands in its registration and its metadata. */
  description?: string;
  /** The agent that recruited it. */
  referrer?: string;
  /**
   * What the chain begins with, known from somewhere other than the node. With it the agent believes nothing that
   * decides without a proof: orders, senders, others' keys, its memory, receipts, heights.
   */
  genesisHash?: string;
  /** Origins of netd blobs; without it those that the network announces. */
  blobs?: readonly string[];
  /** https, for the beacon; default where its metadata can be fetched. */
  endpoint?: string;
  /** How it can be spoken to; default messages alone. */
  protocols?: readonly string[];
  /** false leaves the beacon as it is: for a program that only does one thing. */
  beacon?: boolean;
  /** false leaves the memory alone: neither taken up nor checked. */
  memory?: boolean;
  /** The runtime that this is, where the memory was handed over to one: it is taken up there alone. */
  runtime?: string;
  prices?: AgentMetadata['prices'];
  links?: AgentMetadata['links'];
  /** Seals the key files that are made, and opens sealed ones. */
  passphrase?: string;
  /** The directory of key files, in Node; default $NET_HOME, else ~/.netd/keys. */
  keys?: string;
  /** Where keys and state are kept, outside of Node. */
  home?: AgentHome;
  /** One line for whatever nobody listens to; default console.log, false for silence. */
  log?: ((line: string) => void) | false;
  /** Gives the opening up, which else waits for a node that went away; later it does nothing. */
  opening?: AbortSignal;
  /** For tests: called at the moments that failpoints.ts names. */
  reach?: ReachFailpoint;
}

/** Who acts, with which keys. */
interface Identity {
  agentId: string;
  chainId: string;
  key: AgentKey;
  /** Null for a session that reads nothing sealed. */
  encryption: Keyring | null;
  sessionId: string | null;
}

const DEFAULT_URL = 'http://127.0.0.1:8420';
/** The highest index that an event of a block can have. */
const LAST_INDEX = 65_535;
const ANSWER_TIMEOUT = 120_000;
const LAST_CHECKPOINT = 15_000;
/** It comes from the node and names a directory. */
const CHAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{1,63}$/;
const isActorId = (text: string): boolean => new RegExp(ACTOR_ID_PATTERN).test(text);

export class Agent {
  readonly agentId: string;
  readonly chainId: string;
  /** Everything else the node offers. */
  readonly client: NetClient;
  private readonly parts: AgentParts;
  private readonly identity: Identity;
  private readonly home: AgentHome;
  private readonly passphrase: string | undefined;
  private readonly beacon: BeaconOptions | null;
  private readonly controller: AbortController;
  private readonly desks: (() => Promise<void>)[] = [];
  private readonly feeds: { type: string }[] = [];
  /** Questions whose answers somebody here waits for. */
  private readonly asked = new Set<string>();
  /** There was neither an endpoint nor a place for its metadata yet. */
  private beaconIsDue = false;
  /** Milliseconds until the beacon is looked at again. */
  private beaconPause = LONGEST_LOOK;
  private toldOfBeacon = false;
  private publishing: Promise<unknown> = Promise.resolve();
  private handler: MessageHandler | null = null;
  private remembered: Memory | null = null;
  private listening: Promise<void> | null = null;
  private running: Promise<void> | null = null;
  private stopping: Promise<void> | null = null;

  private constructor(
    parts: AgentParts,
    identity: Identity,
    home: AgentHome,
    passphrase: string | undefined,
    beacon: BeaconOptions | null,
    controller: AbortController,
  ) {
    this.agentId = parts.agentId;
    this.chainId = parts.chainId;
    this.client = parts.line.client;
    this.parts = parts;
    this.identity = identity;
    this.home = home;
    this.passphrase = passphrase;
    this.beacon = beacon;
    this.controller = controller;
  }

  /**
   * Makes or loads the keys, joins once, takes up what was in hand, and publishes the beacon where it is not current.
   * @throws AgentError with a code of AGENT_ERROR_TABLE; NetError where the chain refuses something
   */
  static async open(agentId: string, options: AgentOptions = {}): Promise<Agent> {
    if (!isActorId(agentId)) throw new AgentError('AGENT_ID_INVALID', JSON.stringify(agentId));
    const url = options.url ?? defaultUrl() ?? DEFAULT_URL;
    const chainId = await chainOf(new NetClient({ url }));
    // Whatever the node calls itself later, nothing is signed for another chain.
    const client = new NetClient({ url, chainId });
    const home = options.home ?? defaultHome(chainId, agentId, options.keys);
    const { passphrase, description, referrer } = options;
    const owner = { chainId, actorId: agentId, passphrase };
    const { signing, encryption } = await ensureKeys(home, owner);
    const identity = { agentId, chainId, key: signing, encryption, sessionId: null };
    return Agent.assemble(identity, { client, home, options }, (line) =>
      joinOnce(line, { agentId, key: signing, description, referrer }),
    );
  }

  /**
   * Acts for an agent under a session that it has granted: its own key can stay away from this machine. What the session
   * may not do is not done: without publishBeacon there is none, without commitMemoryCheckpoint no memory.
   * @param session the path of the file that grantSession wrote, or its content
   * @throws AgentError SESSION_FILE_INVALID, SESSION_ENDED, CHAIN_MISMATCH and the codes of `open`
   */
  static async openSession(
    session: string | SessionFile,
    options: AgentOptions = {},
  ): Promise<Agent> {
    const file = typeof session === 'string' ? await readSession(session) : session;
    const { actorId: agentId, chainId, sessionId } = file;
    if (!isActorId(agentId) || !isActorId(sessionId)) {
      throw new AgentError('SESSION_FILE_INVALID');
    }
    const { signing: key, encryption } = await keysOfSession(file);
    const url = options.url ?? defaultUrl() ?? DEFAULT_URL;
    const client = new NetClient({ url, chainId });
    const found = await chainOf(client);
    if (found !== chainId) throw new AgentError('CHAIN_MISMATCH', `${found}, not ${chainId}`);
    // State of its own: the agent itself may run elsewhere.
    const home = options.home ?? defaultHome(chainId, `${agentId}.${sessionId}`, options.keys);
    const identity = { agentId, chainId, key, encryption, sessionId };
    return Agent.assemble(identity, { client, home, options }, async (line) => {
      const actions = await requireLive(line, file);
      return {
        beacon: actions.has('publishBeacon'),
        memory: actions.has('commitMemoryCheckpoint'),
      };
    });
  }

  private static async assemble(
    identity: Identity,
    { client, home, options }: { client: NetClient; home: AgentHome; options: AgentOptions },
    enter: (line: Line) => Promise<boolean | { beacon: boolean; memory: boolean }>,
  ): Promise<Agent> {
    const { agentId, chainId, key, encryption, sessionId } = identity;
    const state = await home.openState();
    const controller = new AbortController();
    const { opening } = options;
    const giveUp = (): void => controller.abort(opening?.reason);
    opening?.addEventListener('abort', giveUp);
    try {
      opening?.throwIfAborted();
      const pulse = new Pulse(controller.signal);
      const events = new Emitter(loggerOf(options));
      const { genesisHash } = options;
      const reader = genesisHash === undefined ? null : new VerifiedReader(client, { genesisHash });
      const line = new Line(client, pulse, events, reader);
      if (line.proves) await requireChain(line, chainId);
      const entered = await enter(line);
      const may = typeof entered === 'object' ? entered : { beacon: true, memory: true };
      const origins = new Origins(
        line,
        {
          keyId: sessionId === null ? agentId : `${agentId}/${sessionId}`,
          sign: (bytes: Uint8Array) => key.signBytes(bytes),
        },
        options.blobs ?? [],
        () => events.emit('waiting', { for: 'places for blobs' }),
      );
      const { description = '', capabilities = ['general'], reach = () => {} } = options;
      const signer = { actorId: agentId, chainId, key, sessionId };
      const parts: AgentParts = {
        agentId,
        chainId,
        encryption,
        capabilities,
        runtime: options.runtime ?? null,
        line,
        outbox: new Outbox(line, signer, state, {
          reach,
          ended: (error) => controller.abort(error),
        }),
        origins,
        peers: new Peers(line, origins),
        pulse,
        state,
        events,
        reach,
        watch: async () => {},
      };
      const { endpoint = null, protocols = ['NET-AGENT-MESSAGE/1'], prices, links } = options;
      const about = { agentId, description, capabilities, protocols, endpoint, prices, links };
      const beacon = may.beacon && options.beacon !== false && encryption ? about : null;
      const agent = new Agent(parts, identity, home, options.passphrase, beacon, controller);
      parts.watch = () => agent.listenForOwn();
      await origins.refresh();
      await agent.keepBeacon();
      if (may.memory && encryption && options.memory !== false) {
        agent.remembered = await Memory.load(parts);
      }
      return agent;
    } catch (error) {
      controller.abort();
      await state.close();
      throw error;
    } finally {
      opening?.removeEventListener('abort', giveUp);
    }
  }

  /** Hears what happens. @returns what takes the listener away again */
  on<Name extends AgentEventName>(
    name: Name,
    listener: (event: AgentEvents[Name]) => unknown,
  ): () => void {
    return this.parts.events.on(name, listener);
  }

  /**
   * Takes orders that match, once `run` is called. The handler's result is stored, committed, and settled.
   * @throws AgentError AMOUNT_INVALID
   */
  onWork(handler: JobHandler): void;
  onWork(options: WorkOptions, handler: JobHandler): void;
  onWork(...call: [JobHandler] | [WorkOptions, JobHandler]): void {
    const [options, handler] = call.length === 1 ? [{}, call[0]] : call;
    const desk = new WorkDesk(this.parts, options, handler);
    this.desks.push(() => desk.run());
    this.feeds.push({ type: 'WorkOrderCreated' });
  }

  /**
   * Hears messages, once `run` is called: opened for the handler, answered sealed where they ask for it, acknowledged.
   * What they say is content from a stranger.
   */
  onMessage(handler: MessageHandler): void {
    requireSecret(this.parts);
    if (!this.handler) {
      const desk = new MessageDesk(this.parts, (message) => this.hear(message), this.asked);
      this.desks.push(() => desk.run());
    }
    this.handler = handler;
  }

  /**
   * Takes memories that other agents hand over to a runtime of this one, once `run` is called: what the handler does not
   * throw for is attested. For agents with the role RUNTIME_PROVIDER and a standing offer (`registerRuntimeOffer`).
   */
  onHandover(handler: RuntimeHandler): void {
    requireSecret(this.parts);
    const desk = new RuntimeDesk(this.parts, handler);
    this.desks.push(() => desk.run());
  }

  /**
   * Sends a sealed message that asks for no answer.
   * @throws AgentError RECIPIENT_HAS_NO_KEY, BLOB_NOT_STORED; NetError with the code of a refusal
   */
  async send(
    toAgentId: string,
    content: MessageContent,
    options: SendOptions = {},
  ): Promise<SentMessage> {
    return sendMessage(this.parts, toAgentId, content, options);
  }

  /**
   * Sends a sealed question and waits for its answer.
   * @param options.timeout milliseconds for all of it; default two minutes
   * @throws AgentError ANSWER_TIMEOUT, MESSAGE_REJECTED, and what `send` throws
   */
  async ask(
    toAgentId: string,
    content: MessageContent,
    { timeout = ANSWER_TIMEOUT, ...options }: SendOptions & { timeout?: number } = {},
  ): Promise<Message> {
    requireSecret(this.parts);
    const deadline = Date.now() + timeout;
    // The answer is sealed to the key that the beacon publishes.
    if (this.beaconIsDue) await this.catchUpOnBeacon();
    await this.listenForOwn();
    const { messageId = randomId('m') } = options;
    // Before it is sent: the answer may be there before the receipt.
    this.asked.add(messageId);
    try {
      const question = { ...options, timeout, kind: 'REQUEST', messageId } as const;
      const sent = await sendMessage(this.parts, toAgentId, content, question);
      return await awaitAnswer(this.parts, { ...sent, toAgentId }, timeout, deadline);
    } finally {
      this.asked.delete(messageId);
    }
  }

  /** @throws AgentError MEMORY_OFF */
  get memory(): Memory {
    if (!this.remembered) throw new AgentError('MEMORY_OFF');
    return this.remembered;
  }

  /**
   * Does one action, once. An action that agents get on request is asked for first where it is missing.
   * @param id names it for good: under the same id it is not done again, whatever dies in between
   * @throws NetError with the code of a refusal; AgentError ACT_ID_USED where the id names another act
   */
  async act(action: string, payload: JsonObject, { id }: { id?: string } = {}): Promise<Receipt> {
    const { outbox } = this.parts;
    const name = `own/${id ?? bytesToHex(crypto.getRandomValues(new Uint8Array(16)))}`;
    if (id !== undefined && !(await outbox.isFree(name, action, payload))) {
      throw new AgentError('ACT_ID_USED', id);
    }
    let receipt: Receipt;
    try {
      receipt = await outbox.act(name, action, payload);
    } catch (error) {
      if (!(error instanceof NetError) || error.code !== 'CAPABILITY_MISSING') throw error;
      if (!(await this.extend(action))) throw error;
      receipt = await outbox.act(name, action, payload);
    }
    if (id === undefined) await outbox.forget(name);
    return receipt;
  }

  /**
   * One order with its scope, fetched and checked against its hash, for whoever decides each step by itself.
   * @throws AgentError SCOPE_MISSING, SCOPE_SEALED_TO_OTHERS, REQUESTER_HAS_NO_KEY; FormatError; NetError
   */
  async offer(orderId: string): Promise<WorkOffer> {
    return offerOf(this.parts, orderId);
  }

  /**
   * The bytes of an input that a scope names, checked against their hash.
   * @throws AgentError INPUT_UNKNOWN, BLOB_NOT_FOUND
   */
  async input(offer: WorkOffer, name: string): Promise<Uint8Array> {
    return inputOf(this.parts, offer, name);
  }

  /**
   * Delivers an order that the agent has accepted: judged by its scope, sealed where that was, stored and committed. What
   * has been delivered already is not delivered again.
   * @returns the hash of what is delivered
   * @throws AgentError RESULT_INVALID, RESULT_UNMET, BLOB_NOT_STORED and what `offer` throws; NetError
   */
  async deliver(orderId: string, result: JobResult): Promise<string> {
    return deliverOnce(this.parts, orderId, result);
  }

  /**
   * Opens a message that the chain names. What it says is content from a stranger.
   * @throws AgentError SESSION_READS_NOTHING, BLOB_NOT_FOUND; FormatError where it is not sealed to this agent
   */
  async openMessage(facts: MessageFacts): Promise<Message> {
    await this.parts.line.proveMessage(facts);
    return openMessage(this.parts, facts);
  }

  /** Says on the chain that a message has arrived. @throws NetError with the code of a refusal */
  async acknowledge(facts: MessageFacts): Promise<void> {
    await acknowledge(this.parts, facts);
  }

  /**
   * Stores a blob at every known place.
   * @returns its hash
   * @throws AgentError BLOB_ORIGIN_UNKNOWN, BLOB_NOT_STORED
   */
  async store(content: string | Uint8Array | object): Promise<string> {
    const bytes =
      content instanceof Uint8Array
        ? content
        : utf8Bytes(typeof content === 'string' ? content : canonicalize(content));
    return (await this.parts.origins.put(bytes)).hash;
  }

  /**
   * The bytes of a hash from whoever has them.
   * @param origins where else to ask
   * @throws AgentError BLOB_NOT_FOUND
   */
  async fetch(hash: string, origins: readonly string[] = []): Promise<Uint8Array> {
    const bytes = await this.parts.origins.fetch(hash, origins);
    if (bytes === null) throw new AgentError('BLOB_NOT_FOUND', hash);
    return bytes;
  }

  /**
   * Lets another key act for the agent, within bounds, and writes the file that `openSession` takes.
   * @returns the name of the file among the keys, and what is in it
   * @throws NetError with the code of a refusal; AgentError AMOUNT_INVALID, SESSION_CANNOT_GRANT where this is a session itself
   */
  async grantSession(options: SessionOptions): Promise<{ name: string; session: SessionFile }> {
    const { agentId: actorId, chainId, key, sessionId } = this.identity;
    const { encryption } = this.parts;
    if (sessionId !== null || !encryption) throw new AgentError('SESSION_CANNOT_GRANT');
    const { home, client } = this;
    return grantSession({ home, client, chainId, actorId, key, encryption }, options);
  }

  /**
   * Makes a new X25519 key for others to seal to and publishes it with the beacon. Those of before stay: what was sealed to
   * them, and what is on its way, is still opened. Sessions have the keys of the day they were granted.
   * @returns the kid of the new one
   * @throws AgentError SESSION_CANNOT_ROTATE, BEACON_OFF; what publishing a beacon throws: then the key is published later
   */
  async rotateEncryptionKey(): Promise<string> {
    const { agentId: actorId, chainId, sessionId } = this.identity;
    if (sessionId !== null) throw new AgentError('SESSION_CANNOT_ROTATE');
    if (this.beacon === null) throw new AgentError('BEACON_OFF');
    const keyring = await addEncryptionKey(this.home, {
      chainId,
      actorId,
      passphrase: this.passphrase,
    });
    this.parts.encryption = keyring;
    this.parts.reach('key.kept');
    this.beaconIsDue = true;
    await this.catchUpOnBeacon();
    return keyring[0].kid;
  }

  /**
   * Works until `stop`, the signal, or Ctrl-C.
   * @throws AgentError SESSION_ENDED where it is the session that has ended
   */
  async run({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    const stop = (): void => void this.stop();
    const release = onInterrupt(stop);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    try {
      this.running ??= this.work();
      await this.running;
      // Aborted with an error of ours: it cannot go on.
      const reason: unknown = this.controller.signal.reason;
      if (reason instanceof AgentError) await this.stop();
      await this.stopping;
      if (reason instanceof AgentError) throw reason;
    } finally {
      release();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends it in order: what is under way is on disk, and the next start goes on. */
  async stop(): Promise<void> {
    this.stopping ??= (async () => {
      this.parts.origins.hurry();
      await this.lastCheckpoint();
      this.controller.abort(new DOMException('the agent stops', 'AbortError'));
      await this.running;
      await this.listening;
      await this.remembered?.flush();
      await this.parts.state.close();
    })();
    await this.stopping;
  }

  /** What has changed since the last checkpoint is on disk in any case: a network that is away must not hold the end up. */
  private async lastCheckpoint(): Promise<void> {
    const commit = this.remembered?.commit().catch((error: unknown) => {
      const code = codeOf(error) ?? 'UNEXPECTED';
      this.parts.events.emit('warning', { code, message: (error as Error).message });
    });
    if (!commit) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, LAST_CHECKPOINT)));
    await Promise.race([commit, late]);
    clearTimeout(timer);
  }

  private async hear(message: Message): Promise<ReturnType<MessageHandler>> {
    if (message.kind === 'RESPONSE') {
      this.parts.events.emit('answer', { messageId: message.messageId, message });
      return null;
    }
    return this.handler?.(message);
  }

  private async listenForOwn(): Promise<void> {
    if (this.listening) return;
    const after = await this.now();
    this.listening ??= this.listen({ agent: this.agentId, after });
  }

  /** The event id behind everything so far: taken before the first look, so that nothing falls in between. */
  private async now(): Promise<string> {
    const height = await this.parts.line.height();
    return `${height}.${LAST_INDEX}`;
  }

  private async work(): Promise<void> {
    let after: string;
    try {
      after = await this.now();
      await this.listenForOwn();
    } catch (error) {
      if (this.controller.signal.aborted) return;
      throw error;
    }
    const desks = [
      ...this.feeds.map((feed) => () => this.listen({ ...feed, after })),
      ...this.desks,
      () => this.keepBeaconCurrent(),
    ];
    const ends = await Promise.allSettled(desks.map((desk) => desk()));
    if (this.controller.signal.aborted) return;
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  /** Wakes everybody who waits when something happens that may concern them. */
  private async listen(filter: { agent?: string; type?: string; after: string }): Promise<void> {
    const { pulse, events } = this.parts;
    try {
      for await (const event of this.client.events({ ...filter, signal: pulse.signal })) {
        const { sessionId } = this.identity;
        const isOver = event.type === 'SessionEnded' && event.data['sessionId'] === sessionId;
        if (isOver) {
          this.controller.abort(new AgentError('SESSION_ENDED', String(event.data['reason'])));
        }
        pulse.wake();
      }
    } catch (error) {
      if (pulse.signal.aborted) return;
      // The slow look goes on without it.
      const code = codeOf(error) ?? 'UNEXPECTED';
      events.emit('warning', { code, message: `the event feed: ${(error as Error).message}` });
    }
  }

  private async keepBeaconCurrent(): Promise<void> {
    const { pulse, origins } = this.parts;
    for (;;) {
      try {
        if (this.beaconIsDue) await this.catchUpOnBeacon();
        await pulse.pause(this.beaconPause);
        await origins.refresh();
        await this.keepBeacon();
      } catch (error) {
        if (pulse.signal.aborted) return;
        this.beaconPause = Math.min(this.beaconPause, SLOW_POLL);
        const code = codeOf(error) ?? 'UNEXPECTED';
        this.parts.events.emit('warning', { code, message: (error as Error).message });
      }
    }
  }

  private async keepBeacon(): Promise<void> {
    const { beacon } = this;
    if (beacon === null) return;
    // One after the other: each has the next sequence.
    const turn = this.publishing.catch(() => {}).then(() => keepBeacon(this.parts, beacon));
    this.publishing = turn;
    const next = await turn;
    this.beaconIsDue = next === null;
    this.beaconPause = next ?? SLOW_POLL;
  }

  /** Publishes it once there is a place for its metadata; says so where none comes, once. */
  private async catchUpOnBeacon(): Promise<void> {
    await this.parts.origins.known(1);
    await this.keepBeacon();
    if (!this.beaconIsDue || this.toldOfBeacon) return;
    this.toldOfBeacon = true;
    const { code, message } = new AgentError('BLOB_ORIGIN_UNKNOWN');
    this.parts.events.emit('warning', { code, message });
  }

  /** Adds an action of the policy set to what the agent may do. @returns false where it is none of those */
  private async extend(action: string): Promise<boolean> {
    const { outbox, agentId } = this.parts;
    const id = `extend/${action}`;
    try {
      await outbox.act(id, 'extendAgentCapabilities', { agentId, actions: [action] });
      await outbox.forget(id);
      return true;
    } catch (error) {
      if (error instanceof NetError) return false;
      throw error;
    }
  }
}

/** @throws AgentError NODE_UNREACHABLE */
async function chainOf(client: NetClient): Promise<string> {
  let chainId: string;
  try {
    ({ chainId } = await client.network());
  } catch (error) {
    if (error instanceof NetError) throw error;
    throw new AgentError('NODE_UNREACHABLE', client.url, { cause: error });
  }
  if (!CHAIN_ID.test(chainId)) throw new AgentError('CHAIN_ID_INVALID');
  return chainId;
}

/** @throws AgentError CHAIN_MISMATCH, ANSWER_NOT_PROVEN */
async function requireChain(line: Line, chainId: string): Promise<void> {
  const identity = (await line.state('chain/identity')) as { chainId: string } | null;
  if (identity?.chainId !== chainId) throw new AgentError('CHAIN_MISMATCH', chainId);
}

function loggerOf({ log }: AgentOptions): (line: string) => void {
  if (log === false) return () => {};
  return log ?? ((line) => console.log(line));
}
