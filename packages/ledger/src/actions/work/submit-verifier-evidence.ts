import { ActorId, Hash } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { RuleError } from '../../rule-error.ts';
import { slashBond } from './order.ts';

/** One offence costs a tenth of what the verifier has at stake. */
export const SLASHED_PART = 10;

export const submitVerifierEvidence = defineAction({
  name: 'submitVerifierEvidence',
  summary: 'Slash a verifier for proven misconduct: a tenth of its bond goes to the reward pool.',
  grant: OPERATOR_ONLY,
  payload: Type.Object(
    {
      verifierId: ActorId,
      evidenceHash: Type.String({ ...Hash, description: 'Commitment to the evidence.' }),
    },
    { additionalProperties: false },
  ),
  errors: ['VERIFIER_UNKNOWN', 'EVIDENCE_ALREADY_USED', 'VERIFIER_BOND_EMPTY'],
  events: ['VerifierSlashed'],

  check({ state }, { verifierId, evidenceHash }) {
    const verifier = state.get('verifier', verifierId);
    if (!verifier) throw new RuleError('VERIFIER_UNKNOWN', { path: '/payload/verifierId' });
    if (state.get('verifier-evidence', evidenceHash)) {
      throw new RuleError('EVIDENCE_ALREADY_USED', { path: '/payload/evidenceHash' });
    }
    const slashed = Math.floor(verifier.bond / SLASHED_PART);
    if (slashed === 0) throw new RuleError('VERIFIER_BOND_EMPTY', { path: '/payload/verifierId' });
    return { verifier, slashed };
  },

  apply(context, { verifierId, evidenceHash }, { verifier, slashed }) {
    const { state, authority, block, index, emit } = context;
    slashBond(state, slashed);
    state.put('verifier', verifierId, { ...verifier, bond: verifier.bond - slashed });
    state.put('verifier-evidence', evidenceHash, {
      verifierId,
      slashed,
      submittedAt: { height: block.height, index },
    });
    emit('VerifierSlashed', {
      verifierId,
      operatorId: authority.actorId,
      slashed,
      evidenceHash,
    });
  },
});
