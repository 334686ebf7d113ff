import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBounded, type Body } from './bounded-body.ts';

/** `ended` tells if the rest was abandoned. */
function parts(): { body: AsyncGenerator<Uint8Array>; ended: () => boolean } {
  let isEnded = false;
  const body = (async function* () {
    try {
      for (const byte of [1, 2, 3]) yield new Uint8Array(3).fill(byte);
    } finally {
      isEnded = true;
    }
  })();
  return { body, ended: () => isEnded };
}

for (const [kind, of] of [
  ['a stream', (body: AsyncGenerator<Uint8Array>): Body => ReadableStream.from(body)],
  ['parts', (body: AsyncGenerator<Uint8Array>): Body => body],
] as const) {
  test(`${kind} is read up to its limit, and given up beyond`, async () => {
    const whole = parts();
    const bytes = await readBounded(of(whole.body), 9);
    assert.deepEqual(bytes, Uint8Array.of(1, 1, 1, 2, 2, 2, 3, 3, 3));
    const long = parts();
    assert.equal(await readBounded(of(long.body), 5), null);
    assert.ok(long.ended());
  });
}

test('no body is an empty one', async () => {
  assert.deepEqual(await readBounded(null, 0), new Uint8Array());
});
