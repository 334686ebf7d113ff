/**
 * Retries a read or an envelope until the node answers, for as long as the agent runs. A refusal is an
 * answer.
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
import { NAMED_GENESIS, rulesVersionOf } from '../rules-version.ts';
import { isReceiptOf, LostAnswerError, receiptOf } from '../submission.ts';
import { VerificationError, VerifiedReader } from '../verified-reader.ts';
import { AgentError, codeOf } from './agent-error.ts';
import type { CoreError } from './core-error.ts';
import type { Emitter } from './emitter.ts';
import type { GenesisBinding } from './genesis-binding.ts';
import { HealthNotes } from './health.ts';
import type { MessageFacts } from './message.ts';
import { LONGEST_PAUSE, backoff, unlessStopped, type Poller } from './poller.ts';

type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

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
  'acceptedAt',
  'result',
  'dispute',
  'rulesVersion',
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

/** Attempts to read from a node that is behind. With growing pauses they take some minutes. */
const MOST_LOOKS = 12;
const MAX_PAGES = 5;

interface NodeState {
  /** Height of the newest receipt. A follower that forwards writes may reach it a moment later. */
  writtenAt: number;
  at: number;
  /** The current outage. It is reported again once `quietUntil` has passed. */
  outage: { since: number; quietUntil: number } | null;
}

export class RetryingClient {
  readonly client: NetClient;
  /** Null without an anchor: the agent then trusts its node. */
  private readonly reader: VerifiedReader | null;
  private readonly poller: Poller;
  private readonly events: Pick<Emitter, 'emit'>;
  /** Shared with the clients of single calls. */
  private readonly node: NodeState = { writtenAt: 0, at: 0, outage: null };
  readonly health = new HealthNotes();
  private readonly hearOutage = new Set<() => void>();
  private chain: { binding: GenesisBinding; replaced: (error: AgentError) => void } | null = null;

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

  /** Sets the chain that the node must serve. It is checked after an outage, and when the height falls. */
  bindTo(binding: GenesisBinding, replaced: (error: AgentError) => void): void {
    this.chain = { binding, replaced };
    if (binding.rulesVersion >= NAMED_GENESIS) this.client.nameGenesis(binding.genesisHash);
  }

  /** Returns this client for one call, whose poller ends its retries. */
  until(poller: Poller): RetryingClient {
    return Object.create(this, { poller: { value: poller } }) as RetryingClient;
  }

  /** The highest block that the agent has seen, in an answer or a receipt. */
  get seenHeight(): number {
    return Math.max(this.node.at, this.node.writtenAt);
  }

  async whenAway(): Promise<void> {
    if (this.node.outage) return;
    await new Promise<void>((resolve) => this.hearOutage.add(resolve));
  }

  async pause(milliseconds: number): Promise<void> {
    await this.poller.pause(milliseconds);
  }

  /** Reads a document. Retries for some minutes while the node is behind the agent's own writes. */
  async read<Path extends ReadPath>(
    path: Path,
    ...parameters: ParameterArgument<Path>
  ): Promise<DocumentOf<Path>> {
    for (let attempt = 0; ; attempt++) {
      const isBehind = this.node.at < this.node.writtenAt;
      try {
        const document = await this.persist(() => this.client.read(path, ...parameters));
        const { height } = document as { height?: unknown };
        // Some documents have no height.
        if (typeof height !== 'number') return document;
        const hasFallen = height < this.node.at;
        this.node.at = height;
        if (hasFallen) await this.persist(() => this.checkChain());
        if (height >= this.node.writtenAt) return document;
        if (attempt >= MOST_LOOKS) return this.takenAsItIs(document);
      } catch (error) {
        if (!isUnknown(error) || !isBehind || attempt >= MOST_LOOKS) throw error;
        const { height } = await this.persist(() => this.client.network());
        this.node.at = height;
        if (this.node.at >= this.node.writtenAt) continue;
      }
      await this.poller.pause(backoff(attempt));
    }
  }

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

  /** Accepts the height of a node that is behind, so that the next read does not wait again. */
  private takenAsItIs<Document>(document: Document): Document {
    this.node.writtenAt = this.node.at;
    return document;
  }

  wrote({ height }: Pick<Receipt, 'height'>): void {
    this.node.writtenAt = Math.max(this.node.writtenAt, height);
  }

  get proves(): boolean {
    return this.reader !== null;
  }

  /** Returns a state record, or null if absent. Proven if the agent has an anchor. */
  async state(key: string): Promise<unknown> {
    const { reader } = this;
    if (!reader) return (await this.read('/v1/state/proof', { key })).value ?? null;
    return (await this.proven(() => reader.readState(key))).value;
  }

  /**
   * Returns an order, or null if absent. The fields that agents decide by are proven if the agent has an
   * anchor.
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

  /** Returns the status of a message. With an anchor, verifies that the sender committed to it. */
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

  /**
   * @throws AgentError ANSWER_NOT_PROVEN if the answer does not verify, or is older than one proven before
   */
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

  async height(): Promise<number> {
    return (await this.tip()).height;
  }

  /**
   * Returns the height, and the genesis hash that envelopes name from version 2 of the rules on. Proven if
   * there is an anchor, because a false height could extend an envelope's life.
   */
  async tip(): Promise<{ height: number; genesisHash: string | null }> {
    const { reader, client, chain } = this;
    let height: number;
    if (reader) {
      const state = await this.proven(() => reader.readState('rules/active'));
      height = state.height;
      await this.noteRules(rulesVersionOf(state));
    } else {
      const network = await this.persist(() => client.network());
      height = network.height;
      // Nodes from before the rules had versions have no `rules`.
      const { version = 1 } = (network.rules as typeof network.rules | undefined) ?? {};
      if (chain && version > chain.binding.rulesVersion)
        await this.noteRules(await this.provenVersion());
    }
    const { genesisHash = null, rulesVersion = 1 } = this.chain?.binding ?? {};
    return { height, genesisHash: rulesVersion >= NAMED_GENESIS ? genesisHash : null };
  }

  private async provenVersion(): Promise<number> {
    const { genesisHash = '' } = this.chain?.binding ?? {};
    const reader = new VerifiedReader(this.client, { genesisHash });
    try {
      return rulesVersionOf(await this.persist(() => reader.readState('rules/active')));
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      return 1;
    }
  }

  private async noteRules(version: number): Promise<void> {
    const binding = this.chain?.binding;
    if (!binding || version <= binding.rulesVersion) return;
    await binding.raise(version);
    if (version >= NAMED_GENESIS) this.client.nameGenesis(binding.genesisHash);
  }

  async find<Path extends ReadPath>(
    path: Path,
    ...parameters: ParameterArgument<Path>
  ): Promise<DocumentOf<Path> | null> {
    try {
      return await this.read(path, ...parameters);
    } catch (error) {
      if (isUnknown(error) && error.problem) return null;
      throw error;
    }
  }

  /**
   * Sends one envelope until the node answers. The bytes never change, so a committed one gets its receipt.
   * @throws NetError with the code of a refusal: not executed, and never will be while its reason lasts
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
    // If its proof fails, the envelope may or may not have been executed.
    try {
      return (await this.proven(() => reader.readTransition(written.transitionHash))).receipt;
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      throw new AgentError('ANSWER_NOT_PROVEN', written.transitionHash, { cause: error });
    }
  }

  /** Emits `offline` before retries, and `online` afterwards. */
  async persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      this.poller.signal.throwIfAborted();
      let asked = 0;
      try {
        const told = await unlessStopped(this.poller, answerOrRefusal(ask));
        this.health.answered(null);
        // The node may serve another chain after an outage, or if it lacks a document.
        if (this.node.outage || ('refusal' in told && isUnknown(told.refusal)))
          await unlessStopped(this.poller, this.checkChain());
        if ('refusal' in told) throw told.refusal;
        this.isBack();
        return told.answer;
      } catch (error) {
        this.health.answered(error);
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

  private async checkChain(): Promise<void> {
    if (!this.chain) return;
    const { url } = this.client;
    const { laboratory } = await networkOf(url, SILENCE, this.chain.binding.genesisHash).catch(
      (error: unknown) => {
        if (codeOf(error) !== 'CHAIN_REPLACED') throw error;
        const end = new AgentError('CHAIN_REPLACED', (error as CoreError).detail);
        this.chain?.replaced(end);
        throw end;
      },
    );
    // A laboratory may return to a snapshot, which removes later writes.
    if (laboratory === true) this.node.writtenAt = Math.min(this.node.writtenAt, this.node.at);
  }

  private isAway(error: unknown, nextTryIn: number): void {
    const now = performance.now();
    this.node.outage ??= { since: now, quietUntil: now };
    for (const hear of this.hearOutage) hear();
    this.hearOutage.clear();
    if (now < this.node.outage.quietUntil) return;
    this.node.outage.quietUntil = now + nextTryIn;
    const forMilliseconds = Math.round(now - this.node.outage.since);
    const { url } = this.client;
    this.events.emit('offline', {
      url,
      forMilliseconds,
      nextTryIn,
      reason: (error as Error).message,
    });
  }

  /** Returns an addition to a timeout's error: the node does not answer. Empty if it answers. */
  outage(): string {
    return this.node.outage ? `; ${this.client.url} does not answer` : '';
  }

  private isBack(): void {
    if (!this.node.outage) return;
    const forMilliseconds = Math.round(performance.now() - this.node.outage.since);
    this.node.outage = null;
    this.events.emit('online', { url: this.client.url, forMilliseconds });
  }
}

/** Refusals that last for hours: retrying would silence the agent. */
const LONG_REFUSALS: ReadonlySet<string> = new Set(['REGISTRATION_LIMIT', 'FIRST_DRAW_LIMIT']);

const isUnknown = (error: unknown): error is NetError =>
  error instanceof NetError && error.status === 404;

/** @throws errors for which `isAway` is true */
async function answerOrRefusal<Answer>(
  ask: () => Promise<Answer>,
): Promise<{ answer: Answer } | { refusal: unknown }> {
  try {
    return { answer: await ask() };
  } catch (refusal) {
    if (isAway(refusal)) throw refusal;
    return { refusal };
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof NetError) {
    const isBusy = error.status === 429 && !LONG_REFUSALS.has(error.code);
    // A proxy may answer with its own page, even with status 200.
    const isRedirect = error.status >= 300 && error.status < 400;
    return (error.problem === null && !isRedirect) || error.status >= 500 || isBusy;
  }
  return error instanceof LostAnswerError;
}
