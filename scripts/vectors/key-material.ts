import { hasKeyBytes, holdsPrivateKey, isKeyName, isSecretName, keyMaterialPath, type JsonValue } from '@netd/protocol';

/** The body of a made-up key: only its beginning matters. */
const ZEROS = 'A'.repeat(42);
const ED25519 = `MC4CAQAwBQYDK2VwBCIEI${ZEROS}`;
const PEM = ['-----BEGIN', 'PRIVATE KEY-----\nexample\n-----END', 'PRIVATE KEY-----'].join(' ');

/** The secret key of RFC 8032, test 1: 32 bytes that everybody knows. */
const HEX = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const BASE64 = 'nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=';
const PUBLIC_PEM = 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K';

const KEY_NAMES = [
  'key', 'Key', 'keys', 'sk', 'SK', 'd', 'skHex', 'sk_b64', 'skhex', 'walletSk', 'ed25519-sk', 'd_hex', 'signingKey', 'signing_key', 'signingkey',
  'agentKeyHex', 'keyBase64', 'masterKey', 'encryptionKey', 'hot.key', 'x key raw',
  'publicKey', 'newPublicKey', 'consensusPublicKey', 'pubkey', 'pub_key_hex', 'verificationKey', 'verifyingKey', 'publicKeyHash', 'oldKeyHash',
  'sessionKeySignature', 'newKeySignature', 'metadataHash', 'idempotencyKey', 'idempotency_key', 'partitionKey', 'stateKey', 'cacheKey',
  'risk', 'riskHex', 'task', 'disk', 'id', 'kid', 'nonce', 'keyword', 'keyId', 'hex', 'value', 'ſk', '',
];

const KEY_BYTES = [
  HEX, HEX.toUpperCase(), `0x${HEX}`, HEX.repeat(2), BASE64, BASE64.slice(0, -1), BASE64.replace('/', '_'),
  `${'nWGx'.repeat(21)}nW==`, `${'nWGx'.repeat(21)}nW`,
  HEX.slice(1), `${HEX}0`, ` ${HEX}`, `${HEX}\n`, BASE64.slice(1), `${BASE64}=`, 'a-name-of-forty-three-letters-with-hyphens-', 'x'.repeat(43), '',
];

const NAMES = [
  'privateKey', 'private_key', 'PRIVATE-KEY', 'agentPrivateKeyPem', 'privkey', 'secret',
  'client_secret', 'secretKeys', 'seed', 'wallet.seed', 'seed phrase', 'seedHex', 'mnemonic',
  'recoveryPhrase', 'password', 'passwd', 'passphrase', 'passcode', 'X-Api-Key', 'accessKey',
  'credentials', 'accessToken', 'bearer_tokens',
  'publicKey', 'publicKeyHash', 'key', 'tokenId', 'seedHash', 'secretHash', 'secretary',
  'seeding', 'pass', 'token', 'd', 'k', 'ſecret', '',
];

const TEXTS = [
  PEM,
  '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----',
  '-----begin openssh private key-----',
  ED25519,
  `my key: ${ED25519} (keep it)`,
  `MFECAQEwBQYDK2VwBCIEI${ZEROS}`,
  `MC4CAQAwBQYDK2VuBCIEI${ZEROS}`,
  `302E020100300506032B657004220420${'00'.repeat(32)}`,
  `MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w${ZEROS}`,
  `MIIEvAIBADANBgkqhkiG9w0BAQEFAASC${ZEROS}`,
  `{"kty":"OKP","crv":"Ed25519","x":"${ZEROS}","d":"${ZEROS}"}`,
  `{ \\"d\\" : \\"${ZEROS}\\", \\"kty\\" : \\"OKP\\" }`,
  `MCowBQYDK2VwAyEA${ZEROS}`,
  Buffer.from(PEM).toString('base64'),
  Buffer.from(`x${PEM}`).toString('base64url'),
  Buffer.from(`xy${PEM}`).toString('base64'),
  `AGE-SECRET-KEY-1${'Q'.repeat(58)}`,
  `age-secret-key-1${'q'.repeat(58)}`,
  `b3BlbnNzaC1rZXktdjEAAAAABG5vbmU${ZEROS}`,
  `seed: ${HEX}`,
  `the secret key is ${BASE64}`,
  `{"sk":"${HEX}"}`,
  `{\\"private_key\\": \\"0x${HEX.repeat(2)}\\"}`,
  `note=1 sk = ${HEX} ok`,
  `seed (hex): ${HEX}`,
  `Here is my secret key ${HEX}.`,
  `private key (base64, raw) -> ${BASE64}`,
  `{'kty': 'OKP', 'crv': 'Ed25519', 'x': '${ZEROS}', 'd': '${ZEROS}'}`,
  `wallet xprv9${'s'.repeat(107)}`,
  `nsec1${'q'.repeat(58)}`,
  `token ghp_${'aB3'.repeat(12)}`,
  `github_pat_${'aB3_'.repeat(15)}`,
  `OPENAI sk-proj-${'aB3_'.repeat(12)}`,
  `google AIza${'aB3_-'.repeat(7)}`,
  `xoxb-${'1234-'.repeat(5)}`,
  `private key of ${HEX}`,
  `the public key ${HEX}`,
  `seed ${HEX}`,
  `seed (of the committee) of ${HEX}`,
  `risk-${'aB3_'.repeat(12)}`,
  `{"seedHex":"${HEX}"}`,
  `agentSeed: ${HEX}`,
  `walletPrivateKey=0x${HEX}`,
  `my seed is: ${HEX}`,
  `seed hex => ${HEX}`,
  `sk_live_${'aB3x'.repeat(6)}`,
  'IFBSSVZBVEUgS0VZ',
  `keyHex: ${HEX}`,
  `seed:\u00a0${HEX}`,
  `{"kty"\u00a0:"OKP","d":"${ZEROS}"}`,
  PUBLIC_PEM,
  `result: ${HEX}`,
  `risk: ${HEX}`,
  `seed hash: ${HEX}`,
  `seedHash: ${HEX}`,
  `seed: ${HEX}0`,
  'the secret is that there is none of it, however long this sentence goes on',
  `{"kty":"OKP","crv":"Ed25519","x":"${ZEROS}"}`,
  `{"d":"${ZEROS}"}`,
  'begin with your PRIVATE KEY',
  '00'.repeat(32),
  '',
];

const VALUES: [string, JsonValue][] = [
  ['nothing', { actorId: 'alice', payload: { amount: 1, list: [null, true, 'x'] } }],
  ['a member', { privateKey: 'x' }],
  ['a member without a value, further down', { a: { seed: null } }],
  ['a member in a list', { a: [{}, { 'api-key': 1 }] }],
  ['a name that wants escaping', { 'a/b': { 'c~secret': 1 } }],
  ['a text', { payload: { memo: `hello ${PEM}` } }],
  ['a text in a list', { a: ['x', PEM] }],
  ['a JWK', { key: { kty: 'OKP', crv: 'Ed25519', x: 'AAEC', d: 'AAEC' } }],
  ['a symmetric JWK', { a: { kty: 'oct', k: 'AAEC' } }],
  ['a public JWK', { a: { kty: 'OKP', crv: 'Ed25519', x: 'AAEC' } }],
  ['a d of something else', { a: { d: 'x', k: 'y' } }],
  ['a key in hex', { profile: { sk: HEX } }],
  ['a key in base64', { a: [{ 'agent key': BASE64 }] }],
  ['a private half in hex', { a: { d: HEX } }],
  ['a hash under a name that says hash', { keyHash: HEX, publicKey: BASE64, metadataHash: HEX, idempotencyKey: HEX }],
  ['what is no key under a name that says key', { key: 'state/agent', sk: 'x', d: 1, keys: [HEX] }],
  ['a name that is the key itself', { a: { [PEM]: 1 } }],
];

export function keyMaterial(): unknown {
  return {
    about:
      'What no envelope may hold: members named like secrets, bytes of a key (keyBytes) under a name that says key (keyNames), and texts that hold a private key (these are made up). path is the JSON Pointer of the only secret in a value, null where there is none.',
    names: NAMES.map((name) => ({ name, secret: isSecretName(name) })),
    keyNames: KEY_NAMES.map((name) => ({ name, key: isKeyName(name) })),
    keyBytes: KEY_BYTES.map((text) => ({ text, key: hasKeyBytes(text) })),
    texts: TEXTS.map((text) => ({ text, secret: holdsPrivateKey(text) })),
    values: VALUES.map(([name, value]) => ({ name, value, path: keyMaterialPath(value) })),
  };
}
