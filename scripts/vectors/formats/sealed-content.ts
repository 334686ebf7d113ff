import { publicEncryptionKey, sealContent, type MessageContext, type SealedContent } from '@netd/formats';
import { canonicalize, utf8Bytes, utf8Text } from '@netd/protocol';
import { encryptionKey } from './keys.ts';

const context: MessageContext = {
  chainId: 'net-vectors',
  fromAgentId: 'eve',
  toAgentId: 'ada',
  conversationId: 'c1',
  messageId: 'm1',
  sequence: 1,
};

export async function sealedContents(): Promise<unknown> {
  const keys = Object.fromEntries(['ada', 'bob', 'eve'].map((name) => [name, encryptionKey(name)]));
  const sealTo = async (names: string[], plaintext: string) => {
    const recipients = names.map((name) => publicEncryptionKey(encryptionKey(name)));
    return utf8Text((await sealContent(utf8Bytes(plaintext), recipients, context)).bytes);
  };
  const two = await sealTo(['ada', 'bob'], 'The fourth.');
  const one = await sealTo(['ada'], '{"answer":"ü"}');
  const jwe = JSON.parse(two) as SealedContent;
  const [first, second] = jwe.recipients;
  if (!first || !second) throw new Error('two recipients were asked for');
  const base64 = (value: unknown) => Buffer.from(canonicalize(value)).toString('base64url');
  const flip = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  const other = { ...context, messageId: 'm2' };
  const invalid = (
    name: string,
    code: string,
    { content = jwe as object, facts = context, key = 'ada' },
  ) => ({ name, content: canonicalize(content), context: facts, key, code });
  const forged = (changes: object) => ({
    content: { ...jwe, recipients: [{ ...first, ...changes }, second] },
  });
  return {
    about:
      'Sealed content: JWE General JSON, ECDH-ES+A256KW and A256GCM, as canonical JSON; the additional data are the canonical bytes of the context. It holds randomness, so it is opened and never made again. keys are X25519 JWKs with their secrets. invalid: opening with this key in this context is refused with this code.',
    keys,
    valid: [
      { name: 'two recipients', content: two, context, opens: ['ada', 'bob'], plaintext: 'The fourth.' },
      { name: 'one recipient', content: one, context, opens: ['ada'], plaintext: '{"answer":"ü"}' },
    ],
    invalid: [
      invalid('another message', 'SEALED_CONTEXT_MISMATCH', { facts: other }),
      invalid('another message, additional data rewritten', 'SEALED_UNREADABLE', {
        facts: other,
        content: { ...jwe, aad: base64(other) },
      }),
      invalid('a key it is not sealed to', 'SEALED_NOT_FOR_KEY', { key: 'eve' }),
      invalid('a stranger’s kid on an entry', 'SEALED_UNREADABLE', {
        key: 'eve',
        ...forged({ header: { ...first.header, kid: encryptionKey('eve').kid } }),
      }),
      invalid('a changed ciphertext', 'SEALED_UNREADABLE', {
        content: { ...jwe, ciphertext: flip(jwe.ciphertext) },
      }),
      invalid('a changed tag', 'SEALED_UNREADABLE', { content: { ...jwe, tag: flip(jwe.tag) } }),
      invalid('a changed wrapped key', 'SEALED_UNREADABLE', forged({ encrypted_key: flip(first.encrypted_key) })),
      invalid(
        'an ephemeral key of small order',
        'SEALED_UNREADABLE',
        forged({ header: { ...first.header, epk: { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) } } }),
      ),
      invalid('another algorithm', 'DOCUMENT_INVALID', forged({ header: { ...first.header, alg: 'ECDH-ES+A128KW' } })),
      invalid('another cipher', 'SEALED_UNREADABLE', {
        content: { ...jwe, protected: base64({ enc: 'A128GCM' }) },
      }),
      invalid('compressed', 'SEALED_UNREADABLE', {
        content: { ...jwe, protected: base64({ enc: 'A256GCM', zip: 'DEF' }) },
      }),
      invalid('a shared unprotected header', 'DOCUMENT_INVALID', { content: { ...jwe, unprotected: {} } }),
      invalid('nothing', 'DOCUMENT_INVALID', { content: { ...jwe, ciphertext: '' } }),
      invalid('no recipient', 'DOCUMENT_INVALID', { content: { ...jwe, recipients: [] } }),
    ],
  };
}
