import { ActorId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { putAuthority } from '../../authority.ts';
import type { ApplicationRole } from '../../capability.ts';
import { deadlineAfter } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { setTimer } from '../../timers.ts';
import { positionOf } from '../../transition.ts';
import { bondedFor, deactivateRole } from './bonds.ts';

/** Roles on which others rely. Agents and humans simply stop. */
const RESIGNABLE = ['VERIFIER', 'VALIDATOR', 'RUNTIME_PROVIDER', 'AUDITOR', 'GOVERNOR'] as const;

export const resignRole = defineAction({
  name: 'resignRole',
  summary:
    'Give a role up: its capabilities end now, its bond comes back after the unbonding delay, less what evidence takes until then.',
  grant: {
    VERIFIER: 'role',
    VALIDATOR: 'role',
    RUNTIME_PROVIDER: 'role',
    AUDITOR: 'role',
    GOVERNOR: 'role',
  },
  payload: exactly({ actorId: ActorId, role: Type.Enum([...RESIGNABLE]) }),
  actor: 'actorId',
  errors: ['ROLE_NOT_HELD'],
  events: ['RoleResigned'],

  check({ authority }, { role }) {
    requireThat(authority.roles.includes(role), 'ROLE_NOT_HELD', '/payload/role');
  },

  apply(context, { actorId, role }) {
    const { state, policy, authority, grants, block, emit } = context;
    const ended = grants.byRole[role as ApplicationRole];
    putAuthority(state, {
      ...authority,
      roles: authority.roles.filter((held) => held !== role),
      capabilities: authority.capabilities.filter(({ action }) => !ended.includes(action)),
    });
    deactivateRole(state, actorId, role);
    const bonded = bondedFor(state, actorId, role);
    const releaseAt = bonded > 0 ? deadlineAfter(block, policy.operators.unbondingDelay) : null;
    if (releaseAt) {
      const resignedAt = positionOf(context);
      state.put('resignation', `${role}/${actorId}`, { actorId, releaseAt, resignedAt, role });
      setTimer(state, 'releaseRoleBond', `${role}/${actorId}`, releaseAt);
    }
    emit('RoleResigned', { actorId, bonded, releaseAt, role });
  },
});
