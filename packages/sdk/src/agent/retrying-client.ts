/**
 * A client that sends a read or an envelope again until the node has answered, for as long as the agent lives. A refusal is
 * an answer.
 */
import { canonicalize, type JsonObject, type Receipt } from '@netd/protocol';
import type { NetClient } from '../client.ts';
import { networkOf, SILENCE } from '../event-hub.ts';
import { NetError, nextCursor } from '../http.ts';
import {
  type DocumentOf,
  type PagedPath,
  type ParameterArgument,
  type ParametersOf,
  type ReadPath,
} from '../reads.ts';
import { isReceiptOf, LostAnswerError, receiptOf } from '../submission.ts';
import { VerificationError, type VerifiedReader } from '../verified-reader.ts';
import { AgentError, codeOf } from './agent-error.ts';
import type { CoreError } from './core-error.ts';
import type { Emitter } from './emitter.ts';
import type { MessageFacts } from './message.ts';
import { LONGEST_PAUSE, backoff, unlessStopped, type Poller } from './poller.ts';

type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

/** Members of an order and of a message by which an agent decides. */
const ORDER_FACTS = [
  'orderId',
  'requesterId',
  'workerId',
  'scopeHash',
  'requirements',
  'funding',
  'workerBond',
  'validationPolicy',
  'status',
  'phase',
  'reason',
  'result',
] as const satisfies (keyof WorkOrder)[];
const MESSAGE_FACTS = [
  'messageId',
  'conversationId',
  'fromAgentId',
  'toAgentId',
  'sequence',
  'kind',
  'contentHash',
  'replyTo',
] as const satisfies (keyof MessageFacts)[];

/** Looks at a node that is behind: pauses grow, so this is some minutes. */
const MOST_LOOKS = 12;
/** Pages of a list that are read for one poll. */
const MAX_PAGES = 5;

export class RetryingClient {
  readonly client: NetClient;
  /** Null where the agent has no anchor: then what the node says is believed. */
  private readonly reader: VerifiedReader | null;
  private readonly poller: Poller;
  private readonly events: Pick<Emitter, 'emit'>;
  /** The height of the newest receipt. A follower that hands writes on may have their blocks a moment later. */
  private writtenAt = 0;
  /** How far the node was when it was asked last. */
  private nodeAt = 0;
  /** When the node went away, and until when that is not said again; all callers share one client. */
  private outage: { since: number; quietUntil: number } | null = null;
  private readonly hearOutage = new Set<() => void>();
  /** The chain that the agent belongs to, and what ends the agent if the node serves another one. */
  private chain: { genesisHash: string; replaced: (error: AgentError) => void } | null = null;

  constructor(
    client: NetClient,
    poller: Poller,
    events: Pick<Emitter, 'emit'>,
    reader: VerifiedReader | null = null,
  ) {
    this.reader = reader;
    this.client = client;
    this.poller = poller;
    this.events = events;
  }

  /**
   * From now on the node must serve this chain: that is checked after an outage and if its height falls.
   * @param replaced called with CHAIN_REPLACED once it serves another one
   */
  bindTo(genesisHash: string, replaced: (error: AgentError) => void): void {
    this.chain = { genesisHash, replaced };
  }

  /** Resolves once the node does not answer. */
  async whenAway(): Promise<void> {
    if (this.outage) return;
    await new Promise<void>((resolve) => this.hearOutage.add(resolve));
  }

  /**
   * Before the next look for what is not there yet.
   * @throws the reason of the agent's end
   */
  async pause(milliseconds: number): Promise<void> {
    await this.poller.pause(milliseconds);
  }

  /**
   * A node that is behind what the agent has written is asked again until it is there: it may call unknown what was just
   * made, and tell of an order or account as it was before. One that does not get there in some minutes is taken as it is.
   * @throws NetError for a refusal
   */
  async read<Path extends ReadPath>(
    path: Path,
    ...parameters: ParameterArgument<Path>
  ): Promise<DocumentOf<Path>> {
    for (let attempt = 0; ; attempt++) {
      const isBehind = this.nodeAt < this.writtenAt;
      try {
        const document = await this.persist(() => this.client.read(path, ...parameters));
        const { height } = document as { height?: unknown };
        // Not every document is one of a height; some never change.
        if (typeof height !== 'number') return document;
        const hasFallen = height < this.nodeAt;
        this.nodeAt = height;
        if (hasFallen) await this.persist(() => this.checkChain());
        if (height >= this.writtenAt) return document;
        if (attempt >= MOST_LOOKS) return this.takenAsItIs(document);
      } catch (error) {
        const isUnknown = error instanceof NetError && error.status === 404;
        if (!isUnknown || !isBehind || attempt >= MOST_LOOKS) throw error;
        const { height } = await this.persist(() => this.client.network());
        this.nodeAt = height;
        if (this.nodeAt >= this.writtenAt) continue;
      }
      await this.poller.pause(backoff(attempt));
    }
  }

  /**
   * The first pages of a list, which hold all that an agent handles between two polls.
   * @throws NetError for a refusal, or if the list leads in a circle
   */
  async *pages<Path extends PagedPath>(
    path: Path,
    parameters: ParametersOf<Path>,
  ): AsyncGenerator<DocumentOf<Path>, void, undefined> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let count = 0; count < MAX_PAGES; count++) {
      const query = [{ ...parameters, cursor }] as unknown as ParameterArgument<Path>;
      const page = await this.read(path, ...query);
      yield page;
      cursor = nextCursor(page, seen);
      if (cursor === undefined) return;
    }
  }

  /** What is read next does not wait as long again. */
  private takenAsItIs<Document>(document: Document): Document {
    this.writtenAt = this.nodeAt;
    return document;
  }

  /** Remembers how far a node must be that knows all that the agent has written. */
  wrote({ height }: Pick<Receipt, 'height'>): void {
    this.writtenAt = Math.max(this.writtenAt, height);
  }

  /** Whether what decides is proven. */
  get proves(): boolean {
    return this.reader !== null;
  }

  /**
   * The record of a state key, null where there is none: proven where the agent has an anchor, else as the node tells it.
   * @throws AgentError ANSWER_NOT_PROVEN
   */
  async state(key: string): Promise<unknown> {
    const { reader } = this;
    if (!reader) return (await this.read('/v1/state/proof', { key })).value ?? null;
    return (await this.proven(() => reader.readState(key))).value;
  }

  /**
   * An order, null where there is none. What is decided by is proven where the agent has an anchor.
   * @throws AgentError ANSWER_NOT_PROVEN, ANSWER_MISMATCHED where the node answers with another one
   */
  async order(orderId: string): Promise<WorkOrder | null> {
    const found = await this.find('/v1/work-orders/{orderId}', { orderId });
    if (found && (found as Partial<typeof found>).order?.orderId !== orderId) {
      throw new AgentError('ANSWER_MISMATCHED', `order ${orderId}`);
    }
    if (!this.reader) return found?.order ?? null;
    const record = (await this.state(`order/${orderId}`)) as WorkOrder | null;
    if (!found && !record) return null;
    if (!found || !record) throw new AgentError('ANSWER_NOT_PROVEN', `order ${orderId}`);
    const proven = ORDER_FACTS.map((name) => [name, record[name]]);
    return { ...found.order, ...(Object.fromEntries(proven) as Partial<WorkOrder>) };
  }

  /**
   * Makes sure that the sender has committed to this message, where the agent has an anchor.
   * @returns its status
   * @throws AgentError ANSWER_NOT_PROVEN
   */
  async proveMessage(facts: MessageFacts): Promise<MessageFacts['status']> {
    if (!this.reader) return facts.status;
    const record = (await this.state(`message/${facts.messageId}`)) as {
      message: Partial<MessageFacts>;
      status: MessageFacts['status'];
    } | null;
    const said = (message: Partial<MessageFacts>): string =>
      canonicalize(MESSAGE_FACTS.map((name) => message[name] ?? null));
    if (record && said(record.message) === said(facts)) return record.status;
    throw new AgentError('ANSWER_NOT_PROVEN', `message ${facts.messageId}`);
  }

  /** @throws AgentError ANSWER_NOT_PROVEN for what does not verify, or is older than what was proven before */
  private async proven<Result>(prove: () => Promise<Result>): Promise<Result> {
    return this.persist(async () => {
      try {
        return await prove();
      } catch (error) {
        if (!(error instanceof VerificationError)) throw error;
        throw new AgentError('ANSWER_NOT_PROVEN', error.message, { cause: error });
      }
    });
  }

  /** How far the chain is: certified where the agent has an anchor, because a far height lets an envelope live long. */
  async height(): Promise<number> {
    const { reader } = this;
    if (!reader) return this.persist(async () => (await this.client.network()).height);
    return (await this.proven(() => reader.readState('chain/identity'))).height;
  }

  /** The document, or null if the node itself says that there is none. */
  async find<Path extends ReadPath>(
    path: Path,
    ...parameters: ParameterArgument<Path>
  ): Promise<DocumentOf<Path> | null> {
    try {
      return await this.read(path, ...parameters);
    } catch (error) {
      if (error instanceof NetError && error.status === 404 && error.problem) return null;
      throw error;
    }
  }

  /**
   * Sends one envelope until the node has answered. The same bytes each time: what was committed already is answered with
   * its receipt.
   * @throws NetError with the code of a refusal: then it was not executed, and the same envelope will not be unless its
   *   reason goes
   */
  async submit(path: string, envelope: JsonObject): Promise<Receipt> {
    const written = await this.persist(async () => {
      try {
        const answer = await this.client.post<{ receipt?: unknown }>(path, envelope);
        return receiptOf(envelope, answer.receipt);
      } catch (error) {
        const receipt = error instanceof NetError ? error.problem?.receipt : undefined;
        if (isReceiptOf(envelope, receipt)) return receipt;
        throw error;
      }
    });
    this.wrote(written);
    const { reader } = this;
    if (!reader) return written;
    // Until it is proven its fate is open: a refusal of the proof is none of the envelope.
    try {
      return (await this.proven(() => reader.readTransition(written.transitionHash))).receipt;
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      throw new AgentError('ANSWER_NOT_PROVEN', written.transitionHash, { cause: error });
    }
  }

  /** Does it again while the node is away or busy; says `offline` before each further try, and `online` after it. */
  async persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      this.poller.signal.throwIfAborted();
      let asked = 0;
      try {
        const answer = await unlessStopped(this.poller, ask());
        // It may have come back with another chain.
        if (this.outage) await unlessStopped(this.poller, this.checkChain());
        this.isBack();
        return answer;
      } catch (error) {
        if (!isAway(error)) {
          this.isBack();
          throw error;
        }
        if (error instanceof NetError) asked = (error.retryAfter ?? 0) * 1_000;
        const pause = Math.max(backoff(attempt), Math.min(asked, LONGEST_PAUSE));
        if (!(error instanceof NetError && error.status === 429)) this.isAway(error, pause);
        await this.poller.pause(pause);
      }
    }
  }

  /** @throws AgentError CHAIN_REPLACED if the node serves another chain: that ends the agent */
  private async checkChain(): Promise<void> {
    if (!this.chain) return;
    const { url } = this.client;
    const { laboratory } = await networkOf(url, SILENCE, this.chain.genesisHash).catch(
      (error: unknown) => {
        if (codeOf(error) !== 'CHAIN_REPLACED') throw error;
        const end = new AgentError('CHAIN_REPLACED', (error as CoreError).detail);
        this.chain?.replaced(end);
        throw end;
      },
    );
    // It went back to a snapshot: what was written since is gone.
    if (laboratory === true) this.writtenAt = Math.min(this.writtenAt, this.nodeAt);
  }

  private isAway(error: unknown, nextTryIn: number): void {
    const now = performance.now();
    this.outage ??= { since: now, quietUntil: now };
    for (const hear of this.hearOutage) hear();
    this.hearOutage.clear();
    if (now < this.outage.quietUntil) return;
    this.outage.quietUntil = now + nextTryIn;
    const forMilliseconds = Math.round(now - this.outage.since);
    const { url } = this.client;
    this.events.emit('offline', {
      url,
      forMilliseconds,
      nextTryIn,
      reason: (error as Error).message,
    });
  }

  private isBack(): void {
    if (!this.outage) return;
    const forMilliseconds = Math.round(performance.now() - this.outage.since);
    this.outage = null;
    this.events.emit('online', { url: this.client.url, forMilliseconds });
  }
}

/** Refusals of new names that last for hours: an agent that waited for their end would say nothing all that time. */
const LONG_REFUSALS: ReadonlySet<string> = new Set(['REGISTRATION_LIMIT', 'FIRST_DRAW_LIMIT']);

/** True if the node has not answered, or could not: a refusal is an answer. */
function isAway(error: unknown): boolean {
  if (error instanceof NetError) {
    const isBusy = error.status === 429 && !LONG_REFUSALS.has(error.code);
    // A portal or proxy on the way may answer with a page of its own, and even call that a success. A redirect is meant to stay.
    const isRedirect = error.status >= 300 && error.status < 400;
    return (error.problem === null && !isRedirect) || error.status >= 500 || isBusy;
  }
  return error instanceof LostAnswerError;
}
