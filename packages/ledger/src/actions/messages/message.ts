/** What a message commitment is, and how it ends. The node never sees a body. */
import { ActorId, Hash, hashValue, Height, HttpsUri, RecordId } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { MessageRecord } from './records.ts';
import { count } from '../../counters.ts';
import type { WritableState } from '../../state.ts';

/** Messages of one sender that are neither acknowledged nor expired, at most. */
export const MAX_LIVE_MESSAGES = 1_000;
/** Heights for which a message stays in state after its acknowledgement or expiry. */
const MESSAGE_RETENTION = 20_000;

export const AgentMessage = Type.Object(
  {
    schema: Type.Literal('NET-AGENT-MESSAGE/1'),
    messageId: Type.String({ ...RecordId, description: 'Never used before, by anybody.' }),
    conversationId: RecordId,
    agentId: Type.String({ ...ActorId, description: 'The sender, who signs.' }),
    fromAgentId: Type.String({ ...ActorId, description: 'The same as agentId.' }),
    toAgentId: Type.String({ ...ActorId, description: 'An active agent other than the sender.' }),
    sequence: Type.Integer({
      minimum: 1,
      description: 'The previous one of this sender in this conversation plus 1.',
    }),
    kind: Type.Enum(['REQUEST', 'RESPONSE', 'EVENT']),
    contentEncoding: Type.Literal('application/ael-encrypted+json'),
    contentHash: Type.String({ ...Hash, description: 'Of the encrypted body, taken as given.' }),
    envelopeUri: Type.Optional(
      Type.String({ ...HttpsUri, description: 'Where the recipient can fetch the body.' }),
    ),
    replyTo: Type.Optional(
      Type.String({
        ...RecordId,
        description:
          'A message of this conversation, still in state, that the sender sent or received.',
      }),
    ),
    expiresAtHeight: Type.Integer({
      ...Height,
      description: 'The last height at which it can be acknowledged, at most 5,000 ahead.',
    }),
  },
  {
    additionalProperties: false,
    description: 'The commitment to an encrypted message that travels outside of the chain.',
  },
);
export type AgentMessage = Static<typeof AgentMessage>;

/** The id under which the messages of one sender in one conversation are counted. */
export function conversationKey(conversationId: string, fromAgentId: string): string {
  return hashValue({ conversationId, fromAgentId });
}

/** Counts a message of the sender as live, or no longer. */
export function countLive(state: WritableState, fromAgentId: string, change: number): void {
  const live = (state.get('live-messages', fromAgentId) ?? 0) + change;
  if (live === 0) state.delete('live-messages', fromAgentId);
  else state.put('live-messages', fromAgentId, live);
  count(state, 'live-messages', change);
}

export function messageDueAt({ endedAtHeight, message }: MessageRecord): number {
  return endedAtHeight === null
    ? message.expiresAtHeight + 1
    : endedAtHeight + MESSAGE_RETENTION + 1;
}

/** First an unanswered message ends, much later an ended one leaves state and only its digest stays. */
export function expireMessage(state: WritableState, messageId: string): void {
  const record = state.get('message', messageId);
  if (!record) return;
  const { message, endedAtHeight } = record;
  if (endedAtHeight === null) {
    state.put('message', messageId, { ...record, endedAtHeight: message.expiresAtHeight });
    countLive(state, message.fromAgentId, -1);
    return;
  }
  state.delete('message', messageId);
  state.put('message-digest', messageId, hashValue(message));
}
