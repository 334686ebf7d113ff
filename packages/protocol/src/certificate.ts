/** Finality certificates: a quorum's signed statement that a block and its state are final. */
import { Type, type Static } from './type.ts';
import { blockHash as hashOf, type BlockHeader } from './block.ts';
import { canonicalize } from './canonical-json.ts';
import { utf8Bytes } from './bytes.ts';
import { isSignedBy } from './ed25519.ts';
import { hashValue } from './hash.ts';
import { MAX_VALIDATORS } from './limits.ts';
import { ActorId, Hash, Height } from './schemas.ts';
import { validateValidatorSet, type ValidatorSet } from './validator-set.ts';

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

export const FinalityCertificate = Type.Object(
  {
    schema: Type.Literal('NET-FINALITY-CERTIFICATE/1'),
    scheme: Type.Literal('ed25519-statement-v1'),
    chainId: Type.String(),
    epoch: Type.Integer({ minimum: 1 }),
    height: Height,
    blockHash: Hash,
    stateRoot: Hash,
    validatorSetHash: Hash,
    votingPower: Type.Integer({ minimum: 1 }),
    totalVotingPower: Type.Integer({ minimum: 1 }),
    votes: Type.Array(StatementVote, {
      minItems: 1,
      maxItems: MAX_VALIDATORS,
      description: 'Sorted by validatorId.',
    }),
    certificateHash: Hash,
  },
  {
    additionalProperties: false,
    description: 'The votes of a quorum of validators for one block: what makes it final.',
  },
);
export type FinalityCertificate = Static<typeof FinalityCertificate>;

/** What every vote of a certificate is about. */
export interface FinalityStatement {
  chainId: string;
  epoch: number;
  height: number;
  blockHash: string;
  stateRoot: string;
  validatorSetHash: string;
}

/** The statement alone, whatever else the object holds. */
function statementIn(source: FinalityStatement): FinalityStatement {
  const { chainId, epoch, height, blockHash, stateRoot, validatorSetHash } = source;
  return { chainId, epoch, height, blockHash, stateRoot, validatorSetHash };
}

/** The bytes one validator signs. */
export function voteBytes(statement: FinalityStatement, validatorId: string): Uint8Array {
  return utf8Bytes(
    canonicalize({ schema: 'NET-FINALITY-VOTE/1', ...statementIn(statement), validatorId }),
  );
}

/** Leaves the votes out, so that honest nodes which hold different votes name a certificate alike. */
export function certificateHash(statement: FinalityStatement): string {
  return hashValue({
    schema: 'NET-FINALITY-CERTIFICATE/1',
    scheme: 'ed25519-statement-v1',
    ...statementIn(statement),
  });
}

export function makeCertificate(
  statement: FinalityStatement,
  set: ValidatorSet,
  votes: readonly StatementVote[],
): FinalityCertificate {
  return {
    schema: 'NET-FINALITY-CERTIFICATE/1',
    scheme: 'ed25519-statement-v1',
    ...statementIn(statement),
    votingPower: votes.reduce((sum, vote) => sum + vote.votingPower, 0),
    totalVotingPower: set.totalVotingPower,
    votes: votes.toSorted((a, b) => (a.validatorId < b.validatorId ? -1 : 1)),
    certificateHash: certificateHash(statement),
  };
}

/** `trusted`: the set is the one the caller anchored to. `self-consistent`: it only agrees with itself. */
export type CertificateVerdict =
  { ok: true; verdict: 'trusted' | 'self-consistent' } | { ok: false; reason: string };

/**
 * The one verifier of finality certificates, by scheme.
 * @param trustedSetHash validatorSetHash that the caller knows from genesis or another trusted source
 */
export function verifyCertificate(
  certificate: FinalityCertificate,
  set: ValidatorSet,
  trustedSetHash?: string,
): CertificateVerdict {
  const fail = (reason: string): CertificateVerdict => ({ ok: false, reason });
  if (certificate.schema !== 'NET-FINALITY-CERTIFICATE/1')
    return fail('it is not a NET-FINALITY-CERTIFICATE/1');
  if (certificate.scheme !== 'ed25519-statement-v1') {
    return fail(`the scheme ${String(certificate.scheme)} is not known here`);
  }
  const invalidSet = validateValidatorSet(set);
  if (invalidSet) return fail(`the validator set is wrong: ${invalidSet}`);
  if (certificate.validatorSetHash !== set.validatorSetHash)
    return fail('it names another validator set');
  if (certificate.chainId !== set.chainId || certificate.epoch !== set.epoch) {
    return fail('its chain or epoch is not that of the validator set');
  }
  if (certificate.certificateHash !== certificateHash(certificate))
    return fail('certificateHash is wrong');
  if (certificate.totalVotingPower !== set.totalVotingPower)
    return fail('totalVotingPower is wrong');
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
    const statement = voteBytes(certificate, vote.validatorId);
    if (!isSignedBy(validator.consensusPublicKey, statement, vote.signature)) {
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

/**
 * Why a certificate is not one of this block; null if it is. The votes in it are for `verifyCertificate` to check.
 * @param hash of the header, where the caller has it already
 */
export function headerFault(
  { height, stateRoot, blockHash: certified }: FinalityCertificate,
  header: BlockHeader,
  hash: string = hashOf(header),
): string | null {
  if (certified !== hash || height !== header.height)
    return 'the certificate is about another block';
  return stateRoot === header.stateRoot ? null : 'the certificate is about another state';
}
