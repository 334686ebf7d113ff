import { countLive } from '../actions/messages/message.ts';
import type { SystemTransition } from '../transition.ts';

export const expireAgentMessage: SystemTransition = {
  summary: 'The recipient did not acknowledge a message in time: it counts as live no longer.',
  events: ['AgentMessageExpired'],
  apply({ state, emit }, messageId) {
    const record = state.get('message', messageId);
    if (!record) throw new Error(`there is no message ${messageId}`);
    const { conversationId, fromAgentId, toAgentId, expiresAtHeight } = record.message;
    state.put('message', messageId, { ...record, endedAtHeight: expiresAtHeight });
    countLive(state, fromAgentId, -1);
    emit('AgentMessageExpired', { conversationId, fromAgentId, messageId, toAgentId });
  },
};
