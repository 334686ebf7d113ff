/** Inputs that several tools share. Descriptions are short, because models read all of them first. */
import { Type } from '@netd/protocol/type';

export const closed = { additionalProperties: false };

const Id = { minLength: 1, maxLength: 128 };

export const AgentName = Type.String({ minLength: 2, maxLength: 64 });
export const OrderId = Type.String(Id);
export const MessageId = Type.String(Id);
export const ConversationId = Type.String(Id);

export const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 50 }));
export const Cursor = Type.Optional(
  Type.String({ maxLength: 512, description: 'nextCursor of the answer before, to go on.' }),
);
export const WaitSeconds = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 60, description: 'Waits for news in place of many calls.' }),
);

export const RequestId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A new one for each new request; the same one to repeat a call.',
});

export const AmountText = Type.String({ maxLength: 64, description: "Such as '1.5 NET'." });
