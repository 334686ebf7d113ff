/**
 * Verifies the path from the genesis validators to the present ones, offline. Each set is named by an event
 * in a block that the previous set certified, so the node that serves the path needs no trust.
 */
import { BlockHeader, eventHash } from './block.ts';
import {
  FinalityCertificate,
  headerFault,
  verifyCertificate,
  type CertificateVerdict,
} from './certificate.ts';
import { MAX_VALIDATORS } from './limits.ts';
import { verifyMerkleProof } from './merkle.ts';
import { MerkleProofSchema } from './receipt.ts';
import { ActorId, Hash, Height } from './schemas.ts';
import { exactly, Type, type Static } from './type.ts';
import { validateValidatorSet, ValidatorSet } from './validator-set.ts';

export const ValidatorSetChange = Type.Object(
  {
    fromHeight: Type.Integer({
      minimum: 1,
      description: 'The first height that the set certifies.',
    }),
    validatorSet: ValidatorSet,
    header: BlockHeader,
    certificate: FinalityCertificate,
    event: Type.Object(
      {
        type: Type.Literal('ValidatorSetChanged'),
        transitionIndex: Type.Integer({ minimum: 0 }),
        data: exactly({
          height: Height,
          joined: Type.Array(ActorId, { maxItems: MAX_VALIDATORS }),
          left: Type.Array(ActorId, { maxItems: MAX_VALIDATORS }),
          validatorSetHash: Hash,
        }),
      },
      { title: 'ValidatorSetChangedEvent', additionalProperties: false },
    ),
    proof: MerkleProofSchema,
  },
  {
    title: 'ValidatorSetChange',
    additionalProperties: false,
    description:
      'A set, and the block before its first height: certified by the set before, with the event that names the new one under its eventsRoot.',
  },
);
export type ValidatorSetChange = Static<typeof ValidatorSetChange>;

interface KnownSet {
  fromHeight: number;
  set: ValidatorSet;
}

/** Returns null if the change follows from a trusted set. The input may have any shape. */
export function setChangeFault(known: KnownSet, change: ValidatorSetChange): string | null {
  try {
    return faultOf(known, change);
  } catch {
    return 'it is not of the shape it should have';
  }
}

function faultOf(
  { set, fromHeight }: KnownSet,
  { validatorSet, header, certificate, event, proof, ...change }: ValidatorSetChange,
): string | null {
  if (change.fromHeight !== header.height + 1)
    return 'the set begins at another height than after its block';
  if (header.height < fromHeight) return 'its block is older than the set that is known';
  const { chainId, epoch, height, validatorSetHash } = header;
  if (chainId !== set.chainId || epoch !== set.epoch) return 'it is of another chain';
  if (validatorSetHash !== set.validatorSetHash)
    return 'its block is of another set than the known one';
  const fault = headerFault(certificate, header);
  if (fault !== null) return fault;
  const verdict = verifyCertificate(certificate, set, set.validatorSetHash);
  if (!verdict.ok) return `its block is not certified by the set that is known: ${verdict.reason}`;
  const { data, type } = event;
  if (type !== 'ValidatorSetChanged' || data.height !== height + 1)
    return 'its event is another one';
  if (!verifyMerkleProof(eventHash(event), proof, header.eventsRoot)) {
    return 'its event is not under the eventsRoot of the block';
  }
  if (data.validatorSetHash !== validatorSet.validatorSetHash) return 'its event names another set';
  const invalid = validateValidatorSet(validatorSet);
  if (invalid !== null) return `the validator set is wrong: ${invalid}`;
  return validatorSet.chainId === chainId && validatorSet.epoch === epoch
    ? null
    : 'the validator set is of another chain';
}

/**
 * Trusted sets by height. A certificate counts only by the set of its height, because members of an earlier
 * set may have nothing at stake. If a node hides a change, later blocks fail, unless it has keys of
 * validators that left.
 */
export class ValidatorSets {
  private readonly known: [KnownSet, ...KnownSet[]];

  constructor(set: ValidatorSet, fromHeight = 0) {
    this.known = [{ set, fromHeight }];
  }

  get newest(): KnownSet {
    return this.known.at(-1) ?? this.known[0];
  }

  /** Returns why the change does not follow, or null. Ignores known changes. */
  follow(change: ValidatorSetChange): string | null {
    if (change.fromHeight <= this.newest.fromHeight) return null;
    const fault = setChangeFault(this.newest, change);
    if (fault !== null) return `the change of validators at height ${change.fromHeight}: ${fault}`;
    this.known.push({ set: change.validatorSet, fromHeight: change.fromHeight });
    return null;
  }

  at(height: number): ValidatorSet {
    return (this.known.findLast(({ fromHeight }) => fromHeight <= height) ?? this.known[0]).set;
  }

  /** True if the certificate is of an unknown set, so that there was a change since. */
  isOfUnknownSet({
    height,
    validatorSetHash,
  }: Pick<FinalityCertificate, 'height' | 'validatorSetHash'>): boolean {
    return (
      height >= this.newest.fromHeight && validatorSetHash !== this.newest.set.validatorSetHash
    );
  }

  verify(certificate: FinalityCertificate, trusted: boolean): CertificateVerdict {
    const set = this.at(certificate.height);
    return verifyCertificate(certificate, set, trusted ? set.validatorSetHash : undefined);
  }
}
