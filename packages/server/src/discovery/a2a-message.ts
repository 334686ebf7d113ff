/** Messages of A2A v1.0.1 (sections 3.2 and 4.1). */
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { compileSchema, type Violation } from '@netd/protocol';
import { orNull, Type, type Static } from '@netd/protocol/type';
import { A2A_RPC_PATH } from './a2a-errors.ts';
import { A2A_MODES } from './agent-card.ts';

// Unknown members must be ignored, and null means absent in ProtoJSON.
const text = orNull(Type.String());
const members = orNull(Type.Object({}));

const Part = Type.Object(
  {
    text: Type.Optional(Type.String()),
    data: Type.Optional(Type.Unknown()),
    raw: Type.Optional(Type.String({ description: 'Base64.' })),
    url: Type.Optional(Type.String({ description: 'Never fetched.' })),
    mediaType: Type.Optional(text),
    filename: Type.Optional(text),
    metadata: Type.Optional(members),
  },
  { description: 'Exactly one of text, data, raw, url.' },
);

const MAX_PARTS = 64;

export const SendMessage = Type.Object(
  {
    message: Type.Object({
      messageId: Type.String({ minLength: 1 }),
      role: Type.Literal('ROLE_USER'),
      parts: Type.Array(Part, { minItems: 1, maxItems: MAX_PARTS }),
      contextId: Type.Optional(text),
      taskId: Type.Optional(text),
      metadata: Type.Optional(members),
    }),
    configuration: Type.Optional(
      orNull(
        Type.Object({
          acceptedOutputModes: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_PARTS })),
          taskPushNotificationConfig: Type.Optional(members),
          historyLength: Type.Optional(orNull(Type.Integer({ minimum: 0 }))),
        }),
      ),
    ),
    metadata: Type.Optional(members),
  },
  { description: 'An A2A SendMessageRequest.' },
);
export type SendMessage = Static<typeof SendMessage>;

const violationsOf = compileSchema(SendMessage, { listAll: true });

export class MalformedMessage extends RequestMalformedError {
  override name = 'RequestMalformedError';
  readonly places: readonly Violation[];

  constructor(message: string, places: readonly Violation[] = []) {
    super(message);
    this.places = places;
  }
}

export function parseSendMessage(bytes: Uint8Array): SendMessage {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new MalformedMessage('The body is not JSON in UTF-8.');
  }
  return requireSendMessage(value);
}

export function requireSendMessage(value: unknown): SendMessage {
  const places = violationsOf(value) ?? validateParts(value as SendMessage);
  if (places.length > 0) {
    const hint = isLegacy(value) ? ` ${LEGACY_HINT}` : '';
    throw new MalformedMessage(`The body is no SendMessageRequest; see the places.${hint}`, places);
  }
  return value as SendMessage;
}

const LEGACY_HINT = `This is a message of A2A 0.3: send it as message/send, in JSON-RPC, to ${A2A_RPC_PATH}.`;

/** Returns true for version 0.3, which writes roles in lower case. */
function isLegacy(value: unknown): boolean {
  const role = (value as { message?: { role?: unknown } } | null)?.message?.role;
  return role === 'user' || role === 'agent';
}

const CONTENTS = ['text', 'data', 'raw', 'url'] as const;

function validateParts({ message }: SendMessage): Violation[] {
  return message.parts.flatMap((part, index) => {
    const count = CONTENTS.filter((name) => Object.hasOwn(part, name)).length;
    const path = `/message/parts/${index}`;
    return count === 1
      ? []
      : [{ path, message: `must hold exactly one of ${CONTENTS.join(', ')}` }];
  });
}

/**
 * Joins the text of all parts with the top-level strings of data.
 * @throws ContentTypeNotSupportedError if a part has an unreadable type
 */
export function questionOf({ message }: SendMessage): string {
  return message.parts.map((part) => wordsOf(part)).join(' ');
}

function wordsOf({ text: plain, data, raw, url, mediaType }: Static<typeof Part>): string {
  const type = mediaType?.split(';')[0]?.trim().toLowerCase();
  const known =
    type === undefined ? raw === undefined && url === undefined : A2A_MODES.includes(type);
  if (!known) {
    throw new ContentTypeNotSupportedError(
      `A part of this media type cannot be read; send ${A2A_MODES.join(' or ')}.`,
    );
  }
  if (plain !== undefined) return plain;
  if (raw !== undefined) return Buffer.from(raw, 'base64').toString();
  if (data !== null && typeof data === 'object') {
    return Object.values(data)
      .filter((value) => typeof value === 'string')
      .join(' ');
  }
  return typeof data === 'string' ? data : '';
}
