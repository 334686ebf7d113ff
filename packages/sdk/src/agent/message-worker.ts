/** Opens each message, calls the handler, seals its answer and acknowledges, once. */
import { FormatError } from '@netd/formats';
import { sha256Hex, type JsonObject } from '@netd/protocol';
import { NetError } from '../http.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { Records } from './home.ts';
import { keepPolling } from './poll-loop.ts';
import { contentBytes, type Message, type MessageContent, type MessageFacts } from './message.ts';
import { blobUri } from './origins.ts';
import type { AgentParts } from './parts.ts';
import { backoff } from './poller.ts';
import { nextSequence, openMessage, receiptHash, sealMessage } from './sealed-message.ts';

/** Returns null or undefined for no answer. */
export type MessageHandler = (
  message: Message,
) => MessageContent | null | undefined | void | Promise<MessageContent | null | undefined | void>;

interface MessageRecord extends JsonObject {
  messageId: string;
  facts: JsonObject;
  /** answered: the answer is on disk; sealed: so is its blob; sent: committed, or there is none. */
  step: 'new' | 'answered' | 'sealed' | 'sent';
  attempts: number;
  code: string | null;
  answer: JsonObject | null;
}

const MAX_ATTEMPTS = 3;
/** Tries, while no store has it. */
const CONTENT_TRIES = 6;
/** Tries: some minutes. */
const KEY_TRIES = 12;
/** Conversations; messages within one stay in order. */
const MAX_AT_ONCE = 8;
/** More than one poll can find. */
const ENDED_KEPT = 1_000;
/** Heights. */
export const MESSAGE_LIFETIME = 2_000;
/** Retries if another answer in the conversation was faster. */
const SEAL_TRIES = 5;

export class MessageWorker {
  private readonly parts: AgentParts;
  private readonly handler: MessageHandler;
  /** Questions whose callers wait in this process. */
  private readonly asked: ReadonlySet<string>;
  /** Null for all. */
  private readonly only: MessageFacts['kind'] | null;
  private readonly records: Records<MessageRecord>;
  private readonly active = new Map<string, Promise<void>>();
  /** Latest last. An older list may still show them as pending. */
  private readonly ended = new Set<string>();
  private readonly missing = new Map<string, { until: number; tries: number }>();

  constructor(
    parts: AgentParts,
    handler: MessageHandler,
    { asked, only }: { asked: ReadonlySet<string>; only: MessageFacts['kind'] | null },
  ) {
    this.parts = parts;
    this.handler = handler;
    this.asked = asked;
    this.only = only;
    this.records = new Records(parts.state, 'message');
  }

  async run(): Promise<void> {
    for (const record of await this.records.all()) {
      if (!this.takes(record.facts as unknown as MessageFacts)) continue;
      this.start(record.facts as unknown as MessageFacts, record);
    }
    await keepPolling(this.parts, () => this.look(), this.missing);
    await Promise.allSettled(this.active.values());
  }

  private async look(): Promise<void> {
    const { retryingClient, agentId } = this.parts;
    const waiting: MessageFacts[] = [];
    const query = { agentId, status: 'PENDING', expired: 'false', limit: 100 } as const;
    for await (const { messages } of retryingClient.pages('/v1/agent-messages', query)) {
      waiting.push(...messages.filter(({ toAgentId }) => toAgentId === agentId));
    }
    for (const facts of waiting.toReversed()) {
      if (this.active.size >= MAX_AT_ONCE) return;
      if (facts.replyTo !== undefined && this.asked.has(facts.replyTo)) continue;
      if (this.ended.has(facts.messageId) || !this.takes(facts)) continue;
      if (this.parts.time.now() < (this.missing.get(facts.messageId)?.until ?? 0)) continue;
      if (!this.active.has(facts.conversationId)) this.start(facts, null);
    }
  }

  private takes({ kind }: MessageFacts): boolean {
    return this.only === null || kind === this.only;
  }

  private start(facts: MessageFacts, record: MessageRecord | null): void {
    const { poller, events } = this.parts;
    const { conversationId, messageId } = facts;
    const before = this.active.get(conversationId);
    const run = (async () => {
      await before;
      try {
        await this.take(facts, record ?? (await this.records.get(messageId)) ?? newRecord(facts));
      } catch (error) {
        if (poller.signal.aborted) return;
        events.warn(error, messageId);
        this.later(messageId);
      }
    })().finally(() => {
      if (this.active.get(conversationId) === run) this.active.delete(conversationId);
      poller.wake();
    });
    this.active.set(conversationId, run);
  }

  private async take(facts: MessageFacts, record: MessageRecord): Promise<void> {
    if (record.step === 'new' && record.code === null && !(await this.answer(facts, record)))
      return;
    for (let tries = 0; record.step === 'answered' || record.step === 'sealed'; tries++) {
      if (record.step === 'answered') await this.seal(facts, record);
      if (record.step === 'sealed') await this.send(record, tries < SEAL_TRIES);
    }
    this.parts.reach('message.sent');
    await this.acknowledge(facts, record);
    await this.end(record);
  }

  /** @returns false if the message must wait */
  private async answer(facts: MessageFacts, record: MessageRecord): Promise<boolean> {
    const { events, state, poller, reach } = this.parts;
    const { messageId, fromAgentId } = facts;
    let message: Message;
    try {
      if ((await this.parts.retryingClient.proveMessage(facts)) !== 'PENDING') {
        // The handler has seen it.
        await this.forget(messageId);
        return false;
      }
      message = await openMessage(this.parts, facts);
    } catch (error) {
      // The content may still appear, so the message waits until it expires.
      if (codeOf(error) === 'BLOB_UNAVAILABLE') {
        if (this.later(messageId) === 1) events.warn(error, messageId);
        return false;
      }
      const isMissing = codeOf(error) === 'BLOB_NOT_FOUND';
      if (isMissing && this.later(messageId) < CONTENT_TRIES) return false;
      if (!isMissing && !(error instanceof FormatError)) throw error;
      const { code, message: reason } = error as AgentError | FormatError;
      await this.note(record, { code });
      events.emit('refused', { messageId, fromAgentId, code, reason });
      return true;
    }
    while (record.attempts < MAX_ATTEMPTS) {
      const attempt = record.attempts + 1;
      try {
        const said = await this.handler(message);
        poller.signal.throwIfAborted();
        reach('message.answered');
        const wanted = facts.kind === 'REQUEST' && said !== undefined && said !== null;
        const bytes = wanted ? contentBytes(said) : new Uint8Array();
        if (bytes.length > 0) {
          await state.put(fileOf('answer', messageId), bytes);
          await this.note(record, { step: 'answered' });
        } else await this.note(record, { step: 'sent' });
        return true;
      } catch (error) {
        poller.signal.throwIfAborted();
        await this.note(record, { attempts: attempt });
        const { message: reason } = error as Error;
        if (attempt === MAX_ATTEMPTS) {
          await this.note(record, { code: 'HANDLER_FAILED' });
          events.emit('refused', { messageId, fromAgentId, code: 'HANDLER_FAILED', reason });
        } else {
          events.emit('warning', { code: 'HANDLER_FAILED', message: `${messageId}: ${reason}` });
          await poller.pause(backoff(attempt));
        }
      }
    }
    return true;
  }

  /** Seals the answer to the sender's current key. */
  private async seal(facts: MessageFacts, record: MessageRecord): Promise<void> {
    const { agentId, retryingClient, origins, state, events, reach } = this.parts;
    const { messageId: replyTo, conversationId, fromAgentId: toAgentId } = facts;
    const content = await state.get(fileOf('answer', replyTo));
    // So that an answer is never sent twice.
    const messageId = `re-${sha256Hex(`${agentId} ${replyTo}`).slice(0, 40)}`;
    const sequence = await nextSequence(this.parts, conversationId, agentId);
    const ids = { messageId, conversationId, fromAgentId: agentId, toAgentId, sequence };
    let refusal = new AgentError('RECIPIENT_HAS_NO_KEY', toAgentId);
    const sealed =
      content &&
      (await sealMessage(this.parts, ids, content).catch((error: unknown) => {
        // A busy store may still have the key.
        const isLast = (this.missing.get(replyTo)?.tries ?? 0) >= KEY_TRIES;
        if (!(error instanceof AgentError) || !isLast) throw error;
        refusal = error;
        return null;
      }));
    if (!sealed) {
      const { code, message } = refusal;
      events.emit('warning', { code, message });
      await this.note(record, { step: 'sent' });
      return;
    }
    const [place] = origins.require();
    const height = await retryingClient.height();
    const contentHash = sha256Hex(sealed);
    await state.put(fileOf('sealed', replyTo), sealed);
    const answer = {
      schema: 'NET-AGENT-MESSAGE/1',
      ...ids,
      agentId,
      kind: 'RESPONSE',
      contentEncoding: 'application/ael-encrypted+json',
      contentHash,
      envelopeUri: blobUri(place.origin, contentHash),
      replyTo,
      expiresAtHeight: height + MESSAGE_LIFETIME,
    };
    await this.note(record, { step: 'sealed', answer });
    reach('message.sealed');
  }

  private async send(record: MessageRecord, mayRetry: boolean): Promise<void> {
    const { origins, outbox, state, events } = this.parts;
    const { messageId, answer } = record;
    const blob = await state.get(fileOf('sealed', messageId));
    if (blob === null || answer === null) {
      await this.note(record, { step: 'answered' });
      return;
    }
    await origins.put(blob);
    try {
      await outbox.act(`answer/${messageId}`, 'sendAgentMessage', answer);
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      // Another answer in this conversation was faster, or this one expired.
      const stale = ['MESSAGE_SEQUENCE_GAP', 'MESSAGE_EXPIRED'].includes(error.code);
      if (stale && mayRetry) {
        await this.note(record, { step: 'answered' });
        return;
      }
      // Sent by an earlier process that lost its records.
      if (error.code !== 'MESSAGE_ID_USED') {
        events.emit('warning', { code: error.code, message: `${messageId}: ${error.message}` });
      }
    }
    await this.note(record, { step: 'sent' });
  }

  private async acknowledge(
    facts: MessageFacts,
    { messageId, code }: MessageRecord,
  ): Promise<void> {
    const { agentId, outbox, events } = this.parts;
    try {
      await outbox.act(`ack/${messageId}`, 'acknowledgeAgentMessage', {
        agentId,
        messageId,
        status: code === null ? 'DELIVERED' : 'REJECTED',
        receiptHash: receiptHash(facts, code),
      });
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      if (error.code === 'MESSAGE_ALREADY_ACKNOWLEDGED') return;
      events.emit('warning', { code: error.code, message: `${messageId}: ${error.message}` });
    }
  }

  private later(messageId: string): number {
    const tries = (this.missing.get(messageId)?.tries ?? 0) + 1;
    this.missing.set(messageId, { tries, until: this.parts.time.now() + backoff(tries) });
    return tries;
  }

  private async note(record: MessageRecord, change: Partial<MessageRecord>): Promise<void> {
    Object.assign(record, change);
    await this.records.put(record.messageId, record);
  }

  private async end({ messageId }: MessageRecord): Promise<void> {
    await this.forget(messageId);
  }

  private async forget(messageId: string): Promise<void> {
    const { state, outbox } = this.parts;
    this.ended.add(messageId);
    const [oldest] = this.ended;
    if (this.ended.size > ENDED_KEPT && oldest !== undefined) this.ended.delete(oldest);
    for (const kind of ['answer', 'ack']) await outbox.forget(`${kind}/${messageId}`);
    await this.records.delete(messageId);
    for (const kind of ['answer', 'sealed'] as const) await state.delete(fileOf(kind, messageId));
    this.missing.delete(messageId);
  }
}

const newRecord = (facts: MessageFacts): MessageRecord => ({
  messageId: facts.messageId,
  facts,
  step: 'new',
  attempts: 0,
  code: null,
  answer: null,
});

const fileOf = (kind: 'answer' | 'sealed', messageId: string): string =>
  `${kind}-${sha256Hex(messageId).slice(0, 40)}.bin`;
