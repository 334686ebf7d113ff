/** Answers to bodies that are no registration, and to registrations that break a rule. */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { pemOfRaw, signEnvelope, testKey, torsionKey } from '@netd/ledger/testing';
import {
  bytesToBase64,
  bytesToSign,
  canonicalize,
  hexToBytes,
  publicKeyHash,
  sha256,
  type ErrorCode,
  type JsonObject,
} from '@netd/protocol';
import { assertProblem, HttpNode, type Body, textOf } from '@netd/testkit/http-node';

const REGISTER = '/v1/agents/register';
let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  await node.join('first');
  await node.join('sleeper');
  await node.act('operator', 'setAgentStatus', { agentId: 'sleeper', status: 'suspended' });
});
after(() => node.stop());

interface Row {
  name: string;
  /** Called once the node runs. */
  body: () => Body;
  status: 400 | 409 | 413 | 415;
  code: ErrorCode;
  headers?: Record<string, string>;
  /** The place that the error must name. */
  path?: string;
}

/** Sends every row, and asserts that none of them changed anything. */
function rows(title: string, table: Row[]): void {
  describe(title, () => {
    for (const { name, body, status, code, headers, path } of table) {
      test(`${name}: ${status} ${code}`, async () => {
        const file = databaseBytes();
        const state = node.state();
        const answer = await node.post(REGISTER, body(), headers);
        const problem = assertProblem(answer, status, code);
        if (path !== undefined) {
          const places = problem.errors?.map((error) => error.path);
          assert.ok(places?.includes(path), `${path} is not among ${String(places)}`);
        }
        assert.deepEqual(node.state(), state);
        assert.equal((await node.get('/v1/agents/newcomer')).status, 404);
        assert.ok(databaseBytes() - file <= 65_536, 'the database has grown');
      });
    }
  });
}

const databaseBytes = (): number => statSync(join(node.dataDir, 'chain', 'data.mdb')).size;
const validText = (): string => canonicalize(node.registration('newcomer'));
const malformed = (name: string, body: () => Body, path?: string): Row => ({
  name,
  body,
  status: 400,
  code: 'ENVELOPE_INVALID',
  ...(path === undefined ? {} : { path }),
});
/** Returns a valid registration with an inserted member that no serializer would write. */
const withMember = (member: string) => (): string => validText().replace(/\}$/, `,${member}}`);
const inPayload = (value: string) => (): string =>
  `{"actorId":"first","action":"faucet","payload":{"x":${value}},"nonce":"1","expiresAtHeight":9,"signature":""}`;
const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

rows('a body that is no I-JSON object', [
  malformed('no body', () => ''),
  malformed('blanks only', () => ' \n\t '),
  malformed('null', () => 'null'),
  malformed('an array', () => '[]'),
  malformed('a string', () => '"registration"'),
  malformed('a number', () => '42'),
  malformed('true', () => 'true'),
  malformed('words', () => 'please let me in'),
  malformed('single quotes', () => "{'actorId':'newcomer'}"),
  malformed('a trailing comma', () => validText().replace(/\}$/, ',}')),
  malformed('a comment', () => `/* hello */${validText()}`),
  malformed('two objects', () => validText() + validText()),
  malformed('a byte order mark', () => `\u{feff}${validText()}`),
  malformed('UTF-16', () => Buffer.from(validText(), 'utf16le')),
  malformed('a byte that is no UTF-8', () =>
    Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff]), Buffer.from('"}')]),
  ),
  malformed('an overlong encoding', () =>
    Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
  ),
  malformed('an encoded surrogate', () =>
    Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ),
  malformed('an escaped lone surrogate', withMember('"x":"\\ud800"'), '/x'),
  malformed('a surrogate the wrong way round', withMember('"x":"\\udc00\\ud800"'), '/x'),
  malformed('a lone surrogate as a name', withMember('"\\ud800":1')),
  malformed('a raw control character', withMember('"x":"\u{1}"')),
  malformed('an invalid escape', withMember('"x":"\\q"')),
  malformed('a member twice', withMember('"actorId":"newcomer"')),
  malformed('a member twice, once escaped', withMember('"\\u0061ctorId":"newcomer"')),
  malformed('a member twice, further down', withMember('"x":{"y":1,"y":1}'), '/x'),
  malformed('a member __proto__', withMember('"__proto__":{"actorId":"newcomer"}')),
  malformed('a member __proto__, escaped', withMember('"\\u005f_proto__":{}')),
  malformed('a member __proto__, further down', withMember('"x":[{"__proto__":1}]')),
  malformed('1.0', withMember('"x":1.0'), '/x'),
  malformed('1e3', withMember('"x":1e3'), '/x'),
  malformed('-0', withMember('"x":-0'), '/x'),
  malformed('1e309', withMember('"x":1e309'), '/x'),
  malformed('01', withMember('"x":01'), '/x'),
  malformed('+1', withMember('"x":+1'), '/x'),
  malformed('0.5', withMember('"x":0.5'), '/x'),
  malformed('NaN', withMember('"x":NaN'), '/x'),
  malformed('2^53', withMember('"x":9007199254740992'), '/x'),
  malformed('-2^53', withMember('"x":-9007199254740992'), '/x'),
  malformed('a number of a thousand digits', withMember(`"x":${'9'.repeat(1_000)}`), '/x'),
  malformed('a string of 2,049 characters', withMember(`"x":"${'x'.repeat(2_049)}"`), '/x'),
  malformed('a name of 2,049 characters', withMember(`"${'x'.repeat(2_049)}":1`)),
  malformed('32 arrays in a member', withMember(`"x":${nested(32, '[', ']')}`)),
  malformed('32 objects in a member', withMember(`"x":${'{"x":'.repeat(31)}{}${'}'.repeat(31)}`)),
  malformed('1,000 arrays in a member', withMember(`"x":${nested(1_000, '[', ']')}`)),
  malformed(
    '1,000 objects in a member',
    withMember(`"x":${'{"x":'.repeat(1_000)}1${'}'.repeat(1_000)}`),
  ),
  malformed('1,000 arrays that never end', () => '['.repeat(1_000)),
  malformed('1,000 arrays around all', () => nested(1_000, '[', ']')),
  malformed('33 arrays around all', () => nested(33, '[', ']')),
  malformed('32 arrays in a payload', inPayload(nested(32, '[', ']'))),
  malformed('1,000 arrays in a payload', inPayload(nested(1_000, '[', ']'))),
]);

test('a registration cut short anywhere is refused with 400', async () => {
  const state = node.state();
  const whole = Buffer.from(validText());
  const lengths = Array.from({ length: whole.length }, (_, length) => length);
  for (let from = 0; from < lengths.length; from += 50) {
    const answers = await Promise.all(
      lengths
        .slice(from, from + 50)
        .map((length) => node.post(REGISTER, whole.subarray(0, length))),
    );
    for (const answer of answers) assertProblem(answer, 400, 'ENVELOPE_INVALID');
  }
  assert.deepEqual(node.state(), state);
});

describe('a body that arrives in another wrapping', () => {
  const padded = (bytes: number): string => {
    const envelope: JsonObject = {};
    for (let i = 0; i < 31; i++) envelope[`x${i}`] = 'x'.repeat(2_048);
    const rest =
      bytes - Buffer.byteLength(canonicalize(node.registration('sized', { ...envelope, y: '' })));
    return canonicalize(node.registration('sized', { ...envelope, y: 'y'.repeat(rest) }));
  };
  const fitting = (bytes: number): string => {
    // Nonces differ in length now and then; try until the size is right.
    for (;;) {
      const body = padded(bytes);
      if (Buffer.byteLength(body) === bytes) return body;
    }
  };
  test('65,537 bytes: 413', async () => {
    assertProblem(await node.post(REGISTER, fitting(65_537)), 413, 'BODY_TOO_LARGE');
    assert.equal((await node.get('/v1/agents/sized')).status, 404);
  });
  test('65,537 bytes in chunks: 413', async () => {
    const answer = await node.request(
      'POST',
      REGISTER,
      { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      fitting(65_537),
    );
    assertProblem(answer, 413, 'BODY_TOO_LARGE');
  });
  test('65,536 bytes are read: their members are at fault then', async () => {
    assertProblem(await node.post(REGISTER, fitting(65_536)), 400, 'ENVELOPE_INVALID');
  });
  test('3 MB: 413', async () => {
    const answer = await node.raw(
      `POST ${REGISTER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(70_000)}`,
    );
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /"code":"BODY_TOO_LARGE"/);
  });
  test('an empty object names every missing member', async () => {
    const { errors } = assertProblem(await node.post(REGISTER, '{}'), 400, 'ENVELOPE_INVALID');
    assert.deepEqual(errors?.map(({ path }) => path).sort(), [
      '/actorId',
      '/nonce',
      '/publicKey',
      '/publicKeyHash',
      '/signature',
    ]);
  });
  for (const [type, accepted] of [
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['application/json;charset=UTF-8', true],
    ['APPLICATION/JSON', true],
    ['text/plain', false],
    ['text/json', false],
    ['application/jsonp', false],
    ['application/json5', false],
    ['application/x-www-form-urlencoded', false],
    ['multipart/form-data; boundary=x', false],
    ['application/octet-stream', false],
    ['application/problem+json', false],
    ['application', false],
    ['*/*', false],
    ['', false],
  ] as const) {
    test(`content type "${type}" is ${accepted ? 'accepted' : 'refused with 415'}`, async () => {
      const answer = await node.post(REGISTER, '{}', { 'content-type': type });
      if (accepted) assertProblem(answer, 400, 'ENVELOPE_INVALID');
      else assertProblem(answer, 415, 'CONTENT_TYPE_UNSUPPORTED');
    });
  }
  test('no content type at all: 415', async () => {
    const answer = await node.request('POST', REGISTER, { 'content-length': 2 }, '{}');
    assertProblem(answer, 415, 'CONTENT_TYPE_UNSUPPORTED');
  });
  test('neither content type nor body: 400', async () => {
    const answer = await node.request('POST', REGISTER, { 'content-length': 0 });
    assertProblem(answer, 400, 'ENVELOPE_INVALID');
  });
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['gzip, identity', gzipSync],
    ['deflate', (body: string) => body],
  ] as const) {
    test(`content encoding ${encoding}: 415`, async () => {
      const state = node.state();
      const answer = await node.post(REGISTER, pack(validText()), { 'content-encoding': encoding });
      assertProblem(answer, 415, 'CONTENT_TYPE_UNSUPPORTED');
      assert.deepEqual(node.state(), state);
    });
  }
  test('content encoding identity says nothing', async () => {
    const answer = await node.post(REGISTER, '{}', { 'content-encoding': 'identity' });
    assertProblem(answer, 400, 'ENVELOPE_INVALID');
  });
});

const signed = (members: Record<string, unknown>) => (): Body =>
  node.registration('newcomer', members);
const required = ['actorId', 'publicKey', 'publicKeyHash', 'nonce', 'signature'];
const optional = ['description', 'referrerAgentId', 'chainId'];
const replaced = (member: string, value: unknown) => (): Body => {
  const envelope = node.registration('newcomer', { description: 'x', referrerAgentId: 'first' });
  const { [member]: _, ...rest } = envelope;
  return value === undefined ? rest : { ...rest, [member]: value as never };
};

rows('a registration whose members have the wrong form', [
  ...required.map((member) => malformed(`no ${member}`, replaced(member, undefined), `/${member}`)),
  ...[...required, ...optional].flatMap((member) =>
    Object.entries({
      null: null,
      'a number': 7,
      true: true,
      'an array': ['x'],
      'an object': {},
    }).map(([name, value]) =>
      malformed(`${member} is ${name}`, replaced(member, value), `/${member}`),
    ),
  ),
  ...[
    ['of one character', 'x'],
    ['empty', ''],
    ['with a line break at the end', 'newcomer\n'],
    ['with a dot in front', '.newcomer'],
    ['with a hyphen in front', '-newcomer'],
    ['with an underscore in front', '__proto__'],
    ['with a slash', 'new/comer'],
    ['with a blank', 'new comer'],
    ['with a letter beyond ASCII', 'newcömer'],
    ['with a full-width letter', 'ｎewcomer'],
    ['with a zero byte', 'new\u{0}comer'],
    ['of two dots', '..'],
  ].map(([name, actorId]) => malformed(`an actorId ${name}`, signed({ actorId }), '/actorId')),
  malformed(
    'a description of 281 emoji',
    signed({ description: '🦊'.repeat(281) }),
    '/description',
  ),
  malformed('an empty nonce', signed({ nonce: '' }), '/nonce'),
  malformed('a nonce of 129 characters', signed({ nonce: 'x'.repeat(129) }), '/nonce'),
  malformed('a key of 257 characters', signed({ publicKey: 'x'.repeat(257) }), '/publicKey'),
  malformed('a chainId of 65 characters', signed({ chainId: 'x'.repeat(65) }), '/chainId'),
  malformed('the members of an intent beside its own', signed({ action: 'faucet', payload: {} })),
  malformed('the schema of a system transition', signed({ schema: 'NET-SYSTEM-TRANSITION/1' })),
  malformed('the schema of an open transition', signed({ schema: 'NET-OPEN-TRANSITION/1' })),
  malformed('an intent', () => node.intent('first', 'faucet', { amount: 1 })),
]);

const refused = (name: string, code: ErrorCode, body: () => Body, path: string): Row => ({
  name,
  body,
  status: 409,
  code,
  path,
});
const signature = (name: string, make: (honest: string) => string): Row =>
  refused(
    name,
    'SIGNATURE_INVALID',
    () => {
      const envelope = node.registration('newcomer');
      return { ...envelope, signature: make(textOf(envelope, 'signature')) };
    },
    '/signature',
  );
const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
/** Adds the group order to S: the same equation holds, only the strict rule refuses it. */
function plusOrder(base64: string): string {
  const all = bytes(base64);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(all.subarray(32)).reverse().toString('hex')}`) + order;
  const high = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([all.subarray(0, 32), high]).toString('base64');
}

rows('a registration whose signature does not verify', [
  refused(
    'signed by another key',
    'SIGNATURE_INVALID',
    () => {
      const { signature: _, ...unsigned } = node.registration('newcomer');
      return signEnvelope(testKey('somebody else'), unsigned);
    },
    '/signature',
  ),
  refused(
    'signed before a member was changed',
    'SIGNATURE_INVALID',
    () => ({ ...node.registration('newcomer', { description: 'a' }), description: 'b' }),
    '/signature',
  ),
  refused(
    'signed before a member was added',
    'SIGNATURE_INVALID',
    () => ({ ...node.registration('newcomer'), description: 'added later' }),
    '/signature',
  ),
  refused(
    'signed as the text that was sent, not as its canonical form',
    'SIGNATURE_INVALID',
    () => {
      const { signature: _, ...unsigned } = node.registration('newcomer');
      const pretty = JSON.stringify(unsigned, null, 2);
      return { ...unsigned, signature: testKey('newcomer').sign(Buffer.from(pretty)) };
    },
    '/signature',
  ),
  refused(
    'signed with the empty signature inside',
    'SIGNATURE_INVALID',
    () => {
      const { signature: _, ...unsigned } = node.registration('newcomer');
      const inside = bytesToSign({ ...unsigned, signature_: '' });
      return { ...unsigned, signature: testKey('newcomer').sign(inside) };
    },
    '/signature',
  ),
  signature('an empty signature', () => ''),
  signature('base64url', (honest) => `-_${honest.slice(2)}`),
  signature('no padding', (honest) => honest.replace(/=+$/, '')),
  signature('stray bits before the padding', (honest) => {
    const last = 'AQgw'.indexOf(honest.charAt(85));
    return `${honest.slice(0, 85)}${'BRhx'.charAt(last)}==`;
  }),
  signature('a line break at the end', (honest) => `${honest}\n`),
  signature('a blank inside', (honest) => `${honest.slice(0, 8)} ${honest.slice(8)}`),
  signature('hexadecimal', (honest) => bytes(honest).toString('hex')),
  signature('63 bytes', (honest) => bytes(honest).subarray(0, 63).toString('base64')),
  signature('65 bytes', (honest) =>
    Buffer.concat([bytes(honest), Buffer.of(0)]).toString('base64'),
  ),
  signature('64 zeros', () => bytesToBase64(new Uint8Array(64))),
  signature('S plus the group order', plusOrder),
  signature('R of small order', (honest) =>
    Buffer.concat([Buffer.of(1), Buffer.alloc(31), bytes(honest).subarray(32)]).toString('base64'),
  ),
  signature('R that is no canonical point', (honest) =>
    Buffer.concat([
      Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex'),
      bytes(honest).subarray(32),
    ]).toString('base64'),
  ),
]);

const pem = (type: 'x25519' | 'rsa' | 'ec'): string => {
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1_024 })
      : type === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('x25519');
  return pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
};
/** Returns a signed registration with this text as its key. */
const key = (name: string, publicKey: () => string, code: ErrorCode = 'PUBLIC_KEY_INVALID'): Row =>
  refused(
    name,
    code,
    () => {
      const text = publicKey();
      return node.registration('newcomer', { publicKey: text, publicKeyHash: publicKeyHash(text) });
    },
    code === 'PUBLIC_KEY_INVALID' ? '/publicKey' : '/signature',
  );
const honestPem = testKey('newcomer').publicKey;

rows('a registration whose key cannot be used', [
  key('an empty key', () => ''),
  key('words', () => 'my public key'),
  key('an X25519 key', () => pem('x25519')),
  key('a P-256 key', () => pem('ec')),
  key('an RSA key under an Ed25519 header', () =>
    pemOfRaw(new Uint8Array(32)).replace('MCow', 'MIow'),
  ),
  key('base64 alone', () => honestPem.split('\n')[1]!),
  key('no line breaks', () => honestPem.replaceAll('\n', '')),
  key('a blank in front', () => ` ${honestPem}`),
  key('a line after it', () => `${honestPem}\n`),
  key('two keys', () => honestPem + honestPem),
  key('another label', () => honestPem.replaceAll('PUBLIC KEY', 'ED25519 KEY')),
  key('base64 in two lines', () => honestPem.replace('MCow', 'MCow\n')),
  refused(
    'a key whose point has a torsion part',
    'PUBLIC_KEY_INVALID',
    () => node.registration('newcomer', {}, torsionKey('newcomer')),
    '/publicKey',
  ),
  // No signature verifies under these keys by the strict equation, so the node refuses the signature first.
  key('the identity', () => pemOfRaw(hexToBytes(`01${'00'.repeat(31)}`)), 'SIGNATURE_INVALID'),
  key(
    'a point of order 8',
    () => pemOfRaw(hexToBytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')),
    'SIGNATURE_INVALID',
  ),
  key(
    '32 bytes that are no point',
    () => pemOfRaw(hexToBytes(`02${'00'.repeat(31)}`)),
    'SIGNATURE_INVALID',
  ),
  ...[
    ['of another key', testKey('somebody else').publicKeyHash],
    ['in capitals', testKey('newcomer').publicKeyHash.toUpperCase()],
    ['empty', ''],
  ].map(([name, hash]) =>
    refused(
      `a publicKeyHash ${name}`,
      'PUBLIC_KEY_HASH_MISMATCH',
      signed({ publicKeyHash: hash }),
      '/publicKeyHash',
    ),
  ),
]);

test('an RSA key is too long to be looked at', async () => {
  const text = pem('rsa');
  const answer = await node.post(
    REGISTER,
    node.registration('newcomer', { publicKey: text, publicKeyHash: publicKeyHash(text) }),
  );
  assertProblem(answer, 400, 'ENVELOPE_INVALID');
});

test('refuses the identity as a key even if its signature verifies', async () => {
  // With A the identity, R = s·B holds for any s: the public key of a seed and its scalar are such a pair.
  const raw = hexToBytes(`01${'00'.repeat(31)}`);
  const text = pemOfRaw(raw);
  const digest = createHash('sha512').update(sha256('any')).digest().subarray(0, 32);
  digest[0] = digest[0]! & 248;
  digest[31] = (digest[31]! & 127) | 64;
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(digest).reverse().toString('hex')}`) % order;
  const S = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  const forged = Buffer.concat([Buffer.from(testKey('any').rawHex, 'hex'), S]).toString('base64');
  const answer = await node.post(
    REGISTER,
    node.registration(
      'newcomer',
      {},
      {
        publicKey: text,
        publicKeyHash: publicKeyHash(text),
        sign: () => forged,
      },
    ),
  );
  // Libraries disagree whether this verifies. Either way no agent joins with such a key.
  assert.equal(answer.status, 409);
  assert.match(textOf(answer.body, 'code'), /^(PUBLIC_KEY|SIGNATURE)_INVALID$/);
  assert.equal((await node.get('/v1/agents/newcomer')).status, 404);
});

rows('a registration that breaks a rule of the ledger', [
  refused(
    'a name that is taken',
    'AGENT_EXISTS',
    () => node.registration('first', {}, testKey('new')),
    '/actorId',
  ),
  refused(
    'the name of the operator',
    'AGENT_EXISTS',
    () => node.registration('operator', {}, testKey('new')),
    '/actorId',
  ),
  refused(
    'a key that is registered, with other line breaks',
    'KEY_ALREADY_REGISTERED',
    () => {
      const text = testKey('first').publicKey.replaceAll('\n', '\r\n');
      return node.registration(
        'newcomer',
        {},
        { ...testKey('first'), publicKey: text, publicKeyHash: publicKeyHash(text) },
      );
    },
    '/publicKey',
  ),
  refused(
    'itself as referrer',
    'REFERRER_UNKNOWN',
    signed({ referrerAgentId: 'newcomer' }),
    '/referrerAgentId',
  ),
  refused(
    'the operator as referrer',
    'REFERRER_UNKNOWN',
    signed({ referrerAgentId: 'operator' }),
    '/referrerAgentId',
  ),
  refused(
    'an empty referrer',
    'REFERRER_UNKNOWN',
    signed({ referrerAgentId: '' }),
    '/referrerAgentId',
  ),
  refused(
    '__proto__ as referrer',
    'REFERRER_UNKNOWN',
    signed({ referrerAgentId: '__proto__' }),
    '/referrerAgentId',
  ),
  refused(
    'a referrer of 2,048 characters',
    'REFERRER_UNKNOWN',
    signed({ referrerAgentId: '🦊'.repeat(2_048) }),
    '/referrerAgentId',
  ),
  refused(
    'a suspended referrer',
    'REFERRER_INACTIVE',
    signed({ referrerAgentId: 'sleeper' }),
    '/referrerAgentId',
  ),
  refused('another chain', 'CHAIN_ID_MISMATCH', signed({ chainId: 'net-devnet-2' }), '/chainId'),
  refused('an empty chainId', 'CHAIN_ID_MISMATCH', signed({ chainId: '' }), '/chainId'),
]);

describe('a registration that is accepted', () => {
  for (const [name, actorId, members] of [
    ['a name of two characters', 'a1', {}],
    ['a name of 64 characters', 'x'.repeat(64), {}],
    ['a name that every plain object has', 'constructor', {}],
    ['another such name', 'toString', {}],
    ['the name of another path', 'operations', {}],
    ['280 emoji as description', 'emoji', { description: '🦊'.repeat(280) }],
    ['an empty description', 'silent', { description: '' }],
    ['no chainId', 'anywhere', { chainId: undefined }],
    ['a nonce of 128 characters', 'nonce', { nonce: '\u{0}'.repeat(128) }],
  ] as [string, string, Record<string, unknown>][]) {
    test(`${name} can be read back`, async () => {
      await node.join(actorId, members);
      const { agent } = await node.document(`/v1/agents/${actorId}`);
      assert.equal((agent as JsonObject)['agentId'], actorId);
      assert.equal((agent as JsonObject)['description'], members['description'] ?? '');
    });
  }
  for (const [name, change] of [
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no line break at the end', (text: string) => text.trimEnd()],
  ] as const) {
    test(`a key with ${name} is kept as it was sent`, async () => {
      const honest = testKey(name);
      const publicKey = change(honest.publicKey);
      const actorId = `pem-${name.length}`;
      const answer = await node.post(
        REGISTER,
        node.registration(
          actorId,
          {},
          { ...honest, publicKey, publicKeyHash: publicKeyHash(publicKey) },
        ),
      );
      assert.equal(answer.status, 201, answer.text);
      const { authority } = await node.document(`/v1/agents/${actorId}`);
      assert.equal((authority as JsonObject)['publicKey'], publicKey);
    });
  }
});

test('a key that was rotated out is never registered again', async () => {
  const next = testKey('rotator, second key');
  await node.join('rotator');
  const old = testKey('rotator');
  const nonce = node.freshNonce();
  const statement = {
    schema: 'NET-KEY-ROTATION/1',
    chainId: 'net-http-test',
    actorId: 'rotator',
    oldKeyHash: old.publicKeyHash,
    newPublicKey: next.publicKey,
    nonce,
  };
  const payload = {
    agentId: 'rotator',
    newPublicKey: next.publicKey,
    newKeySignature: next.sign(bytesToSign(statement)),
  };
  const rotation = await node.post(
    '/v1/intents',
    node.intent('rotator', 'rotateAgentKey', payload, { nonce }),
  );
  assert.equal(rotation.status, 201, rotation.text);
  const again = await node.post(REGISTER, node.registration('newcomer', {}, old));
  assertProblem(again, 409, 'KEY_ALREADY_REGISTERED');
  const byOldKey = await node.post(
    '/v1/intents',
    node.intent('rotator', 'withdrawBeacon', { agentId: 'rotator' }),
  );
  assertProblem(byOldKey, 409, 'SIGNATURE_INVALID');
});
