import { ActorId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { endAuthority } from '../../authority.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { count } from '../../counters.ts';
import { deadlineAfter } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { setTimer } from '../../timers.ts';
import { positionOf } from '../../transition.ts';
import { endSessions } from '../sessions/session.ts';
import { deactivate, withdrawResignations } from './bonds.ts';
import { forgetSuspension } from './suspension.ts';

export const revokeAuthority = defineAction({
  name: 'revokeAuthority',
  summary:
    'Revoke the authority of an actor for good, with all its roles; bonds go to the payout account named at the claim after the unbonding delay.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    actorId: ActorId,
    reason: Type.Optional(Type.String({ maxLength: 280, description: 'Public.' })),
  }),
  errors: ['ACTOR_UNKNOWN', 'AUTHORITY_PROTECTED', 'AUTHORITY_REVOKED'],
  events: ['AuthorityRevoked', 'SessionEnded'],

  check({ state }, { actorId }) {
    const path = '/payload/actorId';
    const authority = state.get('authority', actorId);
    requireThat(authority, 'ACTOR_UNKNOWN', path);
    // Without operators, no operator action would ever be possible again.
    requireThat(!authority.roles.includes('OPERATOR'), 'AUTHORITY_PROTECTED', path);
    requireThat(!state.get('revocation', actorId), 'AUTHORITY_REVOKED', path);
    return authority;
  },

  apply(context, { actorId, reason = null }, revoked) {
    const { state, policy, authority, block, emit } = context;
    endAuthority(state, revoked);
    const agent = state.get('agent', actorId);
    if (agent && agent.status !== 'retired') {
      if (agent.status === 'active') count(state, 'active-agents', -1);
      state.put('agent', actorId, { ...agent, status: 'retired' });
    }
    withdrawResignations(state, actorId);
    const bonded = deactivate(state, actorId);
    forgetSuspension(state, actorId);
    const releaseAt = bonded > 0 ? deadlineAfter(block, policy.operators.unbondingDelay) : null;
    if (releaseAt) setTimer(state, 'releaseBonds', actorId, releaseAt);
    state.put('revocation', actorId, {
      actorId,
      reason,
      releaseAt,
      revokedAt: positionOf(context),
    });
    count(state, 'authorities-revoked', 1);
    emit('AuthorityRevoked', {
      actorId,
      bonded,
      operatorId: authority.actorId,
      reason,
      releaseAt,
      roles: revoked.roles,
    });
    endSessions(context, actorId, 'AUTHORITY_ENDED');
  },
});
