import { AgentMessage, hasExpired, MessageRecord } from '@netd/ledger';
import { exactly, Type } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { PAGE_CONTENT, PAGE_QUERY, pageOf, type ListChoice } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';
import { without } from '../shared/without.ts';

const members = without(MessageRecord.properties, 'message', 'endedAtHeight');

export const agentMessageRegistry = defineDocument({
  name: 'NET-AGENT-MESSAGE-REGISTRY/1',
  route: '/v1/agent-messages',
  operationId: 'listAgentMessages',
  tag: 'messages',
  summary: 'Message commitments, by agent, conversation and status',
  description: 'Commitments to encrypted messages; the node never sees a body.',
  query: {
    agentId: Type.Optional(
      Type.String({ maxLength: 64, description: 'Only what this agent sent or received.' }),
    ),
    conversationId: Type.Optional(Type.String({ maxLength: 128 })),
    status: Type.Optional(members.status),
    expired: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: 'Only those that expired unanswered, or only the others.',
      }),
    ),
    ...PAGE_QUERY,
  },
  content: {
    committed: Type.Integer({ description: 'Messages ever committed to, whatever the filter.' }),
    messages: Type.Array(
      exactly({
        ...AgentMessage.properties,
        ...members,
        expired: Type.Boolean({
          description:
            'Whether it expired before the recipient said anything: PENDING for ever, it can be acknowledged no more.',
        }),
      }),
    ),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { agentId, conversationId, status, expired, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'message', {
      ...indexFor({ agentId, conversationId, status }),
      filters: {
        agentId: agentId ?? null,
        conversationId: conversationId ?? null,
        status: status ?? null,
        expired: expired ?? null,
      },
      page,
      keep: (record: MessageRecord) =>
        (status === undefined || record.status === status) &&
        (expired === undefined || isTooLate(snapshot, record) === (expired === 'true')) &&
        (agentId === undefined ||
          [record.message.fromAgentId, record.message.toAgentId].includes(agentId)),
    });
    return {
      total,
      committed: counterOf(snapshot, 'messages'),
      messages: items.map((record) => ({
        ...record.message,
        ...without(record, 'message', 'endedAtHeight'),
        expired: isTooLate(snapshot, record),
      })),
      nextCursor,
    };
  },
});

/** Returns true if the next block would refuse an acknowledgement as too late. */
function isTooLate(
  { height }: Snapshot,
  { message, status }: Pick<MessageRecord, 'message' | 'status'>,
): boolean {
  return status === 'PENDING' && hasExpired(message.expiresAtHeight, height + 1);
}

/** Lists by the most selective filter; `keep` applies the others. */
function indexFor(filters: {
  agentId: string | undefined;
  conversationId: string | undefined;
  status: string | undefined;
}): ListChoice<'message'> {
  const { agentId, conversationId, status } = filters;
  if (conversationId !== undefined)
    return { list: 'messages-by-conversation', value: conversationId };
  if (agentId !== undefined) {
    return status === undefined
      ? { list: 'messages-by-agent', value: agentId }
      : { list: 'messages-by-agent-and-status', value: `${agentId}:${status}` };
  }
  return status === undefined
    ? { list: 'messages' }
    : { list: 'messages-by-status', value: status };
}
