/** Runs the vectors, and regenerates those without randomness. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { canonicalize, hexToBytes, sha256Hex, utf8Bytes, utf8Text } from '@netd/protocol';
import { makeFormatVectors } from '../../../scripts/make-format-vectors.ts';
import { agentMetadata } from './agent-metadata.ts';
import { chainReplay, replayDigest } from './chain-replay.ts';
import type { EncryptionSecret } from './encryption-key.ts';
import type { FormatErrorCode } from './errors.ts';
import { judge } from './judge.ts';
import { openMemory, readManifest } from './portable-memory.ts';
import { provableAcceptance } from './provable-acceptance.ts';
import { openContent, type SealContext } from './sealed-content.ts';
import { refuses } from './testing/refusal.ts';
import {
  unjudgeableConditions,
  type JudgingMeans,
  type UnjudgeableCondition,
} from './judgeable.ts';
import { workScope, type Acceptance } from './work-scope.ts';

const folder = new URL('../../../vectors/formats/', import.meta.url);

interface Valid {
  name: string;
  text: string;
  hash: string;
}
interface Refused {
  name: string;
  text: string;
  code: FormatErrorCode;
}

function read(topic: string): unknown {
  return JSON.parse(readFileSync(new URL(`${topic}.json`, folder), 'utf8'));
}

test('the generator reproduces the committed files without randomness byte for byte', () => {
  const made = makeFormatVectors();
  for (const [name, text] of made) {
    assert.ok(text === readFileSync(new URL(name, folder), 'utf8'), `${name} is out of date`);
  }
  const sealed = ['portable-memory.json', 'sealed-content.json'];
  assert.deepEqual(readdirSync(folder).toSorted(), [...made.keys(), ...sealed].toSorted());
});

describe('work-scope', () => {
  const topic = read('work-scope') as {
    valid: (Valid & {
      acceptanceHash: string;
      deliverables: { text: string; verdict: string }[];
    })[];
    invalid: Refused[];
    replay: { headers: Parameters<typeof replayDigest>[0]; text: string; hash: string };
    judgeable: (JudgingMeans & {
      name: string;
      acceptance: Acceptance[];
      unjudgeable: UnjudgeableCondition[];
    })[];
  };
  for (const { name, acceptance, unjudgeable, ...means } of topic.judgeable) {
    test(name, () => {
      assert.deepEqual(unjudgeableConditions({ acceptance }, means), unjudgeable);
    });
  }
  const digest = replayDigest(topic.replay.headers);
  test('replay', () => {
    const { hash, bytes } = chainReplay.make(digest);
    assert.deepEqual([utf8Text(bytes), hash], [topic.replay.text, topic.replay.hash]);
  });
  for (const { name, text, hash, acceptanceHash, deliverables } of topic.valid) {
    test(name, async () => {
      const scope = workScope.read(utf8Bytes(text), hash);
      assert.equal(canonicalize(scope), text);
      assert.equal(provableAcceptance(scope).hash, acceptanceHash);
      for (const { text: deliverable, verdict } of deliverables) {
        const judgement = await judge(scope, utf8Bytes(deliverable), {
          replay: async () => digest,
        });
        assert.equal(judgement.verdict, verdict, deliverable);
      }
    });
  }
  for (const { name, text, code } of topic.invalid) {
    test(name, () => refuses(code, () => workScope.read(utf8Bytes(text))));
  }
});

describe('agent-metadata', () => {
  const topic = read('agent-metadata') as { valid: Valid[]; invalid: Refused[] };
  for (const { name, text, hash } of topic.valid) {
    test(name, () => assert.equal(canonicalize(agentMetadata.read(utf8Bytes(text), hash)), text));
  }
  for (const { name, text, code } of topic.invalid) {
    test(name, () => refuses(code, () => agentMetadata.read(utf8Bytes(text))));
  }
});

type Keys = Record<string, EncryptionSecret>;
function keyNamed(keys: Keys, name: string): EncryptionSecret {
  const key = keys[name];
  assert.ok(key, name);
  return key;
}

describe('sealed-content', () => {
  const { keys, valid, invalid } = read('sealed-content') as {
    keys: Keys;
    valid: {
      name: string;
      content: string;
      context: SealContext;
      opens: string[];
      plaintext: string;
    }[];
    invalid: {
      name: string;
      content: string;
      context: SealContext;
      key: string;
      code: FormatErrorCode;
    }[];
  };
  for (const { name, content, context, opens, plaintext } of valid) {
    test(name, async () => {
      for (const opener of opens) {
        const bytes = utf8Bytes(content);
        const opened = await openContent(
          bytes,
          keyNamed(keys, opener),
          context,
          sha256Hex(content),
        );
        assert.equal(utf8Text(opened), plaintext);
      }
    });
  }
  for (const { name, content, context, key, code } of invalid) {
    test(name, () =>
      refuses(code, () => openContent(utf8Bytes(content), keyNamed(keys, key), context)),
    );
  }
});

describe('portable-memory', () => {
  type Checkpoint = Parameters<typeof readManifest>[1];
  type Change = { index: number; change: 'missing' | 'flipped' | 'cut' | 'swapped' };
  const topic = read('portable-memory') as {
    keys: Keys;
    plaintext: { repeat: string; times: number };
    contentKey: string;
    ivs: string[];
    valid: { name: string; manifest: string; checkpoint: Checkpoint; opens: string[] }[];
    invalid: {
      name: string;
      manifest: string;
      checkpoint: Checkpoint;
      key: string;
      chunk?: Change;
      code: FormatErrorCode;
    }[];
  };
  const plaintext = utf8Bytes(topic.plaintext.repeat.repeat(topic.plaintext.times));

  async function makeChunks(): Promise<Uint8Array[]> {
    const raw = hexToBytes(topic.contentKey) as Uint8Array<ArrayBuffer>;
    const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt']);
    return Promise.all(
      topic.ivs.map(async (hex, index) => {
        const iv = hexToBytes(hex) as Uint8Array<ArrayBuffer>;
        const additionalData = new TextEncoder().encode(
          `{"agentId":"ada","generation":2,"index":${index}}`,
        );
        const part = plaintext.slice(index * 1_048_576, (index + 1) * 1_048_576);
        const parameters = { name: 'AES-GCM', iv, additionalData };
        return Buffer.concat([iv, Buffer.from(await crypto.subtle.encrypt(parameters, key, part))]);
      }),
    );
  }

  async function open(
    text: string,
    checkpoint: Checkpoint,
    key: string,
    chunk?: Change,
  ): Promise<Uint8Array> {
    const chunks = await makeChunks();
    const blobs = new Map<string, Uint8Array | null>(
      chunks.map((bytes) => [sha256Hex(bytes), bytes]),
    );
    if (chunk) {
      const bytes = chunks[chunk.index]!;
      const flipped = Uint8Array.from(bytes, (byte, i) => (i === 20 ? byte ^ 1 : byte));
      const cut = bytes.subarray(0, -1);
      const changed = { missing: null, flipped, cut, swapped: chunks[0]! }[chunk.change];
      blobs.set(sha256Hex(bytes), changed);
    }
    const manifest = readManifest(utf8Bytes(text), checkpoint);
    return openMemory(manifest, keyNamed(topic.keys, key), async (hash) => blobs.get(hash) ?? null);
  }

  for (const { name, manifest, checkpoint, opens } of topic.valid) {
    test(name, async () => {
      for (const key of opens) assert.deepEqual(await open(manifest, checkpoint, key), plaintext);
    });
  }
  for (const { name, manifest, checkpoint, key, chunk, code } of topic.invalid) {
    test(name, () => refuses(code, () => open(manifest, checkpoint, key, chunk)));
  }
});
