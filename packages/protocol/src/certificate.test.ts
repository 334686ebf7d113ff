import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testKey } from './testing/index.ts';
import { bytesToBase64, utf8Text } from './bytes.ts';
import {
  certificateHash,
  FinalityCertificate,
  makeCertificate,
  verifyCertificate,
  voteBytes,
  type FinalityStatement,
  type StatementCertificate,
  type StatementVote,
} from './certificate.ts';
import { sha256Hex } from './hash.ts';
import { compileSchema } from './validation.ts';
import { makeValidatorSet, type ValidatorSet } from './validator-set.ts';

const powers = { ada: 5, bob: 3, cyd: 2 };
type Id = keyof typeof powers;
const set = makeValidatorSet(
  'net-devnet-1',
  1,
  Object.entries(powers).map(([validatorId, votingPower]) => ({
    validatorId,
    consensusPublicKey: testKey(validatorId).publicKey,
    votingPower,
    faultDomain: 'zone',
  })),
);
const statement: FinalityStatement = {
  chainId: 'net-devnet-1',
  epoch: 1,
  height: 7,
  blockHash: sha256Hex('block'),
  stateRoot: sha256Hex('state'),
  validatorSetHash: set.validatorSetHash,
};
const vote = (id: Id, about = statement, name: string = id): StatementVote => ({
  validatorId: id,
  votingPower: powers[id],
  signature: bytesToBase64(testKey(name).signBytes(voteBytes(about, id))),
});
const [ada, bob, cyd] = [vote('ada'), vote('bob'), vote('cyd')];
const certificate = makeCertificate(statement, set, [cyd, ada]);
const wrong = sha256Hex('wrong');

describe('every reason to refuse', () => {
  const reasons: [
    RegExp,
    Partial<Record<keyof StatementCertificate, unknown>>,
    Partial<ValidatorSet>?,
  ][] = [
    [/^it is not a NET-FINALITY-CERTIFICATE\/1$/, { schema: 'NET-BLOCK/1' }],
    [/^the scheme ed25519-statement-v2 is not known here$/, { scheme: 'ed25519-statement-v2' }],
    [/^certificateHash is wrong$/, { scheme: 'cometbft-commit-v0.38' }],
    [/^the validator set is wrong: its sums/, {}, { quorum: 1 }],
    [/^it names another validator set$/, { validatorSetHash: wrong }],
    [/^its chain or epoch/, { chainId: 'net-devnet-2' }],
    [/^its chain or epoch/, { epoch: 2 }],
    [/^certificateHash is wrong$/, { height: 8 }],
    [/^certificateHash is wrong$/, { blockHash: wrong }],
    [/^certificateHash is wrong$/, { certificateHash: wrong }],
    [/^totalVotingPower is wrong$/, { totalVotingPower: 7 }],
    [/^the votes are not sorted, or one stands twice$/, { votes: [cyd, ada] }],
    [/^the votes are not sorted, or one stands twice$/, { votes: [ada, ada], votingPower: 10 }],
    [/^eve is not a validator$/, { votes: [ada, cyd, { ...ada, validatorId: 'eve' }] }],
    [/^the power of cyd is wrong$/, { votes: [ada, { ...cyd, votingPower: 4 }] }],
    [
      /^the signature of cyd does not verify$/,
      { votes: [ada, { ...cyd, signature: ada.signature }] },
    ],
    [/^the signature of cyd does not verify$/, { votes: [ada, vote('cyd', statement, 'ada')] }],
    [
      /^the signature of ada does not verify$/,
      { votes: [vote('ada', { ...statement, height: 8 }), cyd] },
    ],
    [/^the signature of cyd does not verify$/, { votes: [ada, { ...cyd, signature: '' }] }],
    [/^votingPower is not the sum of its votes$/, { votingPower: 10 }],
    [/^its power 5 is below the quorum 7$/, { votes: [ada], votingPower: 5 }],
    [/^its power 5 is below the quorum 7$/, { votes: [bob, cyd], votingPower: 5 }],
    [/^its power 0 is below the quorum 7$/, { votes: [], votingPower: 0 }],
  ];
  reasons.forEach(([reason, change, setChange], i) => {
    test(`${i}: ${reason.source}`, () => {
      const changed = { ...certificate, ...change } as FinalityCertificate;
      const verdict = verifyCertificate(changed, { ...set, ...setChange }, set.validatorSetHash);
      assert.match(verdict.ok ? 'accepted' : verdict.reason, reason);
    });
  });

  test('a consistent set that is not the trusted one', () => {
    const verdict = verifyCertificate(certificate, set, wrong);
    assert.match(verdict.ok ? 'accepted' : verdict.reason, /not the trusted one/);
  });
});

test('exactly the quorum suffices; without an anchor the verdict says only self-consistent', () => {
  assert.deepEqual(verifyCertificate(certificate, set), { ok: true, verdict: 'self-consistent' });
  assert.deepEqual(verifyCertificate(certificate, set, set.validatorSetHash), {
    ok: true,
    verdict: 'trusted',
  });
  assert.equal(compileSchema(FinalityCertificate)(certificate), null);
});

test('nodes with different votes give a certificate the same hash', () => {
  const all = makeCertificate(statement, set, [bob, cyd, ada]);
  assert.equal(all.certificateHash, certificate.certificateHash);
  assert.equal(all.votingPower, 10);
  assert.deepEqual(
    all.votes.map(({ validatorId }) => validatorId),
    ['ada', 'bob', 'cyd'],
  );
  assert.equal(certificateHash(all), certificateHash(statement));
});

test('vote bytes name the validator and every member of the statement', () => {
  const text = utf8Text(voteBytes(statement, 'ada'));
  assert.deepEqual(JSON.parse(text), {
    schema: 'NET-FINALITY-VOTE/1',
    ...statement,
    validatorId: 'ada',
  });
  // Other members of a certificate must not be signed.
  assert.equal(utf8Text(voteBytes(certificate, 'ada')), text);
});
