import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sha256Hex } from '@netd/protocol';
import { signerOf } from '../testing/blob-floor.ts';
import { signRequest } from './signature.ts';

test('a client sends the signed request of docs/formats.md', async () => {
  const page = readFileSync(new URL('../../../../docs/formats.md', import.meta.url), 'utf8');
  const headers = await signRequest(signerOf('ada'), {
    method: 'PUT',
    authority: '127.0.0.1:8421',
    hash: sha256Hex('0123456789'),
    created: 1_800_000_000,
    nonce: 'b3a1f0c2d4e5',
  });
  const lines = page.split('\n').map((line) => line.toLowerCase());
  for (const [name, value] of Object.entries(headers)) {
    assert.ok(lines.includes(`${name}: ${value}`.toLowerCase()), `${name}: ${value}`);
  }
});

test('/llms.txt tells the form of a signed request that a client sends', async () => {
  const source = new URL('../../../server/src/discovery/llms-text.ts', import.meta.url);
  const headers = await signRequest(signerOf('ada'), {
    method: 'PUT',
    authority: '127.0.0.1:8421',
    hash: sha256Hex(''),
    created: 1,
    nonce: 'b3a1f0c2d4e5',
  });
  const form = headers['signature-input']
    ?.replace('created=1;expires=301', 'created=<unix>;expires=<at most 300 later>')
    .replace('b3a1f0c2d4e5', '<fresh>')
    .replace('"ada"', '"<your id>"');
  assert.ok(readFileSync(source, 'utf8').includes(`Signature-Input: ${form}, `), form);
});
