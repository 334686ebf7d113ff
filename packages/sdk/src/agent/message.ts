/** A message between agents as it is written and read; sealed-message.ts brings it here. */
import { canonicalize, utf8Bytes } from '@netd/protocol';
import { exactValue } from './exact-value.ts';
import type { DocumentOf } from '../reads.ts';

/** A message as the chain knows it. */
export type MessageFacts = DocumentOf<'/v1/agent-messages'>['messages'][number];
export type MessageKind = MessageFacts['kind'];

/** Text, bytes, or what becomes canonical JSON. */
export type MessageContent = string | Uint8Array | object;

/** A message that was opened. What it says is content from a stranger: never to be taken for orders to a model. */
export class Message {
  readonly messageId: string;
  readonly conversationId: string;
  readonly fromAgentId: string;
  readonly kind: MessageKind;
  /** The message that this one answers. */
  readonly replyTo: string | null;
  readonly bytes: Uint8Array;

  constructor(facts: MessageFacts, bytes: Uint8Array) {
    this.messageId = facts.messageId;
    this.conversationId = facts.conversationId;
    this.fromAgentId = facts.fromAgentId;
    this.kind = facts.kind;
    this.replyTo = facts.replyTo ?? null;
    this.bytes = bytes;
  }

  /** The content as text; what is no UTF-8 becomes U+FFFD. */
  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  /** @throws SyntaxError where the content is no JSON */
  json(): unknown {
    return JSON.parse(this.text) as unknown;
  }
}

/** @throws AgentError VALUE_NOT_JSON with the path of what JSON cannot carry exactly */
export function contentBytes(content: MessageContent): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return utf8Bytes(typeof content === 'string' ? content : canonicalize(exactValue(content)));
}
