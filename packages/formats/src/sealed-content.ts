/**
 * Sealed content: JWE in General JSON serialization (RFC 7516 section 7.2.1, RFC 8037), as canonical JSON,
 * bound to its context. The intent that commits the hash proves the sender; the encryption does not.
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
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
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
    protected: base64urlText('The header {"enc":"A256GCM"}, with epk if there is one recipient'),
    aad: base64urlText('The canonical JSON of the context'),
    iv: Type.String({ pattern: '^[A-Za-z0-9_-]{16}$', description: '12 bytes, base64url.' }),
    ciphertext: Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      description:
        'The content, base64url. Never empty: some libraries take nothing for a failure.',
    }),
    tag: Type.String({ pattern: '^[A-Za-z0-9_-]{21}[AQgw]$', description: '16 bytes, base64url.' }),
    recipients: Type.Array(
      exactly({
        header: exactly({
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
        }),
        encrypted_key: Type.String({
          pattern: '^[A-Za-z0-9_-]{53}[AEIMQUYcgkosw048]$',
          description: 'The content key, wrapped for this recipient: 40 bytes, base64url.',
        }),
      }),
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

/** Context of a scope sealed to the worker, or a result sealed to the requester. */
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

export const MemoryKeyContext = Type.Object(
  {
    agentId: ActorId,
    generation: Type.Integer({ minimum: 1 }),
    parentCheckpointHash: orNull(Hash),
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
 * @param recipients 1 to 16 public keys
 * @throws FormatError if a key is unusable, the content too large or the context incomplete
 */
export async function sealContent(
  plaintext: Uint8Array,
  recipients: readonly EncryptionKey[],
  facts: SealContext,
): Promise<Blob> {
  return sealed.make(await sealToRecipients(plaintext, recipients, facts));
}

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
    // A point of small order has no shared secret.
    throw new FormatError('ENCRYPTION_KEY_INVALID', '', 'nothing can be sealed to these keys');
  }
}

/**
 * @param facts from the chain, never from the content itself
 * @param hash from the chain
 */
export async function openContent(
  bytes: Uint8Array,
  key: EncryptionSecret | Keyring,
  facts: SealContext,
  hash?: string,
): Promise<Uint8Array> {
  return openSealed(sealed.read(bytes, hash), key, facts);
}

export function recipientsOf(bytes: Uint8Array): string[] {
  return sealed.read(bytes).recipients.map(({ header }) => header.kid);
}

export function isSealed(bytes: Uint8Array): boolean {
  try {
    return recipientsOf(bytes).length > 0;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return false;
  }
}

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
      // The format has no compression, so nothing small can become large.
      maxDecompressedLength: 0,
    });
    return plaintext;
  } catch {
    throw new FormatError('SEALED_UNREADABLE');
  }
}
