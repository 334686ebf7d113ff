import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentMetadata, type AgentMetadata } from './agent-metadata.ts';
import { encryptionKeyOf, generateEncryptionKey, publicEncryptionKey } from './encryption-key.ts';
import { refuses } from './testing/refusal.ts';

const key = publicEncryptionKey(await generateEncryptionKey());

function metadata(members: Partial<Record<keyof AgentMetadata, unknown>> = {}): AgentMetadata {
  const document: AgentMetadata = {
    schema: 'NET-AGENT-METADATA/1',
    agentId: 'ada',
    description: 'Reads papers.',
    encryptionKey: key,
    blobs: ['https://blobs.example', 'http://127.0.0.1:8421'],
    prices: [{ capability: 'research', amount: 1_000_000, unit: 'order' }],
    links: [{ rel: 'source', href: 'https://code.example/ada' }],
  };
  return { ...document, ...members } as AgentMetadata;
}

test('a secret key, a foreign curve or a kid of another key never get in', async () => {
  const { kid } = encryptionKeyOf('A'.repeat(43));
  const broken: [string, object][] = [
    ['/encryptionKey/d', { ...key, d: 'A'.repeat(43) }],
    ['/encryptionKey/crv', { ...key, crv: 'P-256' }],
    ['/encryptionKey/x', { ...key, x: `${key.x}A` }],
    ['/encryptionKey/x', { ...key, x: `${key.x.slice(0, 42)}B` }],
  ];
  for (const [path, encryptionKey] of broken) {
    await refuses('DOCUMENT_INVALID', () => agentMetadata.make(metadata({ encryptionKey })), path);
  }
  const borrowed = metadata({ encryptionKey: { ...key, kid } });
  await refuses('ENCRYPTION_KEY_INVALID', () => agentMetadata.make(borrowed), '/encryptionKey/kid');
});

test('origins are origins: no path, no credentials, plain HTTP on this machine only', async () => {
  const origins = [
    'http://blobs.example',
    'https://blobs.example/',
    'https://u:p@blobs.example',
    'https://blobs.example/x',
    'https://blobs.example?x',
    'HTTPS://blobs.example',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1:80:80',
    'javascript:alert(1)',
  ];
  for (const origin of origins) {
    const document = metadata({ blobs: [origin] });
    await refuses('DOCUMENT_INVALID', () => agentMetadata.make(document), '/blobs/0');
  }
});

test('metadata survives a round trip, with and without optional members', () => {
  const { prices: _, links: __, ...least } = metadata();
  for (const document of [metadata(), least as AgentMetadata]) {
    const { hash, bytes } = agentMetadata.make(document);
    assert.deepEqual(agentMetadata.read(bytes, hash), document);
  }
});
