/**
 * Writes the shared vectors of the protocol into vectors/. Every implementation runs them; a test proves that this
 * script still makes the committed files. Published expectations (RFC 8785, RFC 8032) are literals here, never computed.
 *
 *   node scripts/make-vectors.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  bytesToBase64 as base64,
  bytesToHex,
  bytesToSign,
  canonicalize,
  CHECKPOINT_CHUNK_SIZE,
  encodeEnvelope,
  encodePair,
  eventHash,
  hashValue,
  hashWithout,
  hexToBytes,
  makeCertificate,
  makeCheckpoint,
  makeValidatorSet,
  merkleProof,
  merkleRoot,
  nonceHash,
  publicKeyHash,
  sha256,
  sha256Hex,
  stateKeyHash,
  stateRoot,
  subtreePath,
  compareKeyHashes,
  utf8Bytes,
  voteBytes,
  type FinalityStatement,
  type JsonObject,
  type MerkleProof,
  type StatementVote,
  type TreeLeaf,
} from '@netd/protocol';
import {
  craftedSignatures,
  P,
  pemAround,
  pemOf,
  scalarBytes,
  SMALL_ORDER_POINTS,
  testKey,
} from './crafted-ed25519.ts';

/** File names under vectors/ and their whole texts. */
export function makeVectors(): Map<string, string> {
  const topics = {
    'canonical-json': canonicalJson(),
    'strict-json': strictJson(),
    hashes: hashes(),
    'public-keys': publicKeys(),
    signatures: signatures(),
    envelopes: envelopes(),
    merkle: merkle(),
    'state-proofs': stateProofs(),
    certificates: certificates(),
    checkpoints: checkpoints(),
  };
  return new Map(
    Object.entries(topics).map(([topic, content]) => [`${topic}.json`, `${pretty(content)}\n`]),
  );
}

function canonicalJson(): unknown {
  return {
    about:
      'RFC 8785. valid: parse input (JSON), canonicalize, compare. numbers: the IEEE 754 bits print as text (appendix B). invalid: the parsed value has no canonical form.',
    valid: [
      {
        name: 'RFC 8785 section 3.2.2',
        input:
          '{\n  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],\n  "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/",\n  "literals": [null, true, false]\n}',
        canonical:
          '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
      },
      {
        name: 'RFC 8785 section 3.2.3: members sort by UTF-16 code unit',
        input:
          '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
        canonical:
          '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
      },
      {
        name: 'no unicode normalisation',
        input: '{"e\\u0301":1,"\\u00e9":2}',
        canonical: '{"e\u0301":1,"\u00e9":2}',
      },
      {
        name: 'every control character',
        input: `"${Array.from({ length: 32 }, (_, i) => `\\u${i.toString(16).toUpperCase().padStart(4, '0')}`).join('')}\\u007F\\u2028"`,
        canonical:
          '"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f\u007f\u2028"',
      },
      { name: 'negative zero', input: '[-0, -0.0, 0e7]', canonical: '[0,0,0]' },
      {
        name: 'numeric names are no array indexes',
        input: '{"10":1,"9":2,"":3}',
        canonical: '{"":3,"10":1,"9":2}',
      },
      { name: 'nesting', input: ' [ { "b" : [ ] , "a" : { } } ] ', canonical: '[{"a":{},"b":[]}]' },
    ],
    numbers: [
      ['0000000000000000', '0'],
      ['8000000000000000', '0'],
      ['0000000000000001', '5e-324'],
      ['8000000000000001', '-5e-324'],
      ['7fefffffffffffff', '1.7976931348623157e+308'],
      ['ffefffffffffffff', '-1.7976931348623157e+308'],
      ['4340000000000000', '9007199254740992'],
      ['c340000000000000', '-9007199254740992'],
      ['4430000000000000', '295147905179352830000'],
      ['7fffffffffffffff', null],
      ['7ff0000000000000', null],
      ['44b52d02c7e14af5', '9.999999999999997e+22'],
      ['44b52d02c7e14af6', '1e+23'],
      ['44b52d02c7e14af7', '1.0000000000000001e+23'],
      ['444b1ae4d6e2ef4e', '999999999999999700000'],
      ['444b1ae4d6e2ef4f', '999999999999999900000'],
      ['444b1ae4d6e2ef50', '1e+21'],
      ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
      ['3eb0c6f7a0b5ed8d', '0.000001'],
      ['41b3de4355555553', '333333333.3333332'],
      ['41b3de4355555554', '333333333.33333325'],
      ['41b3de4355555555', '333333333.3333333'],
      ['41b3de4355555556', '333333333.3333334'],
      ['41b3de4355555557', '333333333.33333343'],
      ['becbf647612f3696', '-0.0000033333333333333333'],
      ['43143ff3c1cb0959', '1424953923781206.2'],
    ].map(([bits, text]) => ({ bits, text })),
    invalid: [
      { name: 'lone high surrogate', input: '"\\ud83d"' },
      { name: 'lone low surrogate', input: '"\\ude00"' },
      { name: 'surrogates in the wrong order', input: '"\\ude00\\ud83d"' },
      { name: 'lone surrogate in a name', input: '{"\\udead":1}' },
    ],
  };
}

function strictJson(): unknown {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const pairs = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  return {
    about:
      'What an envelope may be written in (I-JSON and stricter). input is JSON text, inputHex its bytes; repeated inputs are built as before + unit times count + after. canonical: the JCS text of what was read.',
    valid: [
      {
        name: 'whitespace of all four kinds',
        input: ' \t\r\n{ "a" :\n[ 1 , -1 ] }\n',
        canonical: '{"a":[1,-1]}',
      },
      { name: 'a bare value', input: '0', canonical: '0' },
      {
        name: 'the largest integers',
        input: '[9007199254740991,-9007199254740991]',
        canonical: '[9007199254740991,-9007199254740991]',
      },
      { name: 'escaped pair', input: '"\\ud83d\\ude00"', canonical: '"😀"' },
      {
        name: 'every escape',
        input: '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"',
        canonical: '"\\"\\\\/\\b\\f\\n\\r\\tA"',
      },
      {
        name: 'names of the prototype',
        input: '{"constructor":1,"toString":2,"hasOwnProperty":3}',
        canonical: '{"constructor":1,"hasOwnProperty":3,"toString":2}',
      },
      {
        name: 'the same name in two objects',
        input: '[{"a":1},{"a":{"a":2}}]',
        canonical: '[{"a":1},{"a":{"a":2}}]',
      },
      { name: 'depth 32, arrays', input: nested(32), canonical: nested(32) },
      { name: 'depth 32, objects', input: pairs(32), canonical: pairs(32) },
      {
        name: 'delete and line separator unescaped',
        input: '"\u007f\u2028"',
        canonical: '"\u007f\u2028"',
      },
    ],
    invalid: [
      ...Object.entries({
        nothing: '',
        'only whitespace': ' ',
        'duplicate member': '{"a":1,"a":1}',
        'duplicate member by escape': '{"a":1,"\\u0061":2}',
        'member __proto__': '{"__proto__":1}',
        'member __proto__ by escape': '{"\\u005f_proto__":{}}',
        fraction: '1.0',
        exponent: '1e3',
        'capital exponent': '1E3',
        'negative zero': '-0',
        'negative zero in a list': '[-0]',
        'leading zero': '01',
        'negative leading zero': '-01',
        'plus sign': '+1',
        'lone minus': '-',
        hexadecimal: '0x10',
        'fraction without digits': '1.',
        'fraction without integer': '.5',
        'not a number': 'NaN',
        infinity: '-Infinity',
        '2^53': '9007199254740992',
        '-2^53': '-9007199254740992',
        '2^53 + 1, which rounds to 2^53': '9007199254740993',
        'a number beyond every double': `1${'0'.repeat(400)}`,
        'lone high surrogate': '"\\ud83d"',
        'lone low surrogate': '"\\ude00"',
        'lone surrogate in a name': '{"\\ud83d":1}',
        'surrogates in the wrong order': '"\\ude00\\ud83d"',
        'text after the value': '{} {}',
        'comma after the value': '1,',
        'trailing comma in an object': '{"a":1,}',
        'trailing comma in a list': '[1,]',
        'missing comma': '[1 2]',
        'missing colon': '{"a" 1}',
        'name without quotes': '{a:1}',
        'single quotes': "'a'",
        comment: '/**/1',
        'capital literal': 'True',
        'cut literal': 'nul',
        'literal with a tail': 'nullx',
        undefined: 'undefined',
        'newline in a string': '"a\nb"',
        'tab in a string': '"a\tb"',
        'nul in a string': '"\u0000"',
        'escaped newline': '"\\\n"',
        'unknown escape': '"\\x41"',
        'short unicode escape': '"\\u12"',
        'unicode escape with a sign': '"\\u+123"',
        'open string': '"a',
        'open escape': '"\\',
        'open list': '[1',
        'open object': '{"a":1',
        'wrong bracket': '[1}',
        'form feed as whitespace': '\f1',
        'no-break space as whitespace': '\u00a01',
        'depth 33, arrays': nested(33),
        'depth 33, objects': pairs(33),
      }).map(([name, input]) => ({ name, input })),
      ...Object.entries({
        'byte order mark': 'efbbbf7b7d',
        'UTF-16': '7b007d00',
        'byte that UTF-8 never has': '22ff22',
        'cut UTF-8 sequence': '22e282',
        'overlong UTF-8': '22c0af22',
        'surrogate encoded as UTF-8': '22eda0bd22',
        'beyond U+10FFFF': '22f490808022',
      }).map(([name, inputHex]) => ({ name, inputHex })),
    ],
    repeated: [
      { name: '2,048 letters', before: '"', unit: 'x', count: 2048, after: '"', valid: true },
      { name: '2,049 letters', before: '"', unit: 'x', count: 2049, after: '"', valid: false },
      { name: '2,048 emoji', before: '"', unit: '😀', count: 2048, after: '"', valid: true },
      { name: '2,049 emoji', before: '"', unit: '😀', count: 2049, after: '"', valid: false },
      {
        name: '2,048 escaped emoji',
        before: '"',
        unit: '\\ud83d\\ude00',
        count: 2048,
        after: '"',
        valid: true,
      },
      {
        name: '2,048 letters in a name',
        before: '{"',
        unit: 'x',
        count: 2048,
        after: '":1}',
        valid: true,
      },
      {
        name: '2,049 letters in a name',
        before: '{"',
        unit: 'x',
        count: 2049,
        after: '":1}',
        valid: false,
      },
    ],
  };
}

function hashes(): unknown {
  const key = testKey('alice');
  const document = { schema: 'NET-EXAMPLE/1', height: 7, seedHash: 'whatever', items: ['b', 'a'] };
  return {
    about:
      'hash(value) is the lowercase hex SHA-256 of the JCS bytes. A fingerprint is the hash of a document without one member. publicKeyHash is the hash of the PEM string; nonceHash is hash({actorId, nonce}); eventHash is hash({type, transitionIndex, data}).',
    values: [
      null,
      true,
      0,
      -1,
      '',
      'é',
      '😀',
      [],
      {},
      { b: [1, { d: null, c: 'x' }], a: '\n' },
    ].map((value) => ({ value, hash: hashValue(value) })),
    fingerprints: [
      { document, member: 'seedHash', hash: hashWithout(document, 'seedHash') },
      { document, member: 'absent', hash: hashWithout(document, 'absent') },
      { document: { only: 1 }, member: 'only', hash: hashWithout({ only: 1 }, 'only') },
    ],
    publicKeyHashes: [key.pem, key.pem.trimEnd(), key.pem.replaceAll('\n', '\r\n')].map((pem) => ({
      pem,
      publicKeyHash: publicKeyHash(pem),
    })),
    nonceHashes: [
      ['alice', '1'],
      ['alice', '"quoted" \\ ü 😀'],
    ].map(([actorId = '', nonce = '']) => ({ actorId, nonce, hash: nonceHash(actorId, nonce) })),
    eventHashes: [{ type: 'AgentRegistered', transitionIndex: 3, data: { agentId: 'alice' } }].map(
      (event) => ({ ...event, hash: eventHash(event) }),
    ),
  };
}

function publicKeys(): unknown {
  const { raw, pem } = testKey('alice');
  const body = pem.split('\n')[1] ?? '';
  const der = (prefix: string, bytes = raw): string =>
    pemAround(base64(new Uint8Array([...hexToBytes(prefix), ...bytes])));
  const valid = {
    'line feeds': pem,
    'carriage returns and line feeds': pem.replaceAll('\n', '\r\n'),
    'no line break at the end': pem.trimEnd(),
    'mixed line breaks': pem.replace('\n', '\r\n'),
  };
  const point = (y: bigint, sign = 0n): string => pemOf(scalarBytes(y + (sign << 255n)));
  const invalid: [string, string, string][] = [
    ['empty', '', 'NOT_SPKI_PEM'],
    ['base64 alone', body, 'NOT_SPKI_PEM'],
    ['space before', ` ${pem}`, 'NOT_SPKI_PEM'],
    ['line break before', `\n${pem}`, 'NOT_SPKI_PEM'],
    ['two line breaks at the end', `${pem}\n`, 'NOT_SPKI_PEM'],
    ['space at the end', `${pem} `, 'NOT_SPKI_PEM'],
    ['carriage return alone', pem.replaceAll('\n', '\r'), 'NOT_SPKI_PEM'],
    ['base64 on two lines', pemAround(`${body.slice(0, 30)}\n${body.slice(30)}`), 'NOT_SPKI_PEM'],
    ['private key label', pem.replaceAll('PUBLIC', 'PRIVATE'), 'NOT_SPKI_PEM'],
    ['two keys', pem + pem, 'NOT_SPKI_PEM'],
    ['base64url', pemAround(`${body.slice(0, 40)}-_${body.slice(42)}`), 'NOT_SPKI_PEM'],
    ['59 characters', pemAround(body.slice(0, 59)), 'NOT_SPKI_PEM'],
    ['64 characters', pemAround(`${body.slice(0, 59)}AAAA=`), 'NOT_SPKI_PEM'],
    [
      'padding in the middle',
      pemAround(`${body.slice(0, 30)}=${body.slice(30, 59)}`),
      'NOT_SPKI_PEM',
    ],
    ['padding at the start', pemAround(`=${body.slice(0, 59)}`), 'NOT_SPKI_PEM'],
    [
      'stray bits before the padding',
      pemAround(`${body.slice(0, 58)}${nextLetter(body[58])}=`),
      'NOT_SPKI_PEM',
    ],
    ['45 bytes', pemAround(`${body.slice(0, 59)}A`), 'NOT_SPKI_PEM'],
    ['43 bytes', pemAround(`${body.slice(0, 58)}==`), 'NOT_SPKI_PEM'],
    ['X25519', der('302a300506032b656e032100'), 'NOT_SPKI_PEM'],
    ['Ed448 identifier', der('302a300506032b6571032100'), 'NOT_SPKI_PEM'],
    ['one unused bit', der('302a300506032b6570032101'), 'NOT_SPKI_PEM'],
    ['y = p, another encoding of 0', point(P), 'NOT_CANONICAL'],
    ['y = p + 1, another encoding of 1', point(P + 1n), 'NOT_CANONICAL'],
    ['y = p + 3, a point of large order', point(P + 3n), 'NOT_CANONICAL'],
    ['y = 2^255 - 1 with the sign bit', point(2n ** 255n - 1n, 1n), 'NOT_CANONICAL'],
    ['y = 1 with the sign bit', point(1n, 1n), 'NOT_CANONICAL'],
    ['y = -1 with the sign bit', point(P - 1n, 1n), 'NOT_CANONICAL'],
    ['y = 2, not on the curve', point(2n), 'NOT_ON_CURVE'],
    ...SMALL_ORDER_POINTS.map((hex, i): [string, string, string] => [
      `small-order point ${i}`,
      pemOf(hexToBytes(hex)),
      'SMALL_ORDER',
    ]),
    ...craftedSignatures()
      .filter(({ name }) => name === 'the key has a torsion part, k divisible by 8')
      .map(({ publicKey }): [string, string, string] => [
        'torsion part of order 8',
        pemOf(publicKey),
        'NOT_TORSION_FREE',
      ]),
    ['y = 3, a point of order 8L', point(3n), 'NOT_TORSION_FREE'],
  ];
  return {
    about:
      'Ed25519 SPKI PEM keys. valid: the 32 raw bytes. invalid: NOT_SPKI_PEM (text, base64 or header), NOT_CANONICAL, NOT_ON_CURVE, SMALL_ORDER or NOT_TORSION_FREE.',
    valid: Object.entries(valid).map(([name, text]) => ({ name, pem: text, raw: bytesToHex(raw) })),
    invalid: invalid.map(([name, text, fault]) => ({ name, pem: text, fault })),
  };
}

function signatures(): unknown {
  const rfc8032 = [
    {
      name: 'RFC 8032 TEST 1',
      publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      message: '',
      signature:
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    },
    {
      name: 'RFC 8032 TEST 2',
      publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      message: '72',
      signature:
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    },
    {
      name: 'RFC 8032 TEST 3',
      publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      message: 'af82',
      signature:
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    },
    {
      name: 'RFC 8032 TEST SHA(abc)',
      publicKey: 'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
      message:
        'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      signature:
        'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
    },
  ].map((vector) => ({ ...vector, valid: true, note: '' }));
  const signature = base64(testKey('alice').sign(utf8Bytes('net')));
  return {
    about:
      'verify: hex throughout; the whole strict rule, the key included (canonical and torsion-free key; R canonical and not of small order; S < L; cofactorless equation). base64: which texts are a signature at all.',
    verify: [
      ...rfc8032,
      ...craftedSignatures().map((crafted) => ({
        name: crafted.name,
        publicKey: bytesToHex(crafted.publicKey),
        message: bytesToHex(crafted.message),
        signature: bytesToHex(crafted.signature),
        valid: crafted.valid,
        note: crafted.note,
      })),
    ],
    base64: [
      ['standard', signature, true],
      ['without padding', signature.slice(0, 86), false],
      ['one padding character', signature.slice(0, 87), false],
      ['three padding characters', `${signature}=`, false],
      ['stray bits', `${signature.slice(0, 85)}${nextLetter(signature[85])}==`, false],
      ['base64url', `-_${signature.slice(2)}`, false],
      ['space before', ` ${signature}`, false],
      ['line break at the end', `${signature}\n`, false],
      ['line break in the middle', `${signature.slice(0, 44)}\n${signature.slice(44)}`, false],
      ['63 bytes', base64(new Uint8Array(63)), false],
      ['65 bytes', base64(new Uint8Array(65)), false],
      ['empty', '', false],
      ['hex', bytesToHex(new Uint8Array(64)), false],
    ].map(([name, text, valid]) => ({ name, text, valid })),
  };
}

function envelopes(): unknown {
  const key = testKey('alice');
  const sign = (envelope: JsonObject): JsonObject => ({
    ...envelope,
    signature: base64(key.sign(bytesToSign(envelope))),
  });
  const registration: JsonObject = {
    actorId: 'alice',
    description: 'Reads contracts 📜',
    publicKey: key.pem,
    publicKeyHash: publicKeyHash(key.pem),
    nonce: 'n-1',
  };
  const intent: JsonObject = {
    actorId: 'alice',
    nonce: 'n-2',
    expiresAtHeight: 100,
    action: 'transfer',
    payload: { toActorId: 'bob', amount: 1500000 },
  };
  const selfSigned = {
    actorId: 'alice',
    publicKey: key.pem,
    publicKeyHash: publicKeyHash(key.pem),
    nonce: 'n-3',
  };
  const application: JsonObject = {
    ...selfSigned,
    schema: 'NET-OPERATOR-APPLICATION/1',
    applicationId: 'app:2026-01.alice',
    role: 'VERIFIER',
    capabilities: [{ action: 'voteWork', expiresAtHeight: 90 }, { action: 'attestProtocolBuild' }],
    profile: { bond: 100000000 },
    expiresAtHeight: 100,
  };
  const claim: JsonObject = {
    ...selfSigned,
    schema: 'NET-OPERATOR-INVITATION-CLAIM/1',
    invitationId: 'ab'.repeat(32),
  };
  const open: JsonObject = {
    schema: 'NET-OPEN-TRANSITION/1',
    actorId: 'alice',
    nonce: 'n-4',
    action: 'createWorkOrder',
    payload: { orderId: 'o-1', title: 'Übersetzen', funding: 1500000 },
  };
  const valid: [string, string, JsonObject][] = [
    ['an open transition, which nobody signs', 'open', open],
    ['application', 'application', application],
    [
      'an application is one whatever else it holds',
      'application',
      { ...application, action: 'transfer', payload: {}, chainId: 'net-devnet-1' },
    ],
    ['claim', 'claim', claim],
    ['claim with chainId', 'claim', { ...claim, chainId: 'net-devnet-1' }],
    ['registration', 'registration', registration],
    [
      'registration with chainId and referrer',
      'registration',
      { ...registration, chainId: 'net-devnet-1', referrerAgentId: 'bob' },
    ],
    ['intent', 'intent', intent],
    ['intent with chainId', 'intent', { ...intent, chainId: 'net-devnet-1' }],
    ['extra members are signed', 'intent', { ...intent, Zeta: [null, { b: 1, a: 2 }], ünï: true }],
    [
      'names around signature are signed',
      'intent',
      { ...intent, signatur: 1, signatures: 2, 'signature ': 3, '"signature"': 4 },
    ],
    [
      'signature inside the payload is signed',
      'intent',
      { ...intent, payload: { signature: 'x' } },
    ],
    ['an intent may carry publicKeyHash', 'intent', { ...intent, publicKeyHash: '0' }],
    ['a schema of its own', 'intent', { ...intent, schema: 'MY-INTENT/1' }],
    ['nonce of 128 emoji', 'intent', { ...intent, nonce: '😀'.repeat(128) }],
    [
      'expired long ago, which is for the ledger to say',
      'intent',
      { ...intent, expiresAtHeight: -1 },
    ],
  ];
  const without = (envelope: JsonObject, member: string): JsonObject => {
    const { [member]: _, ...rest } = envelope;
    return rest;
  };
  const signedIntent = sign(intent);
  const signedRegistration = sign(registration);
  const signedApplication = sign(application);
  const signedClaim = sign(claim);
  const invalid: [string, string, JsonObject, string[]][] = [
    ...Object.keys(signedIntent).map((member): [string, string, JsonObject, string[]] => [
      `intent without ${member}`,
      'intent',
      without(signedIntent, member),
      [`/${member}`],
    ]),
    ...['actorId', 'publicKey', 'publicKeyHash', 'nonce', 'signature'].map(
      (member): [string, string, JsonObject, string[]] => [
        `registration without ${member}`,
        'registration',
        without(signedRegistration, member),
        [`/${member}`],
      ],
    ),
    ...Object.keys(signedClaim).map((member): [string, string, JsonObject, string[]] => [
      `claim without ${member}`,
      'claim',
      without(signedClaim, member),
      [`/${member}`],
    ]),
    ...Object.keys(signedApplication)
      .filter((member) => member !== 'profile')
      .map((member): [string, string, JsonObject, string[]] => [
        `application without ${member}`,
        'application',
        without(signedApplication, member),
        [`/${member}`],
      ]),
    ...Object.keys(open).map((member): [string, string, JsonObject, string[]] => [
      `open transition without ${member}`,
      'open',
      without(open, member),
      [`/${member}`],
    ]),
    ['an open transition that is signed', 'open', sign(open), ['/signature']],
    [
      'an open transition that names its chain',
      'open',
      { ...open, chainId: 'net-devnet-1' },
      ['/chainId'],
    ],
    [
      'application for the role OPERATOR',
      'application',
      { ...signedApplication, role: 'OPERATOR' },
      ['/role'],
    ],
    [
      'application without capabilities in its list',
      'application',
      { ...signedApplication, capabilities: [] },
      ['/capabilities'],
    ],
    [
      'applicationId with a slash',
      'application',
      { ...signedApplication, applicationId: 'app/1' },
      ['/applicationId'],
    ],
    ['profile is a list', 'application', { ...signedApplication, profile: [] }, ['/profile']],
    [
      'an intent under the name of an application',
      'intent',
      { ...signedIntent, schema: 'NET-OPERATOR-APPLICATION/1' },
      [''],
    ],
    [
      'a registration under the name of a claim',
      'registration',
      { ...signedRegistration, schema: 'NET-OPERATOR-INVITATION-CLAIM/1' },
      [''],
    ],
    ['actorId is a number', 'intent', { ...signedIntent, actorId: 1 }, ['/actorId']],
    ['nonce is empty', 'intent', { ...signedIntent, nonce: '' }, ['/nonce']],
    ['nonce of 129 characters', 'intent', { ...signedIntent, nonce: 'n'.repeat(129) }, ['/nonce']],
    [
      'expiresAtHeight is a string',
      'intent',
      { ...signedIntent, expiresAtHeight: '100' },
      ['/expiresAtHeight'],
    ],
    [
      'expiresAtHeight is null',
      'intent',
      { ...signedIntent, expiresAtHeight: null },
      ['/expiresAtHeight'],
    ],
    ['payload is a list', 'intent', { ...signedIntent, payload: [] }, ['/payload']],
    ['payload is null', 'intent', { ...signedIntent, payload: null }, ['/payload']],
    ['chainId is a number', 'intent', { ...signedIntent, chainId: 1 }, ['/chainId']],
    [
      'chainId of 65 characters',
      'intent',
      { ...signedIntent, chainId: 'c'.repeat(65) },
      ['/chainId'],
    ],
    [
      'two faults',
      'intent',
      { ...signedIntent, actorId: null, action: true },
      ['/action', '/actorId'],
    ],
    [
      'actorId of one character',
      'registration',
      { ...signedRegistration, actorId: 'a' },
      ['/actorId'],
    ],
    [
      'actorId with a space',
      'registration',
      { ...signedRegistration, actorId: 'a b' },
      ['/actorId'],
    ],
    [
      'actorId ends in a newline',
      'registration',
      { ...signedRegistration, actorId: 'alice\n' },
      ['/actorId'],
    ],
    [
      'actorId of 65 characters',
      'registration',
      { ...signedRegistration, actorId: 'a'.repeat(65) },
      ['/actorId'],
    ],
    [
      'description of 281 emoji',
      'registration',
      { ...signedRegistration, description: '😀'.repeat(281) },
      ['/description'],
    ],
    [
      'publicKey of 257 characters',
      'registration',
      { ...signedRegistration, publicKey: 'k'.repeat(257) },
      ['/publicKey'],
    ],
    [
      'an intent under the name of a system transition',
      'intent',
      { ...signedIntent, schema: 'NET-SYSTEM-TRANSITION/1' },
      [''],
    ],
    [
      'an intent under the name of an open transition',
      'intent',
      { ...signedIntent, schema: 'NET-OPEN-TRANSITION/1' },
      [''],
    ],
    [
      'a registration under the name of a system transition',
      'registration',
      { ...signedRegistration, schema: 'NET-SYSTEM-TRANSITION/1' },
      [''],
    ],
    [
      'a registration with action and payload is an intent',
      'registration',
      { ...signedRegistration, action: 'x', payload: {} },
      [''],
    ],
  ];
  return {
    about:
      'Signed envelopes. valid: signedText is the JCS text without signature, signedHex its bytes; transitionHash is the hash of the whole envelope. The key is that of the secret seed; open transitions are not signed. invalid: the JSON Pointers at fault, sorted.',
    seed: bytesToHex(key.seed),
    publicKey: key.pem,
    valid: valid.map(([name, kind, unsigned]) => {
      const envelope = kind === 'open' ? unsigned : sign(unsigned);
      const { signedBytes, transitionHash } = encodeEnvelope(envelope);
      return {
        name,
        kind,
        envelope,
        signedText: new TextDecoder().decode(signedBytes),
        signedHex: bytesToHex(signedBytes),
        transitionHash,
      };
    }),
    invalid: invalid.map(([name, kind, envelope, paths]) => ({ name, kind, envelope, paths })),
  };
}

function merkle(): unknown {
  const list = Array.from({ length: 8 }, (_, i) => sha256Hex(`leaf ${i}`));
  const valid = [
    [1, 0],
    [2, 1],
    [3, 2],
    [5, 4],
    [6, 3],
    [7, 0],
    [7, 6],
    [8, 5],
  ].map(([size = 0, index = 0]) => {
    const leaves = list.slice(0, size);
    return {
      leaf: leaves[index] ?? '',
      proof: merkleProof(leaves, index),
      root: merkleRoot(leaves),
    };
  });
  const leaf = list[4] ?? '';
  const root = merkleRoot(list.slice(0, 7));
  const proof = merkleProof(list.slice(0, 7), 4);
  const change = (changes: Partial<MerkleProof>): MerkleProof => ({ ...proof, ...changes });
  const zeros = '00'.repeat(32);
  const [first = '', ...others] = proof.path;
  const invalid: [string, string, MerkleProof, string][] = [
    ['another leaf', list[5] ?? '', proof, root],
    ['another root', leaf, proof, merkleRoot(list)],
    ['another index', leaf, change({ index: 5 }), root],
    ['an index beyond the size', leaf, change({ index: 7 }), root],
    ['a negative index', leaf, change({ index: -1 }), root],
    ['size zero', leaf, change({ treeSize: 0 }), root],
    ['a smaller size', leaf, change({ treeSize: 5 }), root],
    ['a size beyond 2^53', leaf, change({ treeSize: 2 ** 53 }), root],
    ['path too short', leaf, change({ path: proof.path.slice(0, -1) }), root],
    ['path too long', leaf, change({ path: [...proof.path, zeros] }), root],
    ['path empty', leaf, change({ path: [] }), root],
    ['path reversed', leaf, change({ path: proof.path.toReversed() }), root],
    ['capital hex', leaf, change({ path: [first.toUpperCase(), ...others] }), root],
    ['a short hash in the path', leaf, change({ path: [first.slice(2), ...others] }), root],
    ['an inner node as a leaf', first, change({ index: 2, treeSize: 4, path: others }), root],
    ['65 siblings', leaf, change({ path: Array.from({ length: 65 }, () => zeros) }), root],
  ];
  return {
    about:
      'RFC 6962 section 2.1 over leaves of 32 raw bytes; the root of no leaves is SHA-256 of nothing. roots[n] is over the first n leaves.',
    leaves: list,
    roots: Array.from({ length: list.length + 1 }, (_, size) => merkleRoot(list.slice(0, size))),
    valid,
    invalid: invalid.map(([name, text, changed, top]) => ({
      name,
      leaf: text,
      proof: changed,
      root: top,
    })),
  };
}

interface MadeProof {
  leaf: { kind: string; keyHash?: string; valueHash?: string };
  siblings: string[];
}

function stateProofs(): unknown {
  const pairs: [string, string][] = [
    ['account/alice', '{"balance":5000000}'],
    ['account/bob', '{"balance":0}'],
    ['agent/alice', '{"status":"active"}'],
    ['agent/ünï', '"😀"'],
    ['chain/commitment', '{"eventsRoot":"00","transitionsRoot":"00"}'],
    ['order/o-1', 'null'],
    ['order/o-2', '[]'],
  ];
  const root = stateRoot(pairs);
  const prove = (key: string): MadeProof => proveState(pairs, key);
  const find = (kind: string): string => {
    for (let i = 0; ; i++) if (prove(`absent/${i}`).leaf.kind === kind) return `absent/${i}`;
  };
  const empty = find('empty');
  const other = find('other');
  const valid = [
    ...pairs.map(([key, value]) => ({ name: `${key} is present`, key, value, ...prove(key) })),
    { name: 'absent, nothing at the end of the path', key: empty, value: null, ...prove(empty) },
    { name: 'absent, another leaf there', key: other, value: null, ...prove(other) },
  ];
  const alice = 'account/alice';
  const value = '{"balance":5000000}';
  const proof = prove(alice);
  const aliceLeaf = { keyHash: stateKeyHash(alice), valueHash: sha256Hex(value) };
  const kindOther = (keyHash: string, valueHash = aliceLeaf.valueHash): MadeProof => ({
    leaf: { kind: 'other', keyHash, valueHash },
    siblings: proof.siblings,
  });
  const [nearest = '', ...rest] = proof.siblings;
  // A neighbour whose path does not run by the key's: a true leaf of the tree in the wrong place.
  const stranger = pairs.find(([key]) => prove(key).siblings.at(-1) !== proof.siblings.at(-1)) ?? [
    '',
    '',
  ];
  const strangerLeaf = {
    kind: 'other',
    keyHash: stateKeyHash(stranger[0]),
    valueHash: sha256Hex(stranger[1]),
  };
  const invalid: ({ name: string; key: string; value: string | null } & MadeProof)[] = [
    { name: 'another value', key: alice, value: '{"balance":5000001}', ...proof },
    { name: 'another key', key: 'account/carol', value, ...proof },
    { name: 'presence without a value', key: alice, value: null, ...proof },
    { name: 'absence with a value', key: other, value: 'null', ...prove(other) },
    {
      name: 'a present key called empty',
      key: alice,
      value: null,
      leaf: { kind: 'empty' },
      siblings: proof.siblings,
    },
    {
      name: 'a present key called empty one level up',
      key: alice,
      value: null,
      leaf: { kind: 'empty' },
      siblings: rest,
    },
    {
      name: 'the other leaf is the key itself',
      key: alice,
      value: null,
      ...kindOther(aliceLeaf.keyHash),
    },
    {
      name: 'the other leaf does not share the path',
      key: alice,
      value: null,
      leaf: strangerLeaf,
      siblings: prove(stranger[0]).siblings,
    },
    {
      name: 'the key hash of the other leaf is cut short',
      key: alice,
      value: null,
      ...kindOther(aliceLeaf.keyHash.slice(0, 62)),
    },
    {
      name: 'the hashes of the other leaf are empty',
      key: alice,
      value: null,
      ...kindOther('', ''),
    },
    {
      name: 'the key hash of the other leaf is in capitals',
      key: alice,
      value: null,
      ...kindOther(aliceLeaf.keyHash.toUpperCase()),
    },
    {
      name: 'the key hash of the other leaf is too long',
      key: alice,
      value: null,
      ...kindOther(`${aliceLeaf.keyHash}00`),
    },
    { name: 'a sibling missing', key: alice, value, leaf: proof.leaf, siblings: rest },
    {
      name: 'a sibling too many',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: ['00'.repeat(32), ...proof.siblings],
    },
    {
      name: 'a sibling changed',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: ['00'.repeat(32), ...rest],
    },
    {
      name: 'siblings from the root to the leaf',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: proof.siblings.toReversed(),
    },
    {
      name: 'a sibling in capitals',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: [nearest.toUpperCase(), ...rest],
    },
    {
      name: 'a short sibling',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: [nearest.slice(2), ...rest],
    },
  ];
  const collision = ['account/alice', 'account/bob'].map((key): [string, string] => [key, '1']);
  return {
    about:
      'The state tree: leaf = SHA-256(00 | SHA-256(key) | SHA-256(value)), inner = SHA-256(01 | left | right), empty = 32 zero bytes, a subtree with one leaf is that leaf. value is canonical JSON text, null where absence is claimed. siblings run from the leaf to the root.',
    roots: [
      { name: 'no pair', pairs: [], root: stateRoot([]) },
      { name: 'one pair', pairs: [['a', '1']], root: stateRoot([['a', '1']]) },
      { name: 'two pairs', pairs: collision, root: stateRoot(collision) },
      { name: 'the pairs of the proofs below', pairs, root },
    ],
    root,
    valid,
    invalid,
    inEmptyTree: [
      {
        name: 'everything is absent',
        key: alice,
        value: null,
        leaf: { kind: 'empty' },
        siblings: [],
      },
    ],
  };
}

function proveState(pairs: readonly [string, string][], key: string): MadeProof {
  const leaves: TreeLeaf[] = pairs
    .map(([name, value]) => ({ keyHash: sha256(name), valueHash: sha256(value) }))
    .toSorted((a, b) => compareKeyHashes(a.keyHash, b.keyHash));
  const keyHash = sha256(key);
  const { siblings, leaf } = subtreePath(leaves, keyHash, 0);
  const end =
    leaf === null
      ? { kind: 'empty' }
      : compareKeyHashes(leaf.keyHash, keyHash) === 0
        ? { kind: 'present' }
        : {
            kind: 'other',
            keyHash: bytesToHex(leaf.keyHash),
            valueHash: bytesToHex(leaf.valueHash),
          };
  return { leaf: end, siblings: siblings.map((sibling) => bytesToHex(sibling)) };
}

function certificates(): unknown {
  const powers = { ada: 5, bob: 3, cyd: 2 };
  const validator = (
    validatorId: string,
    votingPower: number,
  ): Parameters<typeof makeValidatorSet>[2][number] => ({
    validatorId,
    consensusPublicKey: testKey(validatorId).pem,
    votingPower,
    faultDomain: `zone-${validatorId}`,
  });
  const set = makeValidatorSet(
    'net-devnet-1',
    1,
    Object.entries(powers).map(([id, power]) => validator(id, power)),
  );
  const statement: FinalityStatement = {
    chainId: 'net-devnet-1',
    epoch: 1,
    height: 42,
    blockHash: sha256Hex('block'),
    stateRoot: sha256Hex('state'),
    validatorSetHash: set.validatorSetHash,
  };
  const vote = (
    id: keyof typeof powers,
    about = statement,
    signer: string = id,
  ): StatementVote => ({
    validatorId: id,
    votingPower: powers[id],
    signature: base64(testKey(signer).sign(voteBytes(about, id))),
  });
  const votes = [vote('ada'), vote('cyd')];
  const certificate = makeCertificate(statement, set, votes);
  const [ada, cyd] = votes as [StatementVote, StatementVote];
  const elsewhere = { ...statement, height: 43 };
  const wrong = sha256Hex('wrong');
  const invalid: {
    name: string;
    change?: JsonObject;
    setChange?: JsonObject;
    trustedSetHash?: string;
  }[] = [
    { name: 'another schema', change: { schema: 'NET-FINALITY-CERTIFICATE/2' } },
    { name: 'an unknown scheme', change: { scheme: 'cometbft-commit-v0.38' } },
    { name: 'another validator set is named', change: { validatorSetHash: wrong } },
    { name: 'another chain', change: { chainId: 'net-devnet-2' } },
    { name: 'another epoch', change: { epoch: 2 } },
    { name: 'another height', change: { height: 43 } },
    { name: 'another state root', change: { stateRoot: wrong } },
    { name: 'another certificate hash', change: { certificateHash: wrong } },
    { name: 'another total power', change: { totalVotingPower: 11 } },
    { name: 'votes not sorted', change: { votes: json([cyd, ada]) } },
    { name: 'a vote twice', change: { votes: json([ada, ada]), votingPower: 10 } },
    {
      name: 'a vote of a stranger',
      change: { votes: json([ada, cyd, { ...ada, validatorId: 'eve' }]) },
    },
    {
      name: 'a vote with more power',
      change: { votes: json([ada, { ...cyd, votingPower: 3 }]), votingPower: 8 },
    },
    {
      name: 'the vote of one under the name of another',
      change: { votes: json([vote('ada', statement, 'cyd'), cyd]) },
    },
    { name: 'a vote about another height', change: { votes: json([vote('ada', elsewhere), cyd]) } },
    {
      name: 'a signature that is no base64',
      change: { votes: json([ada, { ...cyd, signature: 'nothing' }]) },
    },
    {
      name: 'a signature with stray bits',
      change: {
        votes: json([
          ada,
          { ...cyd, signature: `${cyd.signature.slice(0, 85)}${nextLetter(cyd.signature[85])}==` },
        ]),
      },
    },
    { name: 'the sum of the votes is wrong', change: { votingPower: 10 } },
    { name: 'below the quorum', change: { votes: json([ada]), votingPower: 5 } },
    { name: 'no votes', change: { votes: [], votingPower: 0 } },
    {
      name: 'statement and hash agree, votes are about another',
      change: json({ ...makeCertificate(elsewhere, set, votes) }) as JsonObject,
    },
    { name: 'not the trusted set', trustedSetHash: wrong },
    { name: 'the quorum of the set is lowered', setChange: { quorum: 2 } },
    { name: 'the total of the set is lowered', setChange: { totalVotingPower: 7 } },
    {
      name: 'the validators are not sorted',
      setChange: { validators: json(set.validators.toReversed()) },
    },
    {
      name: 'a validator twice',
      setChange: { validators: json([...set.validators, ...set.validators.slice(0, 1)]) },
    },
    {
      name: 'a validator key of small order',
      setChange: json(
        makeValidatorSet('net-devnet-1', 1, [
          {
            ...validator('ada', 5),
            consensusPublicKey: pemOf(hexToBytes(SMALL_ORDER_POINTS[1] ?? '')),
          },
          validator('cyd', 2),
        ]),
      ) as JsonObject,
    },
    {
      name: 'a negative power',
      setChange: json(
        makeValidatorSet('net-devnet-1', 1, [validator('ada', 5), validator('cyd', -2)]),
      ) as JsonObject,
    },
  ];
  return {
    about:
      'Finality certificates of scheme ed25519-statement-v1. invalid: the members of change replace those of the first valid certificate, the members of setChange those of the set; trustedSetHash is the hash of the set unless given.',
    quorums: [1, 2, 3, 4, 5, 6, 7, 9, 10, 100, 101, 2 ** 50].map((total) => ({
      total,
      quorum: Number((BigInt(total) * 2n) / 3n) + 1,
    })),
    validatorSet: set,
    voteText: new TextDecoder().decode(voteBytes(statement, 'ada')),
    valid: [
      { name: 'exactly the quorum', certificate },
      {
        name: 'all votes',
        certificate: makeCertificate(statement, set, [vote('cyd'), vote('bob'), vote('ada')]),
      },
    ],
    invalid,
  };
}

function checkpoints(): unknown {
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

/** The same base64 character but for its lowest bit. */
function nextLetter(letter = ''): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet[alphabet.indexOf(letter) ^ 1] ?? '';
}

/** A typed document as the plain JSON it is on the wire. */
function json(value: unknown): JsonObject[string] {
  return JSON.parse(canonicalize(value)) as JsonObject[string];
}

/** JSON laid out as prettier lays it out: objects open, lists on one line where they fit into 100 columns. */
function pretty(value: unknown, indent = '', before = 0): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    const nested = value.some((item) => typeof item === 'object' && item !== null);
    if (!nested && indent.length + before + line.length < 100) return line;
    return `[\n${value.map((item) => inner + pretty(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => {
      const start = `${JSON.stringify(name)}: `;
      return inner + start + pretty(member, inner, start.length);
    });
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  return JSON.stringify(value);
}

if (import.meta.main) {
  const folder = new URL('../vectors/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of makeVectors()) writeFileSync(new URL(name, folder), text);
}
