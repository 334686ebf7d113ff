import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FrameError, frameHead, FrameReader } from './frames.ts';

const framed = (message: Buffer): Buffer => Buffer.concat([frameHead(message.length), message]);

test('messages come out as they went in, wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }),
      (messages, cuts) => {
        const stream = Buffer.concat(messages.map((each) => framed(Buffer.from(each))));
        const reader = new FrameReader();
        const found: Buffer[] = [];
        for (let at = 0, i = 0; at < stream.length; i++) {
          const end = at + (cuts[i % cuts.length] ?? 1);
          found.push(...reader.push(stream.subarray(at, end)));
          at = end;
        }
        assert.deepEqual(
          found.map((each) => each.toString('hex')),
          messages.map((each) => Buffer.from(each).toString('hex')),
        );
      },
    ),
  );
});

test('lengths are unsigned varints', () => {
  for (const [length, hex] of [
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [67_108_864, '80808020'],
  ] as const) {
    assert.equal(frameHead(length).toString('hex'), hex);
  }
});

test('a length that is too large, or has no end, is refused before anything is kept for it', () => {
  assert.throws(() => new FrameReader().push(frameHead(67_108_865)), FrameError);
  assert.throws(() => new FrameReader().push(Buffer.from('8080808001', 'hex')), FrameError);
});
