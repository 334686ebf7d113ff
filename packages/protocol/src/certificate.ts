import { Type, type Static } from './type.ts';
import { blockHash as hashOf, type BlockHeader } from './block.ts';
import { canonicalize } from './canonical-json.ts';
import {
  CometbftCommit,
  cometbftHeaderHash,
  cometbftValidatorsHash,
  isPrecommitted,
  NanoTimestamp,
  trustStepFault,
} from './cometbft.ts';
import { utf8Bytes } from './bytes.ts';
import { isSignedBy } from './ed25519.ts';
import { hashValue } from './hash.ts';
import { MAX_VALIDATORS } from './limits.ts';
import { ActorId, Hash, Height } from './schemas.ts';
import { validateValidatorSet, type Validator, type ValidatorSet } from './validator-set.ts';

export const StatementVote = Type.Object(
  {
    validatorId: ActorId,
    votingPower: Type.Integer({ minimum: 1 }),
    signature: Type.String({
      description: 'base64 Ed25519 over the canonical NET-FINALITY-VOTE/1.',
    }),
  },
  { title: 'StatementVote', additionalProperties: false },
);
export type StatementVote = Static<typeof StatementVote>;

export const CommitVote = Type.Object(
  {
    validatorId: ActorId,
    votingPower: Type.Integer({ minimum: 1 }),
    timestamp: NanoTimestamp,
    signature: Type.String({
      description: 'base64 Ed25519 over the precommit of CometBFT, valid by ZIP-215.',
    }),
  },
  { title: 'CommitVote', additionalProperties: false },
);
export type CommitVote = Static<typeof CommitVote>;

export const STATEMENT_SCHEME = 'ed25519-statement-v1';
export const COMMIT_SCHEME = 'cometbft-commit-v0.38';
export type CertificateScheme = typeof STATEMENT_SCHEME | typeof COMMIT_SCHEME;

const STATEMENT = {
  chainId: Type.String(),
  epoch: Type.Integer({ minimum: 1 }),
  height: Height,
  blockHash: Hash,
  stateRoot: Hash,
  validatorSetHash: Hash,
  votingPower: Type.Integer({ minimum: 1 }),
  totalVotingPower: Type.Integer({ minimum: 1 }),
};
const VOTES = { minItems: 1, maxItems: MAX_VALIDATORS, description: 'Sorted by validatorId.' };

export const StatementCertificate = Type.Object(
  {
    schema: Type.Literal('NET-FINALITY-CERTIFICATE/1'),
    scheme: Type.Literal(STATEMENT_SCHEME),
    ...STATEMENT,
    votes: Type.Array(StatementVote, VOTES),
    certificateHash: Hash,
  },
  {
    title: 'StatementCertificate',
    additionalProperties: false,
    description: 'Each vote is a signature of the statement itself.',
  },
);
export type StatementCertificate = Static<typeof StatementCertificate>;

export const CommitCertificate = Type.Object(
  {
    schema: Type.Literal('NET-FINALITY-CERTIFICATE/1'),
    scheme: Type.Literal(COMMIT_SCHEME),
    ...STATEMENT,
    commit: CometbftCommit,
    votes: Type.Array(CommitVote, VOTES),
    certificateHash: Hash,
  },
  {
    title: 'CommitCertificate',
    additionalProperties: false,
    description:
      'Each vote is a precommit of CometBFT for a header whose appHash is the certificateHash.',
  },
);
export type CommitCertificate = Static<typeof CommitCertificate>;

export const FinalityCertificate = Type.Union([StatementCertificate, CommitCertificate], {
  title: 'FinalityCertificate',
  description: 'The votes of a quorum of validators for one block: what makes it final.',
});
export type FinalityCertificate = Static<typeof FinalityCertificate>;

export interface FinalityStatement {
  chainId: string;
  epoch: number;
  height: number;
  blockHash: string;
  stateRoot: string;
  validatorSetHash: string;
}

function statementIn(source: FinalityStatement): FinalityStatement {
  const { chainId, epoch, height, blockHash, stateRoot, validatorSetHash } = source;
  return { chainId, epoch, height, blockHash, stateRoot, validatorSetHash };
}

export function voteBytes(statement: FinalityStatement, validatorId: string): Uint8Array {
  return utf8Bytes(
    canonicalize({ schema: 'NET-FINALITY-VOTE/1', ...statementIn(statement), validatorId }),
  );
}

/** Hashes a certificate without its votes, so that honest nodes with different votes agree on the hash. */
export function certificateHash(
  statement: FinalityStatement,
  scheme: CertificateScheme = STATEMENT_SCHEME,
): string {
  return hashValue({
    schema: 'NET-FINALITY-CERTIFICATE/1',
    scheme,
    ...statementIn(statement),
  });
}

export function makeCertificate(
  statement: FinalityStatement,
  set: ValidatorSet,
  votes: readonly StatementVote[],
): StatementCertificate {
  return {
    schema: 'NET-FINALITY-CERTIFICATE/1',
    scheme: STATEMENT_SCHEME,
    ...statementIn(statement),
    ...votesOf(votes, set),
    certificateHash: certificateHash(statement),
  };
}

export function makeCommitCertificate(
  statement: FinalityStatement,
  set: ValidatorSet,
  { commit, votes }: { commit: CometbftCommit; votes: readonly CommitVote[] },
): CommitCertificate {
  return {
    schema: 'NET-FINALITY-CERTIFICATE/1',
    scheme: COMMIT_SCHEME,
    ...statementIn(statement),
    ...votesOf(votes, set),
    commit,
    certificateHash: certificateHash(statement, COMMIT_SCHEME),
  };
}

function votesOf<Vote extends StatementVote | CommitVote>(
  votes: readonly Vote[],
  { totalVotingPower }: ValidatorSet,
): { votingPower: number; totalVotingPower: number; votes: Vote[] } {
  return {
    votingPower: votes.reduce((sum, vote) => sum + vote.votingPower, 0),
    totalVotingPower,
    votes: votes.toSorted((a, b) => (a.validatorId < b.validatorId ? -1 : 1)),
  };
}

/** `trusted`: the set is the caller's trust anchor. `self-consistent`: it only agrees with itself. */
export type CertificateVerdict =
  { ok: true; verdict: 'trusted' | 'self-consistent' } | { ok: false; reason: string };

export function verifyCertificate(
  certificate: FinalityCertificate,
  set: ValidatorSet,
  trustedSetHash?: string,
): CertificateVerdict {
  const fail = (reason: string): CertificateVerdict => ({ ok: false, reason });
  if (certificate.schema !== 'NET-FINALITY-CERTIFICATE/1')
    return fail('it is not a NET-FINALITY-CERTIFICATE/1');
  const scheme: string = certificate.scheme;
  if (scheme !== STATEMENT_SCHEME && scheme !== COMMIT_SCHEME) {
    return fail(`the scheme ${scheme} is not known here`);
  }
  const invalidSet = validateValidatorSet(set);
  if (invalidSet) return fail(`the validator set is wrong: ${invalidSet}`);
  if (certificate.validatorSetHash !== set.validatorSetHash)
    return fail('it names another validator set');
  if (certificate.chainId !== set.chainId || certificate.epoch !== set.epoch) {
    return fail('its chain or epoch is not that of the validator set');
  }
  if (certificate.certificateHash !== certificateHash(certificate, scheme))
    return fail('certificateHash is wrong');
  if (certificate.totalVotingPower !== set.totalVotingPower)
    return fail('totalVotingPower is wrong');
  const commitFault = certificate.scheme === COMMIT_SCHEME ? commitFaultOf(certificate, set) : null;
  if (commitFault !== null) return fail(commitFault);
  const isSigned = signatureCheck(certificate);
  const powers = new Map(set.validators.map((validator) => [validator.validatorId, validator]));
  let power = 0;
  let previousId = '';
  for (const vote of certificate.votes) {
    if (vote.validatorId <= previousId)
      return fail('the votes are not sorted, or one stands twice');
    previousId = vote.validatorId;
    const validator = powers.get(vote.validatorId);
    if (!validator) return fail(`${vote.validatorId} is not a validator`);
    if (validator.votingPower !== vote.votingPower)
      return fail(`the power of ${vote.validatorId} is wrong`);
    if (!isSigned(validator, vote)) {
      return fail(`the signature of ${vote.validatorId} does not verify`);
    }
    power += validator.votingPower;
  }
  if (power !== certificate.votingPower) return fail('votingPower is not the sum of its votes');
  if (power < set.quorum) return fail(`its power ${power} is below the quorum ${set.quorum}`);
  if (trustedSetHash !== undefined && trustedSetHash !== set.validatorSetHash) {
    return fail('the validator set is not the trusted one');
  }
  return { ok: true, verdict: trustedSetHash === undefined ? 'self-consistent' : 'trusted' };
}

function commitFaultOf(
  { chainId, certificateHash: certified, commit }: CommitCertificate,
  set: ValidatorSet,
): string | null {
  // Callers may skip the schema check, so a wrong shape must not throw.
  const header = (commit as CometbftCommit | null | undefined)?.header;
  if (!header) return 'there is no header of CometBFT';
  if (header.chainId !== chainId) return 'the header of CometBFT is of another chain';
  if (header.appHash !== certified) return 'the header of CometBFT states another certificateHash';
  if (header.validatorsHash !== cometbftValidatorsHash(set.validators))
    return 'the header of CometBFT names other validators';
  return null;
}

function signatureCheck(
  certificate: FinalityCertificate,
): (validator: Validator, vote: StatementVote | CommitVote) => boolean {
  if (certificate.scheme === STATEMENT_SCHEME) {
    return ({ validatorId, consensusPublicKey }, { signature }) =>
      isSignedBy(consensusPublicKey, voteBytes(certificate, validatorId), signature);
  }
  const { commit } = certificate;
  const headerHash = headerHashOf(commit);
  return (validator, vote) =>
    headerHash !== null &&
    'timestamp' in vote &&
    isPrecommitted(commit, headerHash, validator, vote);
}

/** Returns null if a field is malformed, so that no vote counts. */
function headerHashOf({ header }: CometbftCommit): string | null {
  try {
    return cometbftHeaderHash(header);
  } catch {
    return null;
  }
}

/** Verifies one step from trusted validators to later ones, by CometBFT's light-client rule. */
export function verifyTrustStep(
  trusted: { certificate: CommitCertificate; set: ValidatorSet },
  later: { certificate: CommitCertificate; set: ValidatorSet },
): CertificateVerdict {
  const own = verifyCertificate(later.certificate, later.set);
  if (!own.ok) return own;
  // Check the scheme despite its type, because the certificate comes from a node.
  if ((later.certificate.scheme as string) !== COMMIT_SCHEME)
    return { ok: false, reason: 'it is no certificate of CometBFT' };
  const voters = new Set(later.certificate.votes.map(({ validatorId }) => validatorId));
  const reason = trustStepFault(
    { header: trusted.certificate.commit.header, set: trusted.set },
    {
      header: later.certificate.commit.header,
      signers: later.set.validators.filter(({ validatorId }) => voters.has(validatorId)),
    },
  );
  return reason === null ? { ok: true, verdict: 'trusted' } : { ok: false, reason };
}

/** Returns null if the certificate is about this block. `verifyCertificate` checks the votes. */
export function headerFault(
  { height, stateRoot, blockHash: certified }: FinalityCertificate,
  header: BlockHeader,
  hash: string = hashOf(header),
): string | null {
  if (certified !== hash || height !== header.height)
    return 'the certificate is about another block';
  return stateRoot === header.stateRoot ? null : 'the certificate is about another state';
}
