import { bytesToBase64 as base64, bytesToHex, CHECKPOINT_CHUNK_SIZE, encodePair, hexToBytes, makeCheckpoint, sha256Hex, utf8Bytes } from '@netd/protocol';

export function checkpoints(): unknown {
  const source = {
    chainId: 'net-devnet-1',
    height: 42,
    stateRoot: sha256Hex('state'),
    blockHash: sha256Hex('block'),
    certificateHash: sha256Hex('certificate'),
  };
  type Value = string | { repeat: string; times: number };
  const text = (value: Value): string =>
    typeof value === 'string' ? value : value.repeat.repeat(value.times);
  const full = CHECKPOINT_CHUNK_SIZE;
  const cases: [string, [string, Value][]][] = [
    ['no pairs, no chunks', []],
    ['one pair', [['a', '1']]],
    ['an empty value', [['a', '']]],
    [
      'keys in the order of their bytes',
      [
        ['a', '1'],
        ['a/', '2'],
        ['aa', '3'],
        ['é', '4'],
        ['\uffee', '5'],
        ['😀', '6'],
      ],
    ],
    ['exactly one chunk', [['k', { repeat: 'x', times: full - 9 }]]],
    ['one byte more than a chunk', [['k', { repeat: 'x', times: full - 8 }]]],
    [
      'three chunks',
      [
        ['a', { repeat: 'x', times: 300_000 }],
        ['b', { repeat: 'yz', times: 150_000 }],
      ],
    ],
  ];
  const hex = (...pairs: [string, string][]): string =>
    pairs.map(([key, value]) => bytesToHex(encodePair(utf8Bytes(key), utf8Bytes(value)))).join('');
  return {
    about:
      'NET-STATE-CHECKPOINT/1 in net-kv-v1: pairs by key bytes, u32be length and key, u32be length and value, cut exactly at chunkSize. pairs hold text, or text to repeat. bytesHex where it is short. invalid: bytes that no checkpoint has.',
    source,
    valid: cases.map(([name, pairs]) => {
      const bytes = concat(
        pairs.map(([key, value]) => encodePair(utf8Bytes(key), utf8Bytes(text(value)))),
      );
      const chunkHashes = [];
      for (let at = 0; at < bytes.length; at += full)
        chunkHashes.push(sha256Hex(bytes.subarray(at, at + full)));
      const checkpoint = makeCheckpoint(source, bytes.length, chunkHashes);
      return {
        name,
        pairs: pairs.map(([key, value]) => ({ key, value })),
        ...(bytes.length < 100 ? { bytesHex: bytesToHex(bytes) } : {}),
        checkpoint,
      };
    }),
    chunk: {
      about: 'The only chunk of "one pair".',
      schema: 'NET-STATE-CHUNK/1',
      checkpointHash: makeCheckpoint(source, 10, [sha256Hex(hexToBytes(hex(['a', '1'])))])
        .checkpointHash,
      index: 0,
      hash: sha256Hex(hexToBytes(hex(['a', '1']))),
      data: base64(hexToBytes(hex(['a', '1']))),
    },
    invalid: [
      { name: 'a length cut short', bytesHex: '000000' },
      { name: 'a key cut short', bytesHex: '0000000261' },
      { name: 'no value', bytesHex: '0000000161' },
      { name: 'a value cut short', bytesHex: hex(['a', '12']).slice(0, -2) },
      { name: 'a byte too many', bytesHex: `${hex(['a', '1'])}00` },
      { name: 'a length beyond everything', bytesHex: 'ffffffff61' },
      { name: 'a key twice', bytesHex: hex(['a', '1'], ['a', '1']) },
      { name: 'keys out of order', bytesHex: hex(['b', '1'], ['a', '1']) },
      { name: 'a prefix after the longer key', bytesHex: hex(['aa', '1'], ['a', '1']) },
    ],
  };
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
