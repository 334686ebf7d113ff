import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize, sha256Hex, utf8Bytes, type JsonObject } from '@netd/protocol';
import { intentOf, signatureOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { blobPath, contentDigest, hashOfDigest } from './client/signature.ts';
import { assertRefused, BlobFloor, freshNonce, signerOf } from './testing/blob-floor.ts';

const bytes = utf8Bytes('some bytes');
const hash = sha256Hex(bytes);
const path = blobPath(hash);

test('a write without one good signature of a registered agent is refused, and nothing is stored', async (t) => {
  const floor = await BlobFloor.start(t);
  const good = await floor.signature('PUT', hash);
  const put = (headers: Record<string, string>, to = path) => floor.send('PUT', to, headers, bytes);
  const digest = { 'content-digest': contentDigest(hash) };

  assertRefused(await put({}), 'SIGNATURE_MISSING');
  assertRefused(await put({ ...good, signature: '' }), 'SIGNATURE_INVALID');
  const { signature: _, ...unsigned } = good;
  assertRefused(await put(unsigned), 'SIGNATURE_MISSING');

  // The key of another agent, an unknown agent, and malformed key ids.
  const foreign = await floor.signature('PUT', hash, { signer: signerOf('ada', 'bob') });
  assertRefused(await put(foreign), 'SIGNATURE_INVALID');
  const stranger = await floor.signature('PUT', hash, { signer: signerOf('nobody') });
  assertRefused(await put(stranger), 'SIGNER_UNKNOWN');
  for (const keyId of [
    '../network',
    'a',
    'ada%2F..',
    'x'.repeat(65),
    'ada/',
    'ada/a/b',
    'ada/..',
  ]) {
    const odd = await floor.signature('PUT', hash, { signer: signerOf(keyId, 'ada') });
    assertRefused(await put(odd), 'SIGNATURE_INVALID');
  }

  // Another request than the one signed.
  const other = sha256Hex('other');
  assertRefused(await put({ ...good }, blobPath(other)), 'SIGNATURE_INVALID');
  assertRefused(await floor.send('DELETE', path, good), 'SIGNATURE_INVALID');
  const changed = { ...good, 'content-digest': contentDigest(other) };
  assertRefused(await put(changed), 'SIGNATURE_INVALID');
  const elsewhere = await floor.signature('PUT', hash, { authority: 'blobs.example' });
  assertRefused(await put(elsewhere), 'SIGNATURE_INVALID');
  assertRefused(await put({ ...elsewhere, host: 'blobs.example' }), 'AUTHORITY_MISMATCH');

  // Another form of signature.
  const input = good['signature-input'] ?? '';
  const forms = [
    input.replace('"@authority" ', ''),
    input.replace('"content-digest"', '"content-digest";sf'),
    input.replace('"@method"', '"@method";req'),
    input.replace(';alg="ed25519"', ''),
    input.replace('ed25519', 'hmac-sha256'),
    input.replace(/;nonce="[^"]*"/, ''),
    input.replace(/;nonce="[^"]*"/, ';nonce="x"'),
    input.replace(/;created=\d+/, ''),
    `${input};tag="x"`,
    `${input}, second=${input.slice(4)}`,
    'sig',
    'sig=()',
    '(',
    '',
  ];
  for (const form of forms) {
    assertRefused(await put({ ...good, 'signature-input': form }), 'SIGNATURE_INVALID');
  }
  assertRefused(
    await put({ ...good, signature: good['signature']?.replace('sig', 'gis') ?? '' }),
    'SIGNATURE_INVALID',
  );
  assertRefused(await put({ ...good, signature: 'sig=:AAAA:' }), 'SIGNATURE_INVALID');

  assert.equal((await floor.get(hash)).status, 404);
  assert.deepEqual(floor.blobs.service.parts.catalogue.totals(), { bytes: 0, blobs: 0 });
  assert.equal((await put({ ...good, ...digest })).status, 201, 'the good one is good');
});

test('a signature holds for five minutes and a little, not before and not after', async (t) => {
  const now = 1_800_000_000_000;
  const floor = await BlobFloor.start(t, { now: () => now });
  const seconds = now / 1_000;
  const put = async (created: number) =>
    floor.send('PUT', path, await floor.signature('PUT', hash, { created }), bytes);
  for (const created of [seconds + 31, seconds - 331, 0]) {
    assertRefused(await put(created), 'SIGNATURE_EXPIRED');
  }
  assert.equal((await put(seconds + 30)).status, 201);
  assert.equal((await put(seconds - 330)).status, 200);
  const headers = await floor.signature('PUT', hash, { created: seconds });
  const longer =
    headers['signature-input']?.replace(/expires=\d+/, `expires=${seconds + 301}`) ?? '';
  const refused = await floor.send('PUT', path, { ...headers, 'signature-input': longer }, bytes);
  assertRefused(refused, 'SIGNATURE_EXPIRED');
});

test('a replayed request changes nothing', async (t) => {
  const floor = await BlobFloor.start(t);
  const put = await floor.signature('PUT', hash);
  assert.equal((await floor.send('PUT', path, put, bytes)).status, 201);
  assert.equal(
    (await floor.send('PUT', path, put, bytes)).status,
    200,
    'what is there stays there',
  );
  const removal = await floor.signature('DELETE', hash);
  assert.equal((await floor.send('DELETE', path, removal)).status, 204);
  assertRefused(await floor.send('PUT', path, put, bytes), 'NONCE_REPLAYED');
  assert.equal(
    (await floor.get(hash)).status,
    404,
    'an old upload does not bring back what was deleted',
  );
  assert.equal((await floor.put(bytes)).status, 201);
  assertRefused(await floor.send('DELETE', path, removal), 'NONCE_REPLAYED');
  assert.equal(
    (await floor.get(hash)).status,
    200,
    'an old deletion does not take what came later',
  );
  await floor.restart();
  const again = await floor.signature('DELETE', hash, { nonce: freshNonce() });
  assertRefused(
    await floor.send('DELETE', path, { ...removal, host: '127.0.0.1' }),
    'AUTHORITY_MISMATCH',
  );
  assert.equal((await floor.send('DELETE', path, again)).status, 204);
});

test('a node that does not answer stops writes, not reads', async (t) => {
  const floor = await BlobFloor.start(t);
  assert.equal((await floor.put(bytes)).status, 201);
  await floor.node.stop();
  const answer = await floor.put(utf8Bytes('more'), signerOf('bob'));
  assertRefused(answer, 'NODE_UNREACHABLE');
  assert.equal(answer.headers['retry-after'], '5');
  assert.deepEqual((await floor.get(hash)).bytes, Buffer.from(bytes));
  assert.equal((await floor.put(bytes)).status, 200, 'a key that is known still writes');
});

test('the key of a live session stores for its agent, and takes nothing away', async (t) => {
  const floor = await BlobFloor.start(t);
  const key = testKey('ada session s1');
  const act = async (action: string, payload: JsonObject, nonce = freshNonce()): Promise<void> => {
    const intent = intentOf('ada', { nonce, expiresAtHeight: 500, action, payload });
    const response = await fetch(`${floor.node.url}/v1/intents`, {
      method: 'POST',
      body: canonicalize(signEnvelope(testKey('ada'), intent)),
      headers: { 'content-type': 'application/json' },
    });
    assert.ok(response.ok, await response.text());
  };
  const nonce = freshNonce();
  const { chainId } = floor.node.node.chain.identity;
  const { publicKey, publicKeyHash } = key;
  const session = signerOf('ada/s1', 'ada session s1');
  assertRefused(await floor.put(bytes, session), 'SIGNER_UNKNOWN');
  const schema = 'NET-SESSION-KEY/1';
  await act(
    'grantSession',
    {
      agentId: 'ada',
      sessionId: 's1',
      publicKey,
      publicKeyHash,
      sessionKeySignature: signatureOf(key, {
        schema,
        chainId,
        actorId: 'ada',
        sessionId: 's1',
        publicKey,
        nonce,
      }),
      actions: ['acceptWork'],
      budget: 0,
      expiresAtHeight: 500,
    },
    nonce,
  );
  // Use the agent's key under the session's name, and the session's key under the agent's or another
  // agent's.
  for (const [keyId, keyName] of [
    ['ada/s1', 'ada'],
    ['ada', 'ada session s1'],
  ] as const) {
    assertRefused(await floor.put(bytes, signerOf(keyId, keyName)), 'SIGNATURE_INVALID');
  }
  assertRefused(await floor.put(bytes, signerOf('bob/s1', 'ada session s1')), 'SIGNER_UNKNOWN');
  assert.equal((await floor.put(bytes, session)).status, 201);
  assert.ok(floor.blobs.service.parts.catalogue.holds(hash, 'ada'), 'its agent holds it');
  assertRefused(await floor.delete(hash, session), 'SESSION_CANNOT_DELETE');
  assert.equal((await floor.delete(hash)).status, 204);

  await act('revokeSession', { agentId: 'ada', sessionId: 's1' });
  await floor.restart();
  assertRefused(await floor.put(bytes, session), 'SIGNER_UNKNOWN');
});

test('a digest header holds one SHA-256 and nothing else', () => {
  assert.equal(hashOfDigest(contentDigest(hash)), hash);
  const good = contentDigest(hash);
  for (const text of [
    '',
    good.replace('256', '512'),
    `${good}, ${good}`,
    good.slice(0, -1),
    good.replace('=:', '=: '),
    'sha-256=:AAAA:',
  ]) {
    assert.equal(hashOfDigest(text), null, text);
  }
});

test('an upload that changed nothing cannot be replayed after the removal', async (t) => {
  const floor = await BlobFloor.start(t);
  assert.equal((await floor.put(bytes)).status, 201);
  const again = await floor.signature('PUT', hash);
  const send = () => floor.send('PUT', path, again, bytes);
  assert.equal((await send()).status, 200);
  assert.equal((await floor.delete(hash)).status, 204);
  assertRefused(await send(), 'NONCE_REPLAYED');
  assert.equal((await floor.get(hash)).status, 404);
});
