import assert from 'node:assert/strict';
import { createPublicKey, sign, verify } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { validatePublicKey, publicKeyHash } from '@netd/protocol';
import { writeOnce } from '@netd/engine';
import { ensureKeyFile, generateKeyFile, readKeyFile } from './keys.ts';
import { tempDir } from '@netd/testkit/temp-dir';

test('what is no key file is refused, and stays as it is', (t) => {
  const path = join(tempDir(t), 'key.json');
  const good = generateKeyFile('net-test-1', 'alice');
  for (const text of [
    '',
    '{',
    'null',
    '{}',
    JSON.stringify({ ...good, schema: 'NET-AGENT-KEY/2' }),
    JSON.stringify({ ...good, privateKey: undefined }),
    JSON.stringify({ ...good, privateKey: 'x' }),
  ]) {
    writeFileSync(path, text, { mode: 0o600 });
    const refused = {
      name: 'KeyFileError',
      message: `${path} is not a NET-AGENT-KEY/1 file; put the original file back`,
    };
    assert.throws(() => readKeyFile(path), refused, text);
    assert.throws(() => ensureKeyFile(path, 'net-test-1', 'alice'), refused, text);
    assert.equal(readFileSync(path, 'utf8'), text);
  }
});

test('a key file that an editor on Windows has marked is read', (t) => {
  const path = join(tempDir(t), 'key.json');
  const key = generateKeyFile('net-test-1', 'alice');
  writeFileSync(path, `\uFEFF${JSON.stringify(key)}`, { mode: 0o600 });
  assert.deepEqual(readKeyFile(path), key);
});

test('a key file is never written over', (t) => {
  const path = join(tempDir(t), 'keys', 'alice.json');
  const first = ensureKeyFile(path, 'net-test-1', 'alice');
  assert.deepEqual(ensureKeyFile(path, 'net-test-1', 'alice'), first);
  writeOnce(path, 'something else', 0o600);
  assert.deepEqual(readKeyFile(path), first);
});

test('ignores a draft that a killed process left behind', (t) => {
  const directory = join(tempDir(t), 'keys');
  mkdirSync(directory);
  writeFileSync(join(directory, '.1.abc.draft'), 'half a k');
  ensureKeyFile(join(directory, 'alice.json'), 'net-test-1', 'alice');
  assert.deepEqual(readdirSync(directory).toSorted(), ['.1.abc.draft', 'alice.json']);
});

test('a fresh key is valid, signs, and is for its owner only', (t) => {
  const path = join(tempDir(t), 'keys', 'alice.json');
  const key = ensureKeyFile(path, 'net-test-1', 'alice');
  assert.equal(validatePublicKey(key.publicKey), null);
  assert.equal(key.publicKeyHash, publicKeyHash(key.publicKey));
  assert.equal(key.actorId, 'alice');
  assert.equal(key.chainId, 'net-test-1');
  const message = Buffer.from('hello');
  const signature = sign(null, message, key.privateKey);
  assert.ok(verify(null, message, createPublicKey(key.publicKey), signature));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
});
