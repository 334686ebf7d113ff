/** The echo agent answers messages, so that other agents can test sealing, sending and reading. */
import { FormatError, openContent, sealContent, type MessageContext } from '@netd/formats';
import { hashValue, utf8Bytes, type JsonObject } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk';
import { originOf, type Content } from './content.ts';
import { CoalescedPoll } from './coalesced-poll.ts';
import { httpsOf, type Member } from './member.ts';

const DESCRIPTION = 'Answers every sealed request with what it said, sealed to the sender.';
const ANSWER_LIFETIME = 4_000;
const MAX_ECHOED = 4_096;
const CONCURRENCY = 4;
const MAX_OF_SENDER = 8;
const RETRY_MILLISECONDS = 60_000;

type Message = DocumentOf<'/v1/agent-messages'>['messages'][number];

export class Echo {
  private readonly member: Member;
  private readonly content: Content;
  private readonly polling: CoalescedPoll;
  private readonly failed = new Set<string>();
  private retry: ReturnType<typeof setTimeout> | null = null;

  constructor(member: Member, content: Content) {
    this.member = member;
    this.content = content;
    const { tell, signal } = member.house;
    const failed = (error: unknown): void => {
      tell({ kind: 'say', text: `${this.actorId} could not answer: ${(error as Error).message}` });
    };
    this.polling = new CoalescedPoll({ poll: () => this.answerAll(), failed, signal });
  }

  get actorId(): string {
    return this.member.actorId;
  }

  async takeUp(): Promise<void> {
    await this.member.join(DESCRIPTION);
    await this.keepBeacon();
  }

  keepBeacon(): Promise<void> {
    return this.member.keepBeacon({
      description: DESCRIPTION,
      capabilities: ['echo'],
      protocols: ['NET-AGENT-MESSAGE/1'],
    });
  }

  lookAgain(): void {
    void this.polling.request();
  }

  private async answerAll(): Promise<void> {
    const { client, signal } = this.member.house;
    const filter = { agentId: this.actorId, status: 'PENDING', expired: 'false' } as const;
    const bySender = new Map<string, Message[]>();
    for await (const { messages } of client.pages('/v1/agent-messages', filter)) {
      for (const message of messages) {
        const { fromAgentId, toAgentId, messageId } = message;
        if (toAgentId !== this.actorId || this.failed.has(messageId)) continue;
        const known = bySender.get(fromAgentId) ?? [];
        bySender.set(fromAgentId, [message, ...known].slice(0, MAX_OF_SENDER));
      }
    }
    const senders = [...bySender.values()];
    const work = async (): Promise<void> => {
      for (let next = senders.shift(); next && !signal.aborted; next = senders.shift()) {
        for (const message of next) await this.tryToAnswer(message);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const isMore = [...bySender.values()].some(({ length }) => length === MAX_OF_SENDER);
    if (isMore && !signal.aborted) this.lookAgain();
  }

  /** Skips a message that cannot be answered until the next retry. */
  private async tryToAnswer(message: Message): Promise<void> {
    try {
      await this.answer(message);
    } catch (error) {
      this.failed.add(message.messageId);
      this.retry ??= setTimeout(() => {
        this.retry = null;
        this.failed.clear();
        this.lookAgain();
      }, RETRY_MILLISECONDS).unref();
      const text = `${this.actorId} could not answer ${message.messageId}: ${(error as Error).message}`;
      this.member.house.tell({ kind: 'say', text });
    }
  }

  /** Answers before acknowledging, so that a message stays pending if the process stops in between. */
  private async answer(message: Message): Promise<void> {
    const said = await this.read(message);
    const isRequest = message.kind === 'REQUEST';
    if (said !== null && isRequest) await this.reply(message, said);
    await this.member.actUnless(
      ['MESSAGE_ALREADY_ACKNOWLEDGED', 'MESSAGE_EXPIRED'],
      'acknowledgeAgentMessage',
      {
        agentId: this.actorId,
        messageId: message.messageId,
        status: said === null ? 'REJECTED' : 'DELIVERED',
        receiptHash: hashValue({ messageId: message.messageId, read: said !== null }),
      },
    );
  }

  private async read(message: Message): Promise<Uint8Array | null> {
    const { fromAgentId, contentHash, envelopeUri } = message;
    const { origins, certain } = await this.content.namedBy(fromAgentId);
    const hint = originOf(envelopeUri, contentHash);
    const sealed = await this.content.find(contentHash, {
      origins: [...origins, ...hint],
      certain,
    });
    if (sealed === 'absent') return null;
    // The content may still arrive. Retry until the message expires.
    if (sealed === 'unknown') throw new Error('a store that may have it does not give it now');
    try {
      const facts = contextOf(this.member.house.chainId, message);
      return await openContent(sealed, this.member.encryption, facts, contentHash);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return null;
    }
  }

  private async reply(message: Message, said: Uint8Array): Promise<void> {
    const { member, content } = this;
    const { client, chainId, places } = member.house;
    const metadata = await content.metadataOf(message.fromAgentId);
    if (!metadata) return;
    // The id is deterministic, so that no message is answered twice.
    const messageId = `echo-${hashValue(message.messageId).slice(0, 32)}`;
    const { conversationId } = message;
    const sequence = await this.nextSequence(conversationId, messageId);
    if (sequence === null) return;
    const answer = {
      messageId,
      conversationId,
      fromAgentId: this.actorId,
      toAgentId: message.fromAgentId,
      sequence,
    };
    const sealed = await sealContent(
      utf8Bytes(`You said: ${new TextDecoder().decode(said.subarray(0, MAX_ECHOED))}`),
      [metadata.encryptionKey],
      contextOf(chainId, answer),
    ).catch(asUnanswerable);
    if (!sealed) return;
    await member.store(sealed);
    const { height } = await client.network();
    const payload: JsonObject = {
      schema: 'NET-AGENT-MESSAGE/1',
      agentId: this.actorId,
      ...answer,
      kind: 'RESPONSE',
      replyTo: message.messageId,
      contentEncoding: 'application/ael-encrypted+json',
      contentHash: sealed.hash,
      envelopeUri: `${httpsOf(places[0])}/blobs/${sealed.hash}`,
      expiresAtHeight: height + ANSWER_LIFETIME,
    };
    await member.actUnless(
      ['MESSAGE_ID_USED', 'MESSAGE_SEQUENCE_GAP', 'AGENT_INACTIVE', 'MESSAGE_LIMIT_REACHED'],
      'sendAgentMessage',
      payload,
    );
  }

  /** Returns the next sequence number of the conversation; null if the answer already exists. */
  private async nextSequence(conversationId: string, messageId: string): Promise<number | null> {
    let last = 0;
    const { client } = this.member.house;
    for await (const { messages } of client.pages('/v1/agent-messages', { conversationId })) {
      for (const known of messages) {
        if (known.messageId === messageId) return null;
        if (known.fromAgentId === this.actorId) last = Math.max(last, known.sequence);
      }
    }
    return last + 1;
  }
}

/** Returns null if the sender's key is unusable, because no answer can be sealed for it. */
function asUnanswerable(error: unknown): null {
  if (error instanceof FormatError) return null;
  throw error;
}

function contextOf(chainId: string, message: Omit<MessageContext, 'chainId'>): MessageContext {
  const { fromAgentId, toAgentId, conversationId, messageId, sequence } = message;
  return { chainId, fromAgentId, toAgentId, conversationId, messageId, sequence };
}
