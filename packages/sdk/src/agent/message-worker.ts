/** Opens each message, calls the handler, seals its answer and acknowledges, once. */
import { sha256Hex, type JsonObject } from '@netd/protocol';
import { MACHINES } from '../generated/machines.ts';
import { advance, type Effects, type Facts } from './advance.ts';
import { AgentError } from './agent-error.ts';
import { Records } from './home.ts';
import { contentBytes, type Message, type MessageContent, type MessageFacts } from './message.ts';
import { answerIdOf } from './own-ids.ts';
import type { AgentParts } from './parts.ts';
import { keepPolling } from './poll-loop.ts';
import { backoff, unlessStopped } from './poller.ts';
import {
  acknowledge,
  messagePayload,
  nextSequence,
  openMessage,
  sealMessage,
} from './sealed-message.ts';

/** Answers a message. Return null or `undefined` to send no answer. */
export type MessageHandler = (
  message: Message,
) => MessageContent | null | undefined | void | Promise<MessageContent | null | undefined | void>;

interface MessageRecord extends JsonObject {
  messageId: string;
  facts: JsonObject;
  /**
   * `answered`: the answer is on disk. `sealed`: so is its sealed blob. `sent`: committed, or no answer is
   * needed.
   */
  step: 'new' | 'answered' | 'sealed' | 'sent';
  attempts: number;
  code: string | null;
  answer: JsonObject | null;
}

/** Conversations handled at once. Messages within one stay in order. */
const MAX_AT_ONCE = 8;
const ENDED_KEPT = 1_000;

interface Given extends Facts {
  messageId: string;
  received: MessageFacts;
  opened: Message;
  attempts: number;
  record: MessageRecord;
}

export class MessageWorker {
  private readonly parts: AgentParts;
  private readonly handler: MessageHandler;
  private readonly asked: ReadonlySet<string>;
  private readonly only: MessageFacts['kind'] | null;
  private readonly records: Records<MessageRecord>;
  private readonly active = new Map<string, Promise<void>>();
  /** Handled messages, latest last. An older list may still show them as pending. */
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
    const settle = (): Promise<unknown> => Promise.allSettled(this.active.values());
    await keepPolling(this.parts, () => this.look(), this.missing, settle);
    await settle();
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
    if ((record?.step ?? 'new') === 'new' && !poller.take()) return;
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

  private async take(received: MessageFacts, record: MessageRecord): Promise<void> {
    const { messageId, fromAgentId } = received;
    const tries = this.missing.get(messageId)?.tries ?? 0;
    const facts = { ...record, fromAgentId, tries, seals: 0, record, received };
    if ((await advance(this.parts, MACHINES.message, facts as unknown as Given, this)) === null)
      await this.forget(messageId);
  }

  emit(event: string, facts: Facts): void {
    const message = `${String(facts['messageId'])}: ${String(facts['reason'])}`;
    this.parts.events.emitFrom(event, { ...facts, message });
  }

  async note(change: Partial<MessageRecord>, { record }: Given): Promise<void> {
    Object.assign(record, change);
    await this.records.put(record.messageId, record);
  }

  readonly effects: Effects<Given> = {
    open: async ({ received }) => {
      const isPending = (await this.parts.retryingClient.proveMessage(received)) === 'PENDING';
      return { opened: isPending ? await openMessage(this.parts, received) : null };
    },

    later: ({ messageId }) => this.later(messageId),

    handle: async (facts) => {
      const { state, poller, reach } = this.parts;
      const { messageId, received, opened, attempts } = facts;
      if (attempts > 0) await poller.pause(backoff(attempts));
      facts['attempt'] = Math.min(attempts + 1, 3);
      const said = await unlessStopped(poller, (async () => this.handler(opened))());
      reach('message.answered');
      const wanted = received.kind === 'REQUEST' && said !== undefined && said !== null;
      const bytes = wanted ? contentBytes(said) : new Uint8Array();
      const answered = bytes.length > 0;
      if (answered) await state.put(fileOf('answer', messageId), bytes);
      return { answered };
    },

    seal: async (facts) => {
      const { agentId, idSecret, origins, state } = this.parts;
      const { messageId: replyTo, conversationId, fromAgentId: toAgentId } = facts.received;
      facts['seals'] = Number(facts['seals']) + 1;
      const content = await state.get(fileOf('answer', replyTo));
      // The id depends on the question alone, so that an answer is never sent twice.
      const messageId = answerIdOf(idSecret, replyTo);
      const sequence = await nextSequence(this.parts, conversationId, agentId);
      const ids = { messageId, conversationId, fromAgentId: agentId, toAgentId, sequence };
      const sealed = content && (await sealMessage(this.parts, ids, content));
      if (!sealed) throw new AgentError('RECIPIENT_HAS_NO_KEY', toAgentId);
      const [place] = origins.require();
      await state.put(fileOf('sealed', replyTo), sealed);
      const hash = sha256Hex(sealed);
      const about = { ids, kind: 'RESPONSE', replyTo } as const;
      return { answer: await messagePayload(this.parts, about, hash, place) };
    },

    send: async ({ messageId, record: { answer } }) => {
      const { origins, outbox, state, reach } = this.parts;
      const blob = await state.get(fileOf('sealed', messageId));
      if (blob === null || answer === null) return { lost: true };
      reach('message.sealed');
      await origins.put(blob);
      await outbox.act(`answer/${messageId}`, 'sendAgentMessage', answer);
      return { lost: false };
    },

    acknowledge: async ({ received, record }) => {
      this.parts.reach('message.sent');
      await acknowledge(this.parts, received, record.code);
    },
  };

  private later(messageId: string): void {
    const tries = (this.missing.get(messageId)?.tries ?? 0) + 1;
    this.missing.set(messageId, { tries, until: this.parts.time.now() + backoff(tries) });
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
