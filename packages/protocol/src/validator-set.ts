import { Type, type Static } from './type.ts';
import { validatePublicKey } from './ed25519.ts';
import { hashValue } from './hash.ts';
import { MAX_TOTAL_VOTING_POWER, MAX_VALIDATORS } from './limits.ts';
import { ActorId, Hash, PublicKeyPem } from './schemas.ts';

export const Validator = Type.Object(
  {
    validatorId: ActorId,
    consensusPublicKey: PublicKeyPem,
    votingPower: Type.Integer({ minimum: 1, maximum: MAX_TOTAL_VOTING_POWER }),
    faultDomain: Type.String({ maxLength: 128 }),
  },
  { title: 'Validator', additionalProperties: false },
);
export type Validator = Static<typeof Validator>;

export const ValidatorSet = Type.Object(
  {
    schema: Type.Literal('NET-VALIDATOR-SET/1'),
    chainId: Type.String(),
    epoch: Type.Integer({ minimum: 1 }),
    validators: Type.Array(Validator, {
      minItems: 1,
      maxItems: MAX_VALIDATORS,
      description: 'Sorted by validatorId.',
    }),
    totalVotingPower: Type.Integer({ minimum: 1, maximum: MAX_TOTAL_VOTING_POWER }),
    quorum: Type.Integer({ minimum: 1, description: 'floor(2 · total / 3) + 1' }),
    validatorSetHash: Hash,
  },
  {
    additionalProperties: false,
    description: 'Who certifies blocks, with which keys and how much voting power.',
  },
);
export type ValidatorSet = Static<typeof ValidatorSet>;

export function quorumOf(totalVotingPower: number): number {
  return Number((2n * BigInt(totalVotingPower)) / 3n + 1n);
}

export function makeValidatorSet(
  chainId: string,
  epoch: number,
  validators: readonly Validator[],
): ValidatorSet {
  const sorted = validators.toSorted((a, b) => (a.validatorId < b.validatorId ? -1 : 1));
  const totalVotingPower = sorted.reduce((sum, validator) => sum + validator.votingPower, 0);
  const body = {
    schema: 'NET-VALIDATOR-SET/1' as const,
    chainId,
    epoch,
    validators: sorted,
    totalVotingPower,
    quorum: quorumOf(totalVotingPower),
  };
  return { ...body, validatorSetHash: hashValue(body) };
}

/** Cache, because checking a point takes a millisecond. */
const validKeys = new Set<string>();
const KEYS_KEPT = 1_000;

function isValidKey(pem: string): boolean {
  if (validKeys.has(pem)) return true;
  if (validatePublicKey(pem) !== null) return false;
  if (validKeys.size >= KEYS_KEPT) validKeys.clear();
  validKeys.add(pem);
  return true;
}

export function validateValidatorSet(set: ValidatorSet): string | null {
  const ids = set.validators.map((validator) => validator.validatorId);
  if (new Set(ids).size !== ids.length) return 'a validatorId stands twice';
  if (
    set.validators.some(({ votingPower }) => !Number.isSafeInteger(votingPower) || votingPower < 1)
  ) {
    return 'a votingPower is not a positive integer';
  }
  if (!set.validators.every(({ consensusPublicKey }) => isValidKey(consensusPublicKey))) {
    return 'a consensusPublicKey is not a valid Ed25519 key';
  }
  const again = makeValidatorSet(set.chainId, set.epoch, set.validators);
  if (again.totalVotingPower > MAX_TOTAL_VOTING_POWER) return 'the total voting power is too large';
  return hashValue(again) === hashValue(set)
    ? null
    : 'its sums, order or hash do not follow from its validators';
}
