import { ActorId, Hash, Height, isSignedBy, voteBytes } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import type { ValidatorCandidateRecord } from '../operators/records.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf, type CheckContext } from '../../transition.ts';
import { slashCandidate } from './slash-candidate.ts';
import { requireCandidate, slashOf } from './stake.ts';

const Vote = exactly({
  blockHash: Hash,
  stateRoot: Hash,
  validatorSetHash: Hash,
  signature: Type.String({
    maxLength: 128,
    description: 'base64 Ed25519 over the canonical NET-FINALITY-VOTE/1.',
  }),
});
type Vote = Static<typeof Vote>;

export const submitValidatorEvidence = defineAction({
  name: 'submitValidatorEvidence',
  summary:
    'Slash a validator candidate that signed two votes for one height: a tenth of its bond and of all stake delegated to it goes to the reward pool.',
  grant: OPERATOR_ONLY,
  payload: exactly({ validatorId: ActorId, height: Height, first: Vote, second: Vote }),
  errors: [
    'VALIDATOR_UNKNOWN',
    'EVIDENCE_NOT_CONFLICTING',
    'EVIDENCE_SIGNATURE_INVALID',
    'EVIDENCE_ALREADY_USED',
    'VALIDATOR_STAKE_EMPTY',
  ],
  events: ['ValidatorSlashed'],

  check(context, { validatorId, height, first, second }) {
    const { state } = context;
    const candidate = requireCandidate(state, validatorId);
    requireThat(
      first.blockHash !== second.blockHash,
      'EVIDENCE_NOT_CONFLICTING',
      '/payload/second/blockHash',
    );
    // One height is one offence, however many pairs of votes prove it.
    const faultId = `${validatorId}/${height}`;
    requireThat(!state.get('validator-fault', faultId), 'EVIDENCE_ALREADY_USED', '/payload/height');
    const { selfBond, delegated, unbonding } = candidate;
    requireThat(
      slashOf(selfBond) + slashOf(delegated) + slashOf(unbonding) !== 0,
      'VALIDATOR_STAKE_EMPTY',
      '/payload/validatorId',
    );
    requireVote(context, candidate, { height, ...first }, '/payload/first/signature');
    requireVote(context, candidate, { height, ...second }, '/payload/second/signature');
    return { candidate, faultId };
  },

  apply(context, { validatorId, height, first, second }, plan) {
    const { state, authority, emit } = context;
    const { candidate, faultId } = plan;
    const { slashedBond, slashedStake } = slashCandidate(state, candidate);
    state.put('validator-fault', faultId, {
      blockHashes: [first.blockHash, second.blockHash],
      height,
      slashedBond,
      slashedStake,
      submittedAt: positionOf(context),
      validatorId,
    });
    emit('ValidatorSlashed', {
      height,
      operatorId: authority.actorId,
      slashedBond,
      slashedStake,
      validatorId,
    });
  },
});

function requireVote(
  { chain }: CheckContext,
  { actorId, consensusPublicKey }: ValidatorCandidateRecord,
  { height, blockHash, stateRoot, validatorSetHash, signature }: Vote & { height: number },
  path: string,
): void {
  const { chainId, epoch } = chain;
  const statement = { chainId, epoch, height, blockHash, stateRoot, validatorSetHash };
  requireThat(
    isSignedBy(consensusPublicKey, voteBytes(statement, actorId), signature),
    'EVIDENCE_SIGNATURE_INVALID',
    path,
  );
}
