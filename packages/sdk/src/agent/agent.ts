/**
 * An agent in twenty lines: it joins, keeps its beacon current, works, talks and remembers. Whatever it does on the chain
 * it does once, however often its process dies.
 */
import {
  ActorId,
  bytesToHex,
  compileSchema,
  utf8Bytes,
  canonicalize,
  type JsonObject,
  type Receipt,
} from '@netd/protocol';
import type { AgentMetadata } from '@netd/formats';
import { defaultHome, onInterrupt } from '#home';
import { NetClient } from '../client.ts';
import { NetError } from '../http.ts';
import { ensureKeys } from '../key-file.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { keepBeacon, type BeaconOptions } from './beacon.ts';
import { Emitter, type AgentEventName, type AgentEvents } from './emitter.ts';
import type { ReachFailpoint } from './failpoints.ts';
import type { AgentHome } from './home.ts';
import { joinOnce } from './join.ts';
import { Line } from './line.ts';
import { Origins } from './origins.ts';
import { Outbox } from './outbox.ts';
import { awaitAnswer, randomId, sendMessage, type SendOptions, type SentMessage } from './ask.ts';
import { Memory } from './memory.ts';
import { MessageDesk, type MessageHandler } from './message-desk.ts';
import type { Message, MessageContent } from './message.ts';
import type { AgentParts } from './parts.ts';
import { Peers } from './peers.ts';
import { Pulse } from './pulse.ts';
import { WorkDesk } from './work-desk.ts';
import type { JobHandler } from './work-job.ts';
import type { WorkOptions } from './work-offer.ts';

export interface AgentOptions {
  /** Base address of the node; default http://127.0.0.1:8420. */
  url?: string;
  /** What it offers to do; default ['general']. Orders are matched by it. */
  capabilities?: readonly string[];
  /** Public: stands in its registration and its metadata. */
  description?: string;
  /** The agent that recruited it. */
  referrer?: string;
  /** Origins of netd blobs; without it those that the network announces. */
  blobs?: readonly string[];
  /** https, for the beacon; default where its metadata can be fetched. */
  endpoint?: string;
  /** How it can be spoken to; default messages alone. */
  protocols?: readonly string[];
  /** false leaves the memory alone: neither taken up nor checked. */
  memory?: boolean;
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
  /** For tests: called at the moments that failpoints.ts names. */
  reach?: ReachFailpoint;
}

const DEFAULT_URL = 'http://127.0.0.1:8420';
/** The highest index that an event of a block can have. */
const LAST_INDEX = 65_535;
const BEACON_MILLISECONDS = 600_000;
const ANSWER_TIMEOUT = 120_000;
const LAST_CHECKPOINT = 15_000;
/** It comes from the node and names a directory. */
const CHAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{1,63}$/;
const isNoActorId = compileSchema(ActorId);

export class Agent {
  readonly agentId: string;
  readonly chainId: string;
  /** Everything else the node offers. */
  readonly client: NetClient;
  private readonly parts: AgentParts;
  private readonly beacon: BeaconOptions | null;
  private readonly controller: AbortController;
  private readonly desks: (() => Promise<void>)[] = [];
  private readonly feeds: { type: string }[] = [];
  /** Questions whose answers somebody here waits for. */
  private readonly asked = new Set<string>();
  private handler: MessageHandler | null = null;
  private remembered: Memory | null = null;
  private listening: Promise<void> | null = null;
  private running: Promise<void> | null = null;
  private stopping: Promise<void> | null = null;

  private constructor(
    parts: AgentParts,
    beacon: BeaconOptions | null,
    controller: AbortController,
  ) {
    this.agentId = parts.agentId;
    this.chainId = parts.chainId;
    this.client = parts.line.client;
    this.parts = parts;
    this.beacon = beacon;
    this.controller = controller;
  }

  /**
   * Makes or loads the keys, joins once, takes up what was in hand, and publishes the beacon where it is not current.
   * @throws AgentError with a code of AGENT_ERROR_TABLE; NetError where the chain refuses something
   */
  static async open(agentId: string, options: AgentOptions = {}): Promise<Agent> {
    if (isNoActorId(agentId)) throw new AgentError('AGENT_ID_INVALID', JSON.stringify(agentId));
    const client = new NetClient({ url: options.url ?? DEFAULT_URL });
    const chainId = await chainOf(client);
    const home = options.home ?? defaultHome(chainId, agentId, options.keys);
    const { passphrase } = options;
    const { signing, encryption } = await ensureKeys(home, {
      chainId,
      actorId: agentId,
      passphrase,
    });
    const state = await home.openState();
    try {
      const controller = new AbortController();
      const pulse = new Pulse(controller.signal);
      const line = new Line(client, pulse);
      const { description, referrer, reach = () => {} } = options;
      await joinOnce(line, { agentId, key: signing, description, referrer });
      const blobSigner = {
        keyId: agentId,
        sign: (bytes: Uint8Array) => signing.signBytes(bytes),
      };
      const origins = new Origins(line, blobSigner, options.blobs ?? []);
      const signer = { actorId: agentId, chainId, key: signing, sessionId: null };
      const capabilities = options.capabilities ?? ['general'];
      const parts: AgentParts = {
        agentId,
        chainId,
        encryption,
        capabilities,
        line,
        outbox: new Outbox(line, signer, state, reach),
        origins,
        peers: new Peers(line, origins),
        pulse,
        state,
        events: new Emitter(loggerOf(options)),
        reach,
      };
      const agent = new Agent(
        parts,
        {
          agentId,
          description: description ?? '',
          capabilities,
          protocols: options.protocols ?? ['net-messages/1'],
          endpoint: options.endpoint ?? null,
          prices: options.prices,
          links: options.links,
          encryption,
        },
        controller,
      );
      await origins.refresh();
      await agent.keepBeacon();
      if (options.memory !== false) agent.remembered = await Memory.load(parts);
      return agent;
    } catch (error) {
      await state.close();
      throw error;
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
    if (!this.handler) {
      const desk = new MessageDesk(this.parts, (message) => this.hear(message), this.asked);
      this.desks.push(() => desk.run());
    }
    this.handler = handler;
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
   * @param options.timeout milliseconds; default two minutes
   * @throws AgentError ANSWER_TIMEOUT, MESSAGE_REJECTED, and what `send` throws
   */
  async ask(
    toAgentId: string,
    content: MessageContent,
    { timeout = ANSWER_TIMEOUT, ...options }: SendOptions & { timeout?: number } = {},
  ): Promise<Message> {
    await this.listenForOwn();
    const messageId = randomId('m');
    // Before it is sent: the answer may be there before the receipt.
    this.asked.add(messageId);
    try {
      const question = { ...options, kind: 'REQUEST' } as const;
      const sent = await sendMessage(this.parts, toAgentId, content, question, messageId);
      return await awaitAnswer(this.parts, { ...sent, toAgentId }, timeout);
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
   * @throws NetError with the code of a refusal
   */
  async act(action: string, payload: JsonObject, { id }: { id?: string } = {}): Promise<Receipt> {
    const { outbox } = this.parts;
    const name = `own/${id ?? bytesToHex(crypto.getRandomValues(new Uint8Array(16)))}`;
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

  /** Works until `stop`, the signal, or Ctrl-C. */
  async run({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    const stop = (): void => void this.stop();
    const release = onInterrupt(stop);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    try {
      this.running ??= this.work();
      await this.running;
      await this.stopping;
    } finally {
      release();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends it in order: what is under way is on disk, and the next start goes on. */
  async stop(): Promise<void> {
    this.stopping ??= (async () => {
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
    const { height } = await this.parts.line.read('/v1/network');
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
      for await (const _ of this.client.events({ ...filter, signal: pulse.signal })) pulse.wake();
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
        await pulse.pause(BEACON_MILLISECONDS);
        await origins.refresh();
        await this.keepBeacon();
      } catch (error) {
        if (pulse.signal.aborted) return;
        const code = codeOf(error) ?? 'UNEXPECTED';
        this.parts.events.emit('warning', { code, message: (error as Error).message });
      }
    }
  }

  private async keepBeacon(): Promise<void> {
    if (this.beacon === null) return;
    if ((await keepBeacon(this.parts, this.beacon)) !== null) return;
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

function loggerOf({ log }: AgentOptions): (line: string) => void {
  if (log === false) return () => {};
  return log ?? ((line) => console.log(line));
}
