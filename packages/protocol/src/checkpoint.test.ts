import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesToBase64, bytesToHex, utf8Bytes, utf8Text } from './bytes.ts';
import {
  decodePairs,
  encodePair,
  makeCheckpoint,
  StateCheckpoint,
  StateChunk,
} from './checkpoint.ts';
import { hashWithout, sha256Hex } from './hash.ts';
import { CHECKPOINT_CHUNK_SIZE } from './limits.ts';
import { compileSchema } from './validation.ts';

const encode = (...pairs: [string, string][]): Uint8Array =>
  new Uint8Array(
    pairs.flatMap(([key, value]) => [...encodePair(utf8Bytes(key), utf8Bytes(value))]),
  );
const decode = (bytes: Uint8Array): string[][] =>
  [...decodePairs(bytes)].map(({ key, value }) => [utf8Text(key), utf8Text(value)]);
const source = {
  chainId: 'net-devnet-1',
  height: 1,
  stateRoot: sha256Hex('s'),
  blockHash: sha256Hex('b'),
  certificateHash: sha256Hex('c'),
};

test('decodePairs refuses bytes cut anywhere but between pairs', () => {
  const first = encode(['a', '1']);
  const bytes = encode(['a', '1'], ['bb', '22']);
  for (let end = 0; end < bytes.length; end++) {
    if (end === 0 || end === first.length) decode(bytes.subarray(0, end));
    else assert.throws(() => decode(bytes.subarray(0, end)), RangeError, `cut at ${end}`);
  }
});

describe('decodePairs refuses keys', () => {
  const orders: [string, [string, string][]][] = [
    [
      'twice',
      [
        ['a', '1'],
        ['a', '1'],
      ],
    ],
    [
      'falling',
      [
        ['b', '1'],
        ['a', '1'],
      ],
    ],
    [
      'a prefix after the longer one',
      [
        ['aa', '1'],
        ['a', '1'],
      ],
    ],
    [
      'in UTF-16 order',
      [
        ['😀', '1'],
        ['\uffee', '1'],
      ],
    ],
    [
      'two empty ones',
      [
        ['', '1'],
        ['', '2'],
      ],
    ],
  ];
  for (const [name, pairs] of orders) {
    test(name, () => assert.throws(() => decode(encode(...pairs)), /not in order/));
  }
});

test('a length of 2^32 - 1 is refused and not read as negative', () => {
  assert.throws(() => decode(Uint8Array.of(255, 255, 255, 255, 97)), /cut short/);
});

test('pairs there and back, also from the middle of a buffer', () => {
  const pairs: [string, string][] = [
    ['', ''],
    ['a', ''],
    ['a/', '{}'],
    ['aa', 'é'],
    ['\uffee', '1'],
    ['😀', '2'],
  ];
  const bytes = encode(...pairs);
  assert.deepEqual(decode(bytes), pairs);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  assert.deepEqual(decode(shifted.subarray(3)), pairs);
  assert.equal(bytesToHex(encode(['a', '12'])), '0000000161000000023132');
  assert.deepEqual(decode(new Uint8Array()), []);
});

test('a checkpoint cut into chunks conforms, and its chunks rebuild it', () => {
  const bytes = encode(['a', 'x'.repeat(CHECKPOINT_CHUNK_SIZE)], ['b', '1']);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHECKPOINT_CHUNK_SIZE) {
    chunks.push(bytes.subarray(at, at + CHECKPOINT_CHUNK_SIZE));
  }
  const checkpoint = makeCheckpoint(
    source,
    bytes.length,
    chunks.map((chunk) => sha256Hex(chunk)),
  );
  assert.equal(compileSchema(StateCheckpoint)(checkpoint), null);
  assert.equal(checkpoint.chunkCount, 2);
  assert.equal(checkpoint.checkpointHash, hashWithout(checkpoint, 'checkpointHash'));
  const check = compileSchema(StateChunk);
  const documents = chunks.map((chunk, index) => ({
    schema: 'NET-STATE-CHUNK/1',
    checkpointHash: checkpoint.checkpointHash,
    index,
    hash: sha256Hex(chunk),
    data: bytesToBase64(chunk),
  }));
  for (const document of documents) assert.equal(check(document), null);
  const rebuilt = Buffer.concat(documents.map(({ data }) => Buffer.from(data, 'base64')));
  assert.equal(decode(rebuilt).length, 2);
});

test('checkpointHash covers every member', () => {
  const { checkpointHash } = makeCheckpoint(source, 1, [sha256Hex('x')]);
  for (const member of Object.keys(source)) {
    const changed = makeCheckpoint({ ...source, [member]: 'changed' }, 1, [sha256Hex('x')]);
    assert.notEqual(changed.checkpointHash, checkpointHash, member);
  }
  assert.notEqual(makeCheckpoint(source, 2, [sha256Hex('x')]).checkpointHash, checkpointHash);
  assert.notEqual(makeCheckpoint(source, 1, [sha256Hex('y')]).checkpointHash, checkpointHash);
});
