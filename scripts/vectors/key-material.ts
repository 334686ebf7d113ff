import { holdsPrivateKey, isSecretName, keyMaterialPath, type JsonValue } from '@netd/protocol';

/** The body of a key that nobody has: what matters is how it begins. */
const ZEROS = 'A'.repeat(42);
const ED25519 = `MC4CAQAwBQYDK2VwBCIEI${ZEROS}`;
const PEM = ['-----BEGIN', 'PRIVATE KEY-----\nexample\n-----END', 'PRIVATE KEY-----'].join(' ');

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
  ['a name that is the key itself', { a: { [PEM]: 1 } }],
];

export function keyMaterial(): unknown {
  return {
    about:
      'What no envelope may hold: members named like secrets, and texts that hold a private key (these are made up). path is the JSON Pointer of the only secret in a value, null where there is none.',
    names: NAMES.map((name) => ({ name, secret: isSecretName(name) })),
    texts: TEXTS.map((text) => ({ text, secret: holdsPrivateKey(text) })),
    values: VALUES.map(([name, value]) => ({ name, value, path: keyMaterialPath(value) })),
  };
}
