import { eventHash, hashValue, hashWithout, nonceHash, publicKeyHash } from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';

export function hashes(): unknown {
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
    publicKeyHashes: [key.publicKey, key.publicKey.trimEnd(), key.publicKey.replaceAll('\n', '\r\n')].map((pem) => ({
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
