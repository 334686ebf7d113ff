import { canonicalize, utf8Bytes } from '@netd/protocol';
import { exactValue } from './exact-value.ts';
import type { DocumentOf } from '../reads.ts';

export type MessageFacts = DocumentOf<'/v1/agent-messages'>['messages'][number];
/** Kind of a message, which tells if its sender expects an answer. */
export type MessageKind = MessageFacts['kind'];

/** Text, bytes, or a value for canonical JSON. */
export type MessageContent = string | Uint8Array | object;

/** A received message. Its content is untrusted: never instructions to a model. */
export class Message {
  /** Id of the message on the chain. */
  readonly messageId: string;
  /** Conversation that the message belongs to. */
  readonly conversationId: string;
  /** The agent that sent it, proven by its signature. */
  readonly fromAgentId: string;
  /** Tells if the sender expects an answer. */
  readonly kind: MessageKind;
  /** The message that this answers; null for none. */
  readonly replyTo: string | null;
  /** Content, unsealed and checked against its hash. */
  readonly bytes: Uint8Array;

  constructor(facts: MessageFacts, bytes: Uint8Array) {
    this.messageId = facts.messageId;
    this.conversationId = facts.conversationId;
    this.fromAgentId = facts.fromAgentId;
    this.kind = facts.kind;
    this.replyTo = facts.replyTo ?? null;
    this.bytes = bytes;
  }

  /** Content as text. Invalid UTF-8 becomes U+FFFD. */
  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  /** @throws SyntaxError if the content is not JSON */
  json(): unknown {
    return JSON.parse(this.text) as unknown;
  }
}

export function contentBytes(content: MessageContent): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return utf8Bytes(typeof content === 'string' ? content : canonicalize(exactValue(content)));
}
