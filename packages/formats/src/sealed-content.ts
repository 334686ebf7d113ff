/**
 * Content that only its recipients can read: JWE in General JSON serialization (RFC 7516 section 7.2.1, RFC 8037), as
 * canonical JSON. The facts it was sealed for are its additional data, so that a ciphertext cannot be used elsewhere.
 * Who sent it is proved by the intent that commits its hash, not by the encryption.
 */
import {
  ActorId,
  canonicalize,
  Hash,
  MAX_BLOB_BYTES,
  MAX_FACTS_BYTES,
  MAX_RECIPIENTS,
  MAX_SEALED_BYTES,
  RecordId,
  utf8Bytes,
} from '@netd/protocol';
import { base64url, flattenedDecrypt, GeneralEncrypt } from 'jose';
import { Type, type Static } from '@netd/protocol/type';
import { defineFormat, requireSize, type Blob } from './document.ts';
import {
  importEncryptionKey,
  Kid,
  type EncryptionKey,
  type EncryptionSecret,
  type Keyring,
} from './encryption-key.ts';
import { FormatError } from './errors.ts';

const KEY_MANAGEMENT = 'ECDH-ES+A256KW';
const CIPHER = 'A256GCM';

const base64urlText = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]*$', description: `${description}, base64url.` });

export const SealedContent = Type.Object(
  {
    protected: base64urlText('The header {"enc":"A256GCM"}, with epk where there is one recipient'),
    aad: base64urlText('The canonical JSON of the context'),
    iv: Type.String({ pattern: '^[A-Za-z0-9_-]{16}$', description: '12 bytes, base64url.' }),
    ciphertext: Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      description:
        'The content, base64url. Never empty: some libraries take nothing for a failure.',
    }),
    tag: Type.String({ pattern: '^[A-Za-z0-9_-]{21}[AQgw]$', description: '16 bytes, base64url.' }),
    recipients: Type.Array(
      Type.Object(
        {
          header: Type.Object(
            {
              alg: Type.Literal(KEY_MANAGEMENT),
              kid: Kid,
              epk: Type.Optional(
                Type.Object(
                  {
                    kty: Type.Literal('OKP'),
                    crv: Type.Literal('X25519'),
                    x: Type.String({ pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$' }),
                  },
                  {
                    additionalProperties: false,
                    description: 'Of one recipient alone it stands in the protected header.',
                  },
                ),
              ),
            },
            { additionalProperties: false },
          ),
          encrypted_key: Type.String({
            pattern: '^[A-Za-z0-9_-]{53}[AEIMQUYcgkosw048]$',
            description: 'The content key, wrapped for this recipient: 40 bytes, base64url.',
          }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_RECIPIENTS, description: 'One entry a key.' },
    ),
  },
  {
    title: 'SealedContent',
    additionalProperties: false,
    description: 'A JWE in General JSON serialization, ECDH-ES+A256KW and A256GCM only.',
  },
);
export type SealedContent = Static<typeof SealedContent>;

/** The facts of a message on the chain that its content is bound to. */
export const MessageContext = Type.Object(
  {
    chainId: Type.String({ minLength: 1, maxLength: 64 }),
    fromAgentId: ActorId,
    toAgentId: ActorId,
    conversationId: RecordId,
    messageId: RecordId,
    sequence: Type.Integer({ minimum: 1 }),
  },
  { title: 'MessageContext', additionalProperties: false },
);
export type MessageContext = Static<typeof MessageContext>;

/** The facts of an order that a scope sealed to its worker, or a result sealed to its requester, is bound to. */
export const WorkContext = Type.Object(
  {
    chainId: Type.String({ minLength: 1, maxLength: 64 }),
    fromAgentId: ActorId,
    toAgentId: ActorId,
    orderId: RecordId,
    part: Type.Enum(['scope', 'deliverable']),
  },
  { title: 'WorkContext', additionalProperties: false },
);
export type WorkContext = Static<typeof WorkContext>;

/** What the key of a portable memory is bound to: one generation and its very chunks. */
export const MemoryKeyContext = Type.Object(
  {
    agentId: ActorId,
    generation: Type.Integer({ minimum: 1 }),
    parentCheckpointHash: Type.Union([Hash, Type.Null()]),
    chunksRoot: Hash,
    stateRoot: Hash,
  },
  { title: 'MemoryKeyContext', additionalProperties: false },
);
export type MemoryKeyContext = Static<typeof MemoryKeyContext>;

export type SealContext = MessageContext | WorkContext | MemoryKeyContext;

const context = defineFormat(Type.Union([MessageContext, WorkContext, MemoryKeyContext]), {
  maxBytes: MAX_FACTS_BYTES,
});
const sealed = defineFormat(SealedContent, { maxBytes: MAX_BLOB_BYTES });

/**
 * @param recipients at least one public key, at most 16
 * @throws FormatError where a key is not usable, the content too large or the context incomplete
 */
export async function sealContent(
  plaintext: Uint8Array,
  recipients: readonly EncryptionKey[],
  facts: SealContext,
): Promise<Blob> {
  return sealed.make(await sealToRecipients(plaintext, recipients, facts));
}

/** The same as an object, to be part of another document. */
export async function sealToRecipients(
  plaintext: Uint8Array,
  recipients: readonly EncryptionKey[],
  facts: SealContext,
): Promise<SealedContent> {
  requireSize(plaintext, MAX_SEALED_BYTES);
  if (plaintext.length === 0) throw new FormatError('CONTENT_EMPTY');
  const jwe = new GeneralEncrypt(plaintext)
    .setProtectedHeader({ enc: CIPHER })
    .setAdditionalAuthenticatedData(context.make(facts).bytes);
  for (const key of recipients) {
    const header = { alg: KEY_MANAGEMENT, kid: key.kid };
    jwe.addRecipient(await importEncryptionKey(key)).setUnprotectedHeader(header);
  }
  try {
    return (await jwe.encrypt()) as SealedContent;
  } catch {
    // A point of small order, for which there is no shared secret, or no recipient at all.
    throw new FormatError('ENCRYPTION_KEY_INVALID', '', 'nothing can be sealed to these keys');
  }
}

/**
 * @param key one, or a ring of which the first that has an entry opens it
 * @param facts those of the message or order that led here, never those that the content brings along
 * @param hash what the chain says the bytes are
 * @throws FormatError
 */
export async function openContent(
  bytes: Uint8Array,
  key: EncryptionSecret | Keyring,
  facts: SealContext,
  hash?: string,
): Promise<Uint8Array> {
  return openSealed(sealed.read(bytes, hash), key, facts);
}

/** The kids it is sealed to. @throws FormatError where it is no sealed content */
export function recipientsOf(bytes: Uint8Array): string[] {
  return sealed.read(bytes).recipients.map(({ header }) => header.kid);
}

/** The same for an object that is part of another document and has its form. */
export async function openSealed(
  content: SealedContent,
  key: EncryptionSecret | Keyring,
  facts: SealContext,
): Promise<Uint8Array> {
  if (content.aad !== base64url.encode(utf8Bytes(canonicalize(facts)))) {
    throw new FormatError('SEALED_CONTEXT_MISMATCH', '/aad');
  }
  const keys: readonly EncryptionSecret[] = 'kid' in key ? [key] : key;
  const handles = await Promise.all(keys.map(importEncryptionKey));
  const found = keys.flatMap(({ kid }, index) => {
    const entry = content.recipients.find(({ header }) => header.kid === kid);
    const secret = handles[index];
    return entry && secret ? [{ entry, secret }] : [];
  });
  const [{ entry, secret } = {}] = found;
  if (!entry || !secret) throw new FormatError('SEALED_NOT_FOR_KEY', '/recipients');
  const { recipients: _, ...shared } = content;
  try {
    const { plaintext } = await flattenedDecrypt({ ...shared, ...entry }, secret, {
      keyManagementAlgorithms: [KEY_MANAGEMENT],
      contentEncryptionAlgorithms: [CIPHER],
      // The format knows no compression, and other readers none: nothing small becomes large here.
      maxDecompressedLength: 0,
    });
    return plaintext;
  } catch {
    throw new FormatError('SEALED_UNREADABLE');
  }
}
