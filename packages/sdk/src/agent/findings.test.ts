import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8Bytes } from '@netd/protocol';
import { findingsOf, reasonsAgainst } from './findings.ts';
import type { WorkOrder } from './parts.ts';

test('each vote has the words behind its evidence, on one line and bounded', async () => {
  const blobs: Record<string, Uint8Array> = {
    json: utf8Bytes('{"reason":"Not met is condition 1.\\n\\u001B[2Jx","vote":"REJECT"}'),
    text: utf8Bytes('not three words'),
    long: utf8Bytes('x'.repeat(5_000)),
    huge: new Uint8Array(100_000),
    none: Uint8Array.of(0xff),
    null: utf8Bytes('null'),
  };
  const hashes = [...Object.keys(blobs), 'absent', 'json'];
  const votes = hashes.map((evidenceHash, i) => ({
    verifierId: `v${i}`,
    vote: i === 1 ? 'ACCEPT' : 'REJECT',
    evidenceHash,
  }));
  const asked: string[] = [];
  const fetch = async (hash: string): Promise<Uint8Array | null> => {
    asked.push(hash);
    return blobs[hash] ?? null;
  };
  const order = { verification: { votes } } as unknown as WorkOrder;
  const findings = await findingsOf(order, fetch);
  const words = findings.map(({ reason }) => reason);
  assert.deepEqual(words.slice(0, 2), ['Not met is condition 1. [2Jx', 'not three words']);
  assert.equal(words[2]?.length, 1_000);
  assert.deepEqual(words.slice(3), [null, null, 'null', null, words[0]]);
  assert.equal(asked.length, new Set(hashes).size, 'the same evidence is fetched once');
  assert.deepEqual(reasonsAgainst(findings), [words[0], words[2], 'null']);
  assert.deepEqual(await findingsOf({ verification: null }, fetch), []);
});
