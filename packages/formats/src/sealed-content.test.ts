import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize, MAX_SEALED_BYTES, sha256Hex, utf8Bytes, utf8Text } from '@netd/protocol';
import { base64url, GeneralEncrypt, importJWK } from 'jose';
import { encryptionKeyOf, generateEncryptionKey, publicEncryptionKey } from './encryption-key.ts';
import {
  isSealed,
  openContent,
  sealContent,
  type MessageContext,
  type SealedContent,
} from './sealed-content.ts';
import { refuses } from './testing/refusal.ts';

const [ada, bob, eve] = await Promise.all([1, 2, 3].map(generateEncryptionKey));
assert.ok(ada && bob && eve);
const facts: MessageContext = {
  chainId: 'net-test',
  fromAgentId: 'eve',
  toAgentId: 'ada',
  conversationId: 'c1',
  messageId: 'm1',
  sequence: 1,
};
const plaintext = utf8Bytes('The fourth.');
const { bytes, hash } = await sealContent(plaintext, [ada, bob].map(publicEncryptionKey), facts);
const jwe = JSON.parse(utf8Text(bytes)) as SealedContent;
const written = (content: object): Uint8Array => utf8Bytes(canonicalize(content));

test('only recipients can open it', async () => {
  for (const key of [ada, bob]) {
    assert.deepEqual(await openContent(bytes, key, facts, hash), plaintext);
  }
  await refuses('SEALED_NOT_FOR_KEY', () => openContent(bytes, eve, facts));
});

test('sealed content is recognized, and nothing else is taken for it', () => {
  assert.equal(isSealed(bytes), true);
  assert.equal(isSealed(plaintext), false);
  assert.equal(isSealed(written({ ...jwe, recipients: [] })), false);
});

test('a stranger who puts his own kid on an entry reads nothing', async () => {
  const [first] = jwe.recipients;
  assert.ok(first);
  const forged = { ...jwe, recipients: [{ ...first, header: { ...first.header, kid: eve.kid } }] };
  await refuses('SEALED_UNREADABLE', () => openContent(written(forged), eve, facts));
});

test('it opens in its own context only', async () => {
  const swaps: Partial<MessageContext>[] = [
    { chainId: 'net-other' },
    { fromAgentId: 'mallory' },
    { toAgentId: 'bob' },
    { conversationId: 'c2' },
    { messageId: 'm2' },
    { sequence: 2 },
  ];
  for (const swap of swaps) {
    const other = { ...facts, ...swap };
    await refuses('SEALED_CONTEXT_MISMATCH', () => openContent(bytes, ada, other));
    // Rewritten additional data must fail too.
    const rewritten = written({ ...jwe, aad: base64url.encode(canonicalize(other)) });
    await refuses('SEALED_UNREADABLE', () => openContent(rewritten, ada, other));
  }
});

test('a changed bit anywhere is noticed', async () => {
  const flip = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  for (const member of ['iv', 'ciphertext', 'tag'] as const) {
    const changed = written({ ...jwe, [member]: flip(jwe[member]) });
    await refuses('SEALED_UNREADABLE', () => openContent(changed, ada, facts));
  }
  for (const change of [
    { encrypted_key: flip(jwe.recipients[0]?.encrypted_key ?? '') },
    {
      header: {
        ...jwe.recipients[0]?.header,
        epk: { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) },
      },
    },
  ]) {
    const changed = written({ ...jwe, recipients: [{ ...jwe.recipients[0], ...change }] });
    await refuses('SEALED_UNREADABLE', () => openContent(changed, ada, facts));
  }
  await refuses('DOCUMENT_HASH_MISMATCH', () => openContent(bytes, ada, facts, sha256Hex('x')));
});

test('other algorithms, compression and unknown headers are refused', async () => {
  const header = (value: object) => base64url.encode(JSON.stringify(value));
  for (const enc of [
    { enc: 'A128GCM' },
    { enc: 'A256GCM', zip: 'DEF' },
    { enc: 'A256GCM', crit: ['x'], x: 1 },
  ]) {
    const changed = written({ ...jwe, protected: header(enc) });
    await refuses('SEALED_UNREADABLE', () => openContent(changed, ada, facts));
  }
  const recipients = [
    { ...jwe.recipients[0], header: { ...jwe.recipients[0]?.header, alg: 'dir' } },
  ];
  await refuses('DOCUMENT_INVALID', () => openContent(written({ ...jwe, recipients }), ada, facts));
  const unprotected = { ...jwe, unprotected: { x: 1 } };
  await refuses('DOCUMENT_INVALID', () => openContent(written(unprotected), ada, facts));
});

test('content sealed by another library opens too', async () => {
  const key = await importJWK(publicEncryptionKey(ada), 'ECDH-ES+A256KW');
  const foreign = await new GeneralEncrypt(plaintext)
    .setProtectedHeader({ enc: 'A256GCM' })
    .setAdditionalAuthenticatedData(utf8Bytes(canonicalize(facts)))
    .addRecipient(key)
    .setUnprotectedHeader({ alg: 'ECDH-ES+A256KW', kid: ada.kid })
    .encrypt();
  assert.deepEqual(await openContent(written(foreign), ada, facts), plaintext);
});

test('refuses no recipient, a bad key, an incomplete context, and content beyond the limit', async () => {
  const to = (keys: (typeof ada)[], content = plaintext, context: object = facts) =>
    sealContent(content, keys, context as MessageContext);
  await refuses('ENCRYPTION_KEY_INVALID', () => to([]));
  await refuses('ENCRYPTION_KEY_INVALID', () => to([{ ...ada, kid: bob.kid }]));
  // Every shared secret with this point is zero.
  const zero = { ...encryptionKeyOf('A'.repeat(43)), d: '' };
  await refuses('ENCRYPTION_KEY_INVALID', () => to([publicEncryptionKey(zero) as typeof ada]));
  const { sequence: _, ...incomplete } = facts;
  await refuses('DOCUMENT_INVALID', () => to([ada], plaintext, incomplete));
  await refuses('CONTENT_EMPTY', () => to([ada], new Uint8Array()));
  const long = new Uint8Array(MAX_SEALED_BYTES + 1);
  await refuses('DOCUMENT_TOO_LARGE', () => to([ada], long));
});

test('the largest content fits into a blob', async () => {
  const long = new Uint8Array(MAX_SEALED_BYTES);
  const keys = Array.from({ length: 16 }, () => publicEncryptionKey(ada));
  const blob = await sealContent(long, keys, facts);
  assert.equal((await openContent(blob.bytes, ada, facts)).length, long.length);
});

test('content that was really compressed is refused, not unpacked', async () => {
  const sealing = new GeneralEncrypt(new Uint8Array(100_000))
    .setProtectedHeader({ enc: 'A256GCM', zip: 'DEF' })
    .setAdditionalAuthenticatedData(utf8Bytes(canonicalize(facts)));
  sealing
    .addRecipient(await importJWK(publicEncryptionKey(ada), 'ECDH-ES+A256KW'))
    .setUnprotectedHeader({ alg: 'ECDH-ES+A256KW', kid: ada.kid });
  const packed = written(await sealing.encrypt());
  assert.ok(packed.length < 2_000, `${packed.length} bytes`);
  await assert.rejects(openContent(packed, ada, facts), { code: 'SEALED_UNREADABLE' });
});
