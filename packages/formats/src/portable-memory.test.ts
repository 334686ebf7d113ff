import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MEMORY_CHUNK_BYTES, merkleRoot, sha256Hex } from '@netd/protocol';
import type { Blob } from './document.ts';
import { generateEncryptionKey, publicEncryptionKey } from './encryption-key.ts';
import {
  openMemory,
  portableMemory,
  readManifest,
  writeMemory,
  type PortableMemory,
} from './portable-memory.ts';
import { refuses } from './testing/refusal.ts';

const [own, runtime, stranger] = await Promise.all([1, 2, 3].map(generateEncryptionKey));
assert.ok(own && runtime && stranger);

/** Two chunks and a byte. */
const plaintext = new Uint8Array(2 * MEMORY_CHUNK_BYTES + 1).map((_, i) => (i >> 16) ^ i);
const facts = { agentId: 'ada', generation: 1, parentCheckpointHash: null };

async function written(content: Uint8Array, about: Parameters<typeof writeMemory>[1] = facts) {
  const blobs = new Map<string, Uint8Array>();
  const store = async ({ hash, bytes }: Blob): Promise<void> => void blobs.set(hash, bytes);
  const keys = [own, runtime].map((key) => publicEncryptionKey(key!));
  return { ...(await writeMemory(content, about, keys, store)), blobs };
}

const memory = await written(plaintext);
const fetchFrom = (blobs: Map<string, Uint8Array>) => async (hash: string) =>
  blobs.get(hash) ?? null;
const open = (manifest: PortableMemory, blobs = memory.blobs, key = own) =>
  openMemory(manifest, key, fetchFrom(blobs));

/** A forged manifest with a consistent root. */
function withChunks(manifest: PortableMemory, chunks: PortableMemory['chunks']): PortableMemory {
  return { ...manifest, chunks, chunksRoot: merkleRoot(chunks.map(({ hash }) => hash)) };
}

test('only the agent and the target runtime can open it', async () => {
  for (const key of [own, runtime]) {
    assert.deepEqual(await open(memory.manifest, memory.blobs, key), plaintext);
  }
  await refuses('SEALED_NOT_FOR_KEY', () => open(memory.manifest, memory.blobs, stranger));
});

test('the manifest is found by its hash, and is that of the checkpoint', async () => {
  const { bundleHash, blobs, manifest } = memory;
  const bytes = blobs.get(bundleHash)!;
  const checkpoint = { ...facts, bundleHash };
  assert.deepEqual(readManifest(bytes, checkpoint), manifest);
  await refuses('DOCUMENT_HASH_MISMATCH', () =>
    readManifest(bytes, { ...checkpoint, bundleHash: sha256Hex('') }),
  );
  await refuses('MEMORY_WRONG_AGENT', () => readManifest(bytes, { ...checkpoint, agentId: 'eve' }));
  await refuses('MEMORY_WRONG_GENERATION', () =>
    readManifest(bytes, { ...checkpoint, generation: 2 }),
  );
  const orphan = { ...checkpoint, parentCheckpointHash: bundleHash };
  await refuses(
    'MEMORY_WRONG_GENERATION',
    () => readManifest(bytes, orphan),
    '/parentCheckpointHash',
  );
});

test('a missing, changed, cut or swapped chunk is noticed', async () => {
  const { manifest, blobs } = memory;
  const [first, second] = manifest.chunks;
  assert.ok(first && second);
  const without = new Map(blobs);
  without.delete(second.hash);
  await refuses('MEMORY_CHUNK_MISSING', () => open(manifest, without), '/chunks/1');
  const changed = blobs.get(second.hash)!.slice();
  changed[100]! ^= 1;
  await refuses(
    'MEMORY_CHUNK_MISMATCH',
    () => open(manifest, new Map(blobs).set(second.hash, changed)),
    '/chunks/1',
  );
  const cut = blobs.get(second.hash)!.slice(0, -1);
  await refuses(
    'MEMORY_CHUNK_MISMATCH',
    () => open(manifest, new Map(blobs).set(second.hash, cut)),
    '/chunks/1',
  );
  const swapped = blobs.get(first.hash)!;
  await refuses(
    'MEMORY_CHUNK_MISMATCH',
    () => open(manifest, new Map(blobs).set(second.hash, swapped)),
    '/chunks/1',
  );
});

test('a manifest that contradicts itself is not even read', async () => {
  const { manifest } = memory;
  const [first, second, third] = manifest.chunks;
  assert.ok(first && second && third);
  const inconsistent = (broken: PortableMemory, path: string) =>
    refuses('MEMORY_MANIFEST_INCONSISTENT', () => portableMemory.make(broken), path);
  await inconsistent({ ...manifest, chunks: [second, first, third] }, '/chunksRoot');
  await inconsistent(withChunks(manifest, [first, third, second]), '/chunks/1/byteLength');
  await inconsistent({ ...manifest, byteLength: manifest.byteLength + 1 }, '/chunks/2/byteLength');
  await inconsistent(withChunks(manifest, [first, second]), '/chunks/1/byteLength');
});

test('a forger with a consistent manifest still lacks the key', async () => {
  const [first, second, third] = memory.manifest.chunks;
  assert.ok(first && second && third);
  const swapped = withChunks(memory.manifest, [second, first, third]);
  await refuses('SEALED_CONTEXT_MISMATCH', () => open(swapped));
});

test('an earlier generation cannot be passed off as a later one', async () => {
  const next = { agentId: 'ada', generation: 2, parentCheckpointHash: memory.bundleHash };
  const second = await written(plaintext.subarray(0, 10), next);
  assert.deepEqual(await open(second.manifest, second.blobs), plaintext.subarray(0, 10));
  await refuses('SEALED_CONTEXT_MISMATCH', () => open({ ...memory.manifest, ...next }));
  const borrowed = { ...second.manifest, key: memory.manifest.key };
  await refuses('SEALED_CONTEXT_MISMATCH', () => open(borrowed, second.blobs));
});

test('nothing and too much are refused before anything is stored', async () => {
  const stored: string[] = [];
  const write = (content: Uint8Array) =>
    writeMemory(
      content,
      facts,
      [publicEncryptionKey(own)],
      async ({ hash }) => void stored.push(hash),
    );
  await refuses('CONTENT_EMPTY', () => write(new Uint8Array()));
  const huge = { length: 1_025 * MEMORY_CHUNK_BYTES } as Uint8Array;
  await refuses('MEMORY_TOO_LARGE', () => write(huge));
  assert.deepEqual(stored, []);
});

test('whole chunks, one byte, and the same twice', async () => {
  for (const length of [1, MEMORY_CHUNK_BYTES, MEMORY_CHUNK_BYTES + 1]) {
    const content = plaintext.subarray(0, length);
    const { manifest, blobs } = await written(content);
    assert.equal(manifest.chunks.length, Math.ceil(length / MEMORY_CHUNK_BYTES));
    assert.deepEqual(await open(manifest, blobs), content);
  }
  const again = await written(plaintext);
  assert.equal(again.manifest.stateRoot, memory.manifest.stateRoot);
  assert.notEqual(
    again.manifest.chunksRoot,
    memory.manifest.chunksRoot,
    'a key of its own each time',
  );
});
