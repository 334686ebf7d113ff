import { ActorId } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { RuleError } from '../../rule-error.ts';
import { deactivate } from './bonds.ts';

export const revokeAuthority = defineAction({
  name: 'revokeAuthority',
  summary:
    'Revoke the authority of an actor for good, with all its roles; bonds go back to its account after the unbonding delay.',
  roles: ['OPERATOR'],
  payload: Type.Object(
    {
      actorId: ActorId,
      reason: Type.Optional(Type.String({ maxLength: 280, description: 'Public.' })),
    },
    { additionalProperties: false },
  ),
  errors: ['ACTOR_UNKNOWN', 'AUTHORITY_PROTECTED', 'AUTHORITY_REVOKED'],
  events: {
    AuthorityRevoked:
      'An operator revoked an authority; releaseAt says when its bonds go back, null where it has none.',
  },

  check({ state }, { actorId }) {
    const path = '/payload/actorId';
    const authority = state.get('authority', actorId);
    if (!authority) throw new RuleError('ACTOR_UNKNOWN', { path });
    // Without an operator nobody could ever decide anything again.
    if (authority.roles.includes('OPERATOR')) throw new RuleError('AUTHORITY_PROTECTED', { path });
    if (state.get('revocation', actorId)) throw new RuleError('AUTHORITY_REVOKED', { path });
    return authority;
  },

  apply({ state, policy, block, index, emit }, { actorId, reason = null }, authority) {
    state.put('authority', actorId, { ...authority, active: false });
    const agent = state.get('agent', actorId);
    if (agent && agent.status !== 'retired') {
      if (agent.status === 'active') count(state, 'active-agents', -1);
      state.put('agent', actorId, { ...agent, status: 'retired' });
    }
    const bonded = deactivate(state, actorId);
    const { heights, milliseconds } = policy.operators.unbondingDelay;
    const releaseAt =
      bonded > 0 ? { height: block.height + heights, time: block.time + milliseconds } : null;
    state.put('revocation', actorId, {
      actorId,
      reason,
      revokedAt: { height: block.height, index },
      releaseAt,
    });
    count(state, 'authorities-revoked', 1);
    emit('AuthorityRevoked', { actorId, roles: authority.roles, reason, bonded, releaseAt });
  },
});
