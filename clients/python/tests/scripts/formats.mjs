// Reads bytes from Python with @netd/formats, and writes bytes for Python to read: JSON in, JSON out.
import { openContent, openMemory, readManifest, sealContent, writeMemory } from '@netd/formats';
import { readFileSync } from 'node:fs';

const {
  key,
  public: recipients,
  facts,
  sealed,
  memory,
  bundleHash,
} = JSON.parse(readFileSync(0, 'utf8'));
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (value) => new TextEncoder().encode(value);

const opened = [];
for (const one of sealed) opened.push(text(await openContent(bytes(one), key, facts)));
const fetchChunk = async (hash) => Buffer.from(memory[hash], 'hex');
const generation = { agentId: 'ada', generation: 2, parentCheckpointHash: 'ab'.repeat(32) };
const manifest = readManifest(await fetchChunk(bundleHash), { ...generation, bundleHash });
const remembered = text(await openMemory(manifest, key, fetchChunk));

const ours = [];
for (const keys of [recipients.slice(0, 1), recipients]) {
  ours.push(text((await sealContent(bytes('from node'), keys, facts)).bytes));
}
const written = {};
const mine = { agentId: 'bob', generation: 1, parentCheckpointHash: null };
const done = await writeMemory(bytes('node'.repeat(300_000)), mine, recipients, async (blob) => {
  written[blob.hash] = Buffer.from(blob.bytes).toString('hex');
});
process.stdout.write(
  JSON.stringify({
    opened,
    memory: remembered,
    sealed: ours,
    written,
    bundleHash: done.bundleHash,
  }),
);
