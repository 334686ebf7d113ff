import { ActorId, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { countForAgent } from '../../agent-stats.ts';
import { hasExpired } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { countLive } from './message.ts';

export const acknowledgeAgentMessage = defineAction({
  name: 'acknowledgeAgentMessage',
  summary: 'Say as the recipient of a message that it was delivered, or that it is rejected.',
  grant: { AGENT: 'base' },
  payload: exactly({
    agentId: Type.String({ ...ActorId, description: 'The recipient, who signs.' }),
    messageId: RecordId,
    status: Type.Enum(['DELIVERED', 'REJECTED']),
    receiptHash: Type.String({
      ...Hash,
      description: "Of the recipient's own receipt, taken as given.",
    }),
  }),
  actor: 'agentId',
  errors: [
    'MESSAGE_UNKNOWN',
    'NOT_MESSAGE_RECIPIENT',
    'MESSAGE_ALREADY_ACKNOWLEDGED',
    'MESSAGE_EXPIRED',
  ],
  events: ['AgentMessageAcknowledged'],

  check({ state, block }, { agentId, messageId }) {
    const record = state.get('message', messageId);
    requireThat(record, 'MESSAGE_UNKNOWN', '/payload/messageId');
    requireThat(record.message.toAgentId === agentId, 'NOT_MESSAGE_RECIPIENT', '/payload/agentId');
    requireThat(record.status === 'PENDING', 'MESSAGE_ALREADY_ACKNOWLEDGED', '/payload/messageId');
    const { expiresAtHeight } = record.message;
    requireThat(
      !hasExpired(expiresAtHeight, block.height),
      'MESSAGE_EXPIRED',
      '/payload/messageId',
      () => `it expired at height ${expiresAtHeight}`,
    );
    return record;
  },

  apply(context, { messageId, status, receiptHash }, record) {
    const { state, block, emit } = context;
    const { fromAgentId, toAgentId, conversationId } = record.message;
    state.put('message', messageId, {
      ...record,
      status,
      acknowledgement: { at: positionOf(context), receiptHash },
      endedAtHeight: block.height,
    });
    countLive(state, fromAgentId, -1);
    countForAgent(state, toAgentId, 'messagesAcknowledged');
    emit('AgentMessageAcknowledged', {
      conversationId,
      fromAgentId,
      messageId,
      receiptHash,
      status,
      toAgentId,
    });
  },
});
