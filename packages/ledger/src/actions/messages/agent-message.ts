/** A commitment to a message. Nodes never see the body. */
import { ActorId, Hash, Height, HttpsUri, RecordId } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';

export const AgentMessage = Type.Object(
  {
    schema: Type.Literal('NET-AGENT-MESSAGE/1'),
    messageId: Type.String({ ...RecordId, description: 'Never used before, by any agent.' }),
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
      Type.String({
        ...HttpsUri,
        description: 'The address from which the recipient can fetch the body.',
      }),
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
