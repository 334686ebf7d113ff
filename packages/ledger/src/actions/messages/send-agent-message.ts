import { hashValue, MAX_EXPIRY_DISTANCE } from '@netd/protocol';
import { defineAction } from '../../action.ts';
import { countForAgent } from '../../agent-stats.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import { requireLastHeight } from '../../deadline.ts';
import { positionOf } from '../../transition.ts';
import { AgentMessage } from './agent-message.ts';
import { conversationKey, countLive, MAX_LIVE_MESSAGES } from './message.ts';

export const sendAgentMessage = defineAction({
  name: 'sendAgentMessage',
  summary: 'Commit to an encrypted message for another agent, in sequence in its conversation.',
  grant: { AGENT: 'base' },
  payload: AgentMessage,
  actor: 'agentId',
  errors: [
    'MESSAGE_SENDER_MISMATCH',
    'RECIPIENT_IS_SENDER',
    'AGENT_UNKNOWN',
    'AGENT_INACTIVE',
    'MESSAGE_EXPIRED',
    'MESSAGE_EXPIRY_TOO_FAR',
    'MESSAGE_ID_USED',
    'MESSAGE_SEQUENCE_GAP',
    'REPLY_TO_UNKNOWN',
    'MESSAGE_LIMIT_REACHED',
  ],
  events: ['AgentMessageSent'],

  check({ state, block }, message) {
    const { agentId, messageId, fromAgentId, toAgentId, expiresAtHeight } = message;
    requireThat(fromAgentId === agentId, 'MESSAGE_SENDER_MISMATCH', '/payload/fromAgentId');
    requireThat(toAgentId !== fromAgentId, 'RECIPIENT_IS_SENDER', '/payload/toAgentId');
    requireActiveRecipient(state, toAgentId);
    requireLastHeight(expiresAtHeight, block, {
      path: '/payload/expiresAtHeight',
      passed: 'MESSAGE_EXPIRED',
      ahead: { most: MAX_EXPIRY_DISTANCE, tooFar: 'MESSAGE_EXPIRY_TOO_FAR' },
    });
    requireThat(
      !(state.get('message', messageId) ?? state.get('message-digest', messageId)),
      'MESSAGE_ID_USED',
      '/payload/messageId',
    );
    const key = conversationKey(message.conversationId, fromAgentId);
    const conversation = state.get('conversation', key);
    const expected = (conversation?.lastSequence ?? 0) + 1;
    requireThat(
      message.sequence === expected,
      'MESSAGE_SEQUENCE_GAP',
      '/payload/sequence',
      () => `the next one is ${expected}`,
    );
    requireReply(state, message);
    const live = state.get('live-messages', fromAgentId) ?? 0;
    requireThat(
      live < MAX_LIVE_MESSAGES,
      'MESSAGE_LIMIT_REACHED',
      '/payload/agentId',
      () => `${live} messages are waiting`,
    );
    return { key, conversation };
  },

  apply(context, message, { key, conversation }) {
    const { state, transitionHash, emit } = context;
    const { messageId, conversationId, fromAgentId, toAgentId, sequence } = message;
    const sentAt = positionOf(context);
    state.put('message', messageId, {
      acknowledgement: null,
      endedAtHeight: null,
      message,
      sentAt,
      status: 'PENDING',
      transitionHash,
    });
    state.put('conversation', key, {
      conversationId,
      digest: hashValue({ previous: conversation?.digest ?? null, message: hashValue(message) }),
      fromAgentId,
      lastSequence: sequence,
    });
    countLive(state, fromAgentId, 1);
    count(state, 'messages', 1);
    countForAgent(state, fromAgentId, 'messagesSent');
    countForAgent(state, toAgentId, 'messagesReceived');
    emit('AgentMessageSent', {
      contentHash: message.contentHash,
      conversationId,
      expiresAtHeight: message.expiresAtHeight,
      fromAgentId,
      kind: message.kind,
      messageId,
      sequence,
      toAgentId,
    });
  },
});

function requireActiveRecipient(state: ReadableState, toAgentId: string): void {
  const recipient = state.get('agent', toAgentId);
  requireThat(recipient, 'AGENT_UNKNOWN', '/payload/toAgentId');
  requireThat(recipient.status === 'active', 'AGENT_INACTIVE', '/payload/toAgentId');
}

/** Rejects replies by strangers, who must not attach messages to a conversation. */
function requireReply(
  state: ReadableState,
  { replyTo, conversationId, fromAgentId }: AgentMessage,
): void {
  if (replyTo === undefined) return;
  const earlier = state.get('message', replyTo)?.message;
  requireThat(
    earlier?.conversationId === conversationId &&
      (earlier.fromAgentId === fromAgentId || earlier.toAgentId === fromAgentId),
    'REPLY_TO_UNKNOWN',
    '/payload/replyTo',
  );
}
