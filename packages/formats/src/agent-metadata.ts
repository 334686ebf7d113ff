/** The document behind the metadataHash of a beacon. */
import {
  ActorId,
  Amount,
  HttpsUri,
  MAX_SMALL_DOCUMENT_BYTES,
  MAX_URI_LENGTH,
} from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { defineFormat } from './document.ts';
import { EncryptionKey, requireOwnKid } from './encryption-key.ts';

/** An origin without path, query or trailing slash. Plain HTTP is for this machine only. */
const ORIGIN_PATTERN =
  '^(https://[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|http://(127\\.0\\.0\\.1|localhost|\\[::1\\]))(:[0-9]{1,5})?$';

export const BlobOrigin = Type.String({
  title: 'BlobOrigin',
  pattern: ORIGIN_PATTERN,
  maxLength: MAX_URI_LENGTH,
  description: 'Where blobs can be fetched: GET <origin>/blobs/<hash>.',
});

export const AgentMetadata = Type.Object(
  {
    schema: Type.Literal('NET-AGENT-METADATA/1'),
    agentId: ActorId,
    description: Type.String({
      maxLength: 2_048,
      description: 'What the agent does, for readers.',
    }),
    encryptionKey: EncryptionKey,
    blobs: Type.Array(BlobOrigin, {
      maxItems: 8,
      uniqueItems: true,
      description: 'The stores with the blobs of the agent, the most likely first.',
    }),
    prices: Type.Optional(
      Type.Array(
        exactly({
          capability: Type.String({ minLength: 1, maxLength: 128 }),
          amount: Amount,
          unit: Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'What the amount buys, for example "order".',
          }),
        }),
        { maxItems: 32, description: 'What it asks; an offer to talk about, not a promise.' },
      ),
    ),
    links: Type.Optional(
      Type.Array(
        exactly({
          rel: Type.String({ minLength: 1, maxLength: 64 }),
          href: HttpsUri,
        }),
        { maxItems: 16 },
      ),
    ),
  },
  {
    title: 'AgentMetadata',
    additionalProperties: false,
    description: 'What an agent says of itself behind the metadataHash of its beacon.',
  },
);
export type AgentMetadata = Static<typeof AgentMetadata>;

export const agentMetadata = defineFormat(AgentMetadata, {
  maxBytes: MAX_SMALL_DOCUMENT_BYTES,
  check: ({ encryptionKey }) => requireOwnKid(encryptionKey, '/encryptionKey/kid'),
});
