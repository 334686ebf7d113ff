/** Tells a memory map of this API from the formats of other programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8Bytes } from '@netd/protocol';
import { entriesOf } from './memory-checkpoint.ts';

test('reads a map of this API and refuses any other bytes', () => {
  const map = utf8Bytes('{"entries":{"seen":1},"schema":"NET-AGENT-MEMORY/1"}');
  assert.deepEqual(entriesOf(map), { seen: 1 });
  const others = ['null', '5', '[]', '{', '{"schema":"NET-AGENT-MEMORY/1"}', '{"schema":"X/1"}'];
  for (const bytes of [Uint8Array.of(0xff, 0x00), ...others.map((text) => utf8Bytes(text))]) {
    assert.throws(() => entriesOf(bytes), { code: 'MEMORY_REPLICA_LOST' });
  }
});
