import { bytesToBase64 as base64, bytesToHex, bytesToSign, encodeEnvelope, publicKeyHash, type JsonObject } from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';

const key = testKey('alice');
const sign = (envelope: JsonObject): JsonObject => ({
  ...envelope,
  signature: base64(key.signBytes(bytesToSign(envelope))),
});
const registration: JsonObject = {
  actorId: 'alice',
  description: 'Reads contracts 📜',
  publicKey: key.publicKey,
  publicKeyHash: publicKeyHash(key.publicKey),
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
  publicKey: key.publicKey,
  publicKeyHash: publicKeyHash(key.publicKey),
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
  ['an open transition, which is not signed', 'open', open],
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
  ['intent with genesisHash', 'intent', { ...intent, genesisHash: 'ab'.repeat(32) }],
  // Version 1 of the rules ignores the member here.
  ['claim with a number as genesisHash', 'claim', { ...claim, genesisHash: 1 }],
  [
    'extra members are signed',
    'claim',
    { ...claim, Zeta: [null, { b: 1, a: 2 }], ünï: true },
  ],
  [
    'names around signature are signed',
    'application',
    { ...application, signatur: 1, signatures: 2, 'signature ': 3, '"signature"': 4 },
  ],
  [
    'signature inside the payload is signed',
    'intent',
    { ...intent, payload: { signature: 'x' } },
  ],
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
    ['/schema'],
  ],
  [
    'a registration under the name of a claim',
    'registration',
    { ...signedRegistration, schema: 'NET-OPERATOR-INVITATION-CLAIM/1' },
    ['/schema'],
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
  ['genesisHash is a number', 'intent', { ...signedIntent, genesisHash: 1 }, ['/genesisHash']],
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
    ['/schema'],
  ],
  [
    'an intent under the name of an open transition',
    'intent',
    { ...signedIntent, schema: 'NET-OPEN-TRANSITION/1' },
    ['/schema'],
  ],
  [
    'a registration under the name of a system transition',
    'registration',
    { ...signedRegistration, schema: 'NET-SYSTEM-TRANSITION/1' },
    ['/schema'],
  ],
  [
    'a registration with action and payload',
    'registration',
    { ...signedRegistration, action: 'x', payload: {} },
    ['/action', '/payload'],
  ],
  ['an intent with a note', 'intent', { ...signedIntent, note: 'hello' }, ['/note']],
  [
    'an intent with publicKeyHash',
    'intent',
    { ...signedIntent, publicKeyHash: '0' },
    ['/publicKeyHash'],
  ],
  [
    'a registration with a motto',
    'registration',
    { ...signedRegistration, motto: 'onwards' },
    ['/motto'],
  ],
  [
    'a claim under the name of a system transition',
    'claim',
    { ...signedClaim, schema: 'NET-SYSTEM-TRANSITION/1' },
    ['/schema'],
  ],
];

export function envelopes(): unknown {
  return {
    about:
      'Signed envelopes. valid: signedText is the JCS text without signature, signedHex its bytes; transitionHash is the hash of the whole envelope. The key is that of the secret seed; open transitions are not signed. invalid: the JSON Pointers at fault, sorted.',
    seed: bytesToHex(key.seed),
    publicKey: key.publicKey,
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
