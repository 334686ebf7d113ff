/** Certificates of scheme cometbft-commit-v0.38 by keys of tests, and forged ones. Real headers are in cometbft/chain.json. */
import {
  bytesToBase64 as base64,
  bytesToHex,
  certificateHash,
  COMMIT_SCHEME,
  cometbftAddress,
  cometbftHeaderHash,
  cometbftValidatorsHash,
  hexToBytes,
  makeCertificate,
  makeCommitCertificate,
  makeValidatorSet,
  precommitBytes,
  sha256Hex,
  voteBytes,
  type CometbftCommit,
  type CommitCertificate,
  type CommitVote,
  type FinalityStatement,
  type StatementCertificate,
} from '@netd/protocol';
import { craftedSignatures, testKey } from '@netd/protocol/testing';

const CHAIN = 'net-devnet-1';
const powers = { ada: 5, bob: 3, cyd: 2 };
type Id = keyof typeof powers;
const ids = Object.keys(powers) as Id[];

const set = makeValidatorSet(
  CHAIN,
  1,
  ids.map((validatorId) => ({
    validatorId,
    consensusPublicKey: testKey(validatorId).publicKey,
    votingPower: powers[validatorId],
    faultDomain: `zone-${validatorId}`,
  })),
);

const statement: FinalityStatement = {
  chainId: CHAIN,
  epoch: 1,
  height: 42,
  blockHash: sha256Hex('block'),
  stateRoot: sha256Hex('state'),
  validatorSetHash: set.validatorSetHash,
};

const commit: CometbftCommit = {
  header: {
    version: { block: 11, app: 1 },
    chainId: CHAIN,
    height: 57,
    time: '2026-01-02T03:04:05.000000006Z',
    lastBlockId: { hash: sha256Hex('last'), parts: { total: 1, hash: sha256Hex('parts') } },
    lastCommitHash: sha256Hex('commit'),
    dataHash: sha256Hex(''),
    validatorsHash: cometbftValidatorsHash(set.validators),
    nextValidatorsHash: cometbftValidatorsHash(set.validators),
    consensusHash: sha256Hex('parameters'),
    appHash: certificateHash(statement, COMMIT_SCHEME),
    lastResultsHash: sha256Hex(''),
    evidenceHash: sha256Hex(''),
    proposerAddress: cometbftAddress(testKey('bob').raw),
  },
  round: 1,
  parts: { total: 1, hash: sha256Hex('own parts') },
};

/** Validators' clocks differ. */
const times: Record<Id, string> = {
  ada: '2026-01-02T03:04:06Z',
  bob: '2026-01-02T03:04:05.9Z',
  cyd: '2026-01-02T03:04:06.123456789Z',
};

function vote(id: Id, about = commit, signer: string = id): CommitVote {
  const bytes = precommitBytes(about, times[id]);
  return {
    validatorId: id,
    votingPower: powers[id],
    timestamp: times[id],
    signature: base64(testKey(signer).signBytes(bytes)),
  };
}

/** Returns a precommit for no block: without the field of the block id. */
function nilVote(id: Id): CommitVote {
  const whole = precommitBytes(commit, times[id]);
  const withId = bytesToHex(whole.subarray(1));
  const at = withId.indexOf('22480a20');
  const without = hexToBytes(withId.slice(0, at) + withId.slice(at + 2 * 74));
  const signed = Uint8Array.of(without.length, ...without);
  return { ...vote(id), signature: base64(testKey(id).signBytes(signed)) };
}

export function commitCertificates(): unknown {
  const [ada, cyd] = [vote('ada'), vote('cyd')];
  const certificate = makeCommitCertificate(statement, set, { commit, votes: [ada, cyd] });
  const other = { ...statement, blockHash: sha256Hex('other') };
  const changed = (header: Partial<CometbftCommit['header']>): CometbftCommit => ({
    ...commit,
    header: { ...commit.header, ...header },
  });
  const signedBy = (about: CometbftCommit): Partial<CommitCertificate> => ({
    commit: about,
    votes: [vote('ada', about), vote('cyd', about)],
  });
  const wrong = sha256Hex('wrong');
  const withS = (signature: Uint8Array): CommitVote => ({ ...cyd, signature: base64(signature) });
  const invalid: { name: string; change?: object; trustedSetHash?: string }[] = [
    { name: 'the scheme of statements', change: { scheme: 'ed25519-statement-v1' } },
    { name: 'an unknown scheme', change: { scheme: 'cometbft-commit-v0.39' } },
    { name: 'no header of CometBFT', change: { commit: null } },
    {
      name: 'the header of CometBFT is for another block',
      change: makeCommitCertificate(other, set, { commit, votes: [ada, cyd] }),
    },
    { name: 'another state root', change: { stateRoot: wrong } },
    { name: 'another certificate hash', change: { certificateHash: wrong } },
    {
      name: 'another certificate hash, in the header too',
      change: { ...signedBy(changed({ appHash: wrong })), certificateHash: wrong },
    },
    { name: 'the header states nothing', change: signedBy(changed({ appHash: '' })) },
    { name: 'the header is of another chain', change: signedBy(changed({ chainId: 'net-2' })) },
    {
      name: 'the header names other validators',
      change: signedBy(changed({ validatorsHash: wrong })),
    },
    { name: 'the votes are for another header', change: { commit: changed({ dataHash: wrong }) } },
    {
      name: 'the votes are for another height of CometBFT',
      change: { commit: changed({ height: 58 }) },
    },
    { name: 'the votes are of another round', change: { commit: { ...commit, round: 2 } } },
    {
      name: 'the votes are for other parts',
      change: { commit: { ...commit, parts: { total: 2, hash: commit.parts.hash } } },
    },
    { name: 'a hash in the header that is no hex', change: { commit: changed({ dataHash: 'xy' }) } },
    {
      name: 'a time in the header that is none',
      change: { commit: changed({ time: '2026-02-30T00:00:00Z' }) },
    },
    { name: 'a vote twice', change: { votes: [ada, ada], votingPower: 10 } },
    { name: 'votes not sorted', change: { votes: [cyd, ada] } },
    { name: 'a vote of a stranger', change: { votes: [ada, { ...cyd, validatorId: 'dan' }] } },
    {
      name: 'a vote with more power',
      change: { votes: [ada, { ...cyd, votingPower: 3 }], votingPower: 8 },
    },
    {
      name: 'the vote of one under the name of another',
      change: { votes: [ada, vote('cyd', commit, 'bob')] },
    },
    { name: 'a vote for no block', change: { votes: [ada, nilVote('cyd')] } },
    {
      name: 'a vote at another time',
      change: { votes: [ada, { ...cyd, timestamp: '2026-01-02T03:04:06.12345679Z' }] },
    },
    {
      name: 'a vote at the same time, written otherwise',
      change: { votes: [{ ...ada, timestamp: '2026-01-02T03:04:06.000Z' }, cyd] },
    },
    { name: 'a signature that is no base64', change: { votes: [ada, { ...cyd, signature: '' }] } },
    { name: 'a signature of zeros', change: { votes: [ada, withS(new Uint8Array(64))] } },
    { name: 'below the quorum', change: { votes: [ada], votingPower: 5 } },
    { name: 'no votes', change: { votes: [], votingPower: 0 } },
    { name: 'the sum of the votes is wrong', change: { votingPower: 10 } },
    { name: 'another total power', change: { totalVotingPower: 7 } },
    { name: 'not the trusted set', trustedSetHash: wrong },
  ];
  return {
    about:
      'Finality certificates of scheme cometbft-commit-v0.38. invalid: the members of change replace those of the first valid certificate; trustedSetHash is the hash of the set unless given. zip215: signatures by the rule of CometBFT, which takes some that the strict rule of signatures.json refuses. trustSteps: whether a certificate with its set follows from a trusted one, that of all cases unless a case has its own. cometbft/chain.json has headers, sets and votes of a real chain.',
    validatorSet: set,
    headerHash: cometbftHeaderHash(commit.header),
    precommit: bytesToHex(precommitBytes(commit, times.cyd)),
    valid: [
      { name: 'exactly the quorum', certificate },
      {
        name: 'all votes',
        certificate: makeCommitCertificate(statement, set, { commit, votes: ids.map((id) => vote(id)) }),
      },
      {
        name: 'block 0, which the first header states',
        certificate: first(),
      },
    ],
    invalid,
    trustSteps: trustSteps(),
    zip215: craftedSignatures().map(({ name, publicKey, message, signature, valid, note }) => ({
      name,
      publicKey: bytesToHex(publicKey),
      message: bytesToHex(message),
      signature: bytesToHex(signature),
      valid: valid || note.includes('holds'),
    })),
  };
}

/** No previous block exists to name. */
function first(): CommitCertificate {
  const genesis = { ...statement, height: 0 };
  const about: CometbftCommit = {
    ...commit,
    round: 0,
    header: {
      ...commit.header,
      height: 1,
      lastBlockId: { hash: '', parts: { total: 0, hash: '' } },
      appHash: certificateHash(genesis, COMMIT_SCHEME),
    },
  };
  return makeCommitCertificate(genesis, set, {
    commit: about,
    votes: [vote('ada', about), vote('bob', about)],
  });
}

/** By id, how much power and whose key. */
type Members = Record<string, { power: number; key?: string }>;

interface Certified {
  certificate: CommitCertificate;
  validatorSet: ReturnType<typeof makeValidatorSet>;
}

/** Certifies a set of these members at a CometBFT height, with some votes. */
function certifiedBy(
  members: Members,
  height: number,
  { voters = Object.keys(members), next = members, chainId = CHAIN }: { voters?: string[]; next?: Members; chainId?: string } = {},
): Certified {
  const keyOf = (id: string): ReturnType<typeof testKey> => testKey(members[id]?.key ?? id);
  const setOf = (of: Members): Certified['validatorSet'] =>
    makeValidatorSet(
      chainId,
      1,
      Object.entries(of).map(([validatorId, { power, key = validatorId }]) => ({
        validatorId,
        consensusPublicKey: testKey(key).publicKey,
        votingPower: power,
        faultDomain: 'zone',
      })),
    );
  const validatorSet = setOf(members);
  const about = { ...statement, chainId, height, validatorSetHash: validatorSet.validatorSetHash };
  const stated: CometbftCommit = {
    ...commit,
    header: {
      ...commit.header,
      chainId,
      height,
      time: `2026-01-02T03:04:05.${String(height).padStart(3, '0')}000001Z`,
      validatorsHash: cometbftValidatorsHash(validatorSet.validators),
      nextValidatorsHash: cometbftValidatorsHash(setOf(next).validators),
      appHash: certificateHash(about, COMMIT_SCHEME),
    },
  };
  const votes = voters.map((validatorId) => ({
    validatorId,
    votingPower: members[validatorId]?.power ?? 0,
    timestamp: times.ada,
    signature: base64(keyOf(validatorId).signBytes(precommitBytes(stated, times.ada))),
  }));
  return { certificate: makeCommitCertificate(about, validatorSet, { commit: stated, votes }), validatorSet };
}

/** Signs as a devnet's only validator, without a CometBFT header. */
function statementBy(validatorId: string): {
  certificate: StatementCertificate;
  validatorSet: Certified['validatorSet'];
} {
  const { validatorSet } = certifiedBy({ [validatorId]: { power: 1 } }, 70);
  const about = { ...statement, height: 70, validatorSetHash: validatorSet.validatorSetHash };
  const signature = base64(testKey(validatorId).signBytes(voteBytes(about, validatorId)));
  const votes = [{ validatorId, votingPower: 1, signature }];
  return { certificate: makeCertificate(about, validatorSet, votes), validatorSet };
}

/** Returns steps for a client that trusts a header: valid successors and forgeries. */
function trustSteps(): {
  trusted: Certified;
  cases: { name: string; holds: boolean; trusted?: Certified; later: Certified | ReturnType<typeof statementBy> }[];
} {
  const members: Members = { ada: { power: 1 }, bob: { power: 1 }, cyd: { power: 1 } };
  const strangers: Members = { eve: { power: 1 }, fay: { power: 1 } };
  const trusted = certifiedBy(members, 60);
  const step = (name: string, holds: boolean, later: Certified | ReturnType<typeof statementBy>, from?: Certified) => ({
    name,
    holds,
    ...(from ? { trusted: from } : {}),
    later,
  });
  const cases = [
    step('the next height, the same set', true, certifiedBy(members, 61)),
    step('a later height, the same set', true, certifiedBy(members, 70)),
    step(
      'the next height, the set that was announced',
      true,
      certifiedBy(strangers, 61),
      certifiedBy(members, 60, { next: strangers }),
    ),
    step('a later height, with two thirds of the trusted power', true, certifiedBy({ ada: { power: 1 }, bob: { power: 1 } }, 70)),
    step('a later height, with a third of the trusted power', false, certifiedBy({ ada: { power: 1 } }, 70)),
    step('the next height, a set of strangers', false, certifiedBy(strangers, 61)),
    step('a later height, a set of strangers', false, certifiedBy(strangers, 70)),
    step(
      'strangers under the names of the trusted',
      false,
      certifiedBy({ ada: { power: 1, key: 'eve' }, bob: { power: 1, key: 'fay' } }, 70),
    ),
    step('one of the trusted with a power made up', false, certifiedBy({ ...members, ada: { power: 1_000 } }, 70, { voters: ['ada'] })),
    step('the next height, with a power made up', false, certifiedBy({ ...members, ada: { power: 1_000 } }, 61)),
    step(
      'one of the trusted beside strangers with all the power',
      false,
      certifiedBy({ ada: { power: 1 }, eve: { power: 1_000 } }, 70),
    ),
    step(
      'trusted ones are in the set, and have not signed',
      false,
      certifiedBy({ ...members, eve: { power: 1_000 } }, 70, { voters: ['eve'] }),
    ),
    step('its own set has not signed it', false, certifiedBy(members, 70, { voters: ['ada', 'bob'] })),
    step('an earlier height', false, certifiedBy(members, 59)),
    step('the same height again', false, certifiedBy(members, 60)),
    step('a certificate of one that signs statements', false, statementBy('ada')),
    step('another chain', false, certifiedBy(members, 70, { chainId: 'net-2' })),
  ];
  return { trusted, cases };
}
