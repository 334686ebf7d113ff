import { releaseBondOf } from '../../actions/operators/bonds.ts';
import type { SystemTransition } from '../../transition.ts';

export const releaseRoleBond: SystemTransition = {
  summary: 'The unbonding delay after a resignation has passed: the bond of the role goes back.',
  events: ['RoleBondReleased'],
  apply({ state, emit }, subject) {
    const resignation = state.get('resignation', subject);
    if (!resignation) throw new Error(`nobody has resigned ${subject}`);
    const { actorId, role } = resignation;
    const amount = releaseBondOf(state, actorId, role, actorId);
    state.delete('resignation', subject);
    emit('RoleBondReleased', { actorId, amount, role });
  },
};
