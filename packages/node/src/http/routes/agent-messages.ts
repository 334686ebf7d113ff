import { AgentMessage, type MessageRecord } from '@netd/ledger';
import { ChainPosition, Hash } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { documentHead, snapshotFacts } from '../../documents/facts.ts';
import type { Routes } from '../context.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import {
  DEFAULT_PAGE_SIZE,
  documentSchema,
  found,
  NextCursor,
  pageQuery,
  problems,
  SnapshotFacts,
} from '../schemas.ts';

const Status = Type.Enum(['PENDING', 'DELIVERED', 'REJECTED']);

const MessagesQuery = Type.Object({
  agentId: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only what this agent sent or received.' }),
  ),
  conversationId: Type.Optional(Type.String({ maxLength: 128 })),
  status: Type.Optional(Status),
  ...pageQuery(),
});
type MessagesQuery = Static<typeof MessagesQuery>;

const MessageList = documentSchema(
  'NET-AGENT-MESSAGE-REGISTRY/1',
  {
    snapshot: SnapshotFacts,
    total: Type.Integer({ description: 'Messages ever committed to, whatever the filter.' }),
    messages: Type.Array(
      Type.Object(
        {
          ...AgentMessage.properties,
          status: Type.Enum(['PENDING', 'DELIVERED', 'REJECTED'], {
            description: 'PENDING also where it expired unanswered.',
          }),
          sentAt: ChainPosition,
          transitionHash: Hash,
          acknowledgement: Type.Union([
            Type.Object({ receiptHash: Hash, at: ChainPosition }, { additionalProperties: false }),
            Type.Null(),
          ]),
        },
        { additionalProperties: false },
      ),
      {
        description:
          'Commitments, newest first. With several filters a page may hold fewer than limit and still go on.',
      },
    ),
    nextCursor: NextCursor,
  },
  'Commitments to encrypted messages; the node never sees a body.',
);

export const agentMessageRoutes: Routes = (app, context) => {
  app.get<{ Querystring: MessagesQuery }>(
    '/v1/agent-messages',
    {
      schema: {
        operationId: 'listAgentMessages',
        tags: ['messages'],
        summary: 'Message commitments, by agent, conversation and status',
        querystring: MessagesQuery,
        response: { ...found(MessageList), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor, agentId, conversationId, status } = request.query;
      const filters = {
        agentId: agentId ?? null,
        conversationId: conversationId ?? null,
        status: status ?? null,
      };
      const below = readCursor('agent-messages', filters, cursor);
      const [list, value] = indexFor(request.query);
      const keep = (record: MessageRecord): boolean =>
        (status === undefined || record.status === status) &&
        (agentId === undefined ||
          [record.message.fromAgentId, record.message.toAgentId].includes(agentId));
      return context.document(request, reply, (snapshot) => {
        const page = snapshot.list('message', list, { value, below, limit, keep });
        return {
          ...documentHead(snapshot, 'NET-AGENT-MESSAGE-REGISTRY/1'),
          snapshot: snapshotFacts(snapshot),
          total: snapshot.get('counter', 'messages') ?? 0,
          messages: page.items.map(
            ({ message, status: reached, sentAt, transitionHash, acknowledgement }) => ({
              ...message,
              status: reached,
              sentAt,
              transitionHash,
              acknowledgement,
            }),
          ),
          nextCursor: makeCursor('agent-messages', filters, page.next),
        };
      });
    },
  );
};

/** The list of the most selective filter; what else is asked for is looked at record by record. */
function indexFor({ agentId, conversationId, status }: MessagesQuery): [string, string] {
  if (conversationId !== undefined) return ['messages-by-conversation', conversationId];
  if (agentId !== undefined) {
    return status === undefined
      ? ['messages-by-agent', agentId]
      : ['messages-by-agent-and-status', `${agentId}:${status}`];
  }
  return status === undefined ? ['messages', ''] : ['messages-by-status', status];
}
