import { canonicalize, bytesToBase64 as base64, hexToBytes, makeCertificate, makeValidatorSet, sha256Hex, voteBytes, type FinalityStatement, type JsonObject, type StatementVote } from '@netd/protocol';
import { pemOfRaw, SMALL_ORDER_POINTS, testKey } from '@netd/protocol/testing';
import { nextLetter } from './base64.ts';

export function certificates(): unknown {
  const powers = { ada: 5, bob: 3, cyd: 2 };
  const validator = (
    validatorId: string,
    votingPower: number,
  ): Parameters<typeof makeValidatorSet>[2][number] => ({
    validatorId,
    consensusPublicKey: testKey(validatorId).publicKey,
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
    signature: base64(testKey(signer).signBytes(voteBytes(about, id))),
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
    { name: 'an unknown scheme', change: { scheme: 'ed25519-statement-v2' } },
    { name: 'the scheme of CometBFT, without its header', change: { scheme: 'cometbft-commit-v0.38' } },
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
            consensusPublicKey: pemOfRaw(hexToBytes(SMALL_ORDER_POINTS[1] ?? '')),
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

/** A typed document as the plain JSON it is on the wire. */
function json(value: unknown): JsonObject[string] {
  return JSON.parse(canonicalize(value)) as JsonObject[string];
}
