import { ActorId, Hash } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { holdName, holdOf, requireHoldableName } from '../../names.ts';
import { requireThat } from '../../rule-error.ts';

export const reserveName = defineAction({
  name: 'reserveName',
  summary: 'Reserve an unused name for one key, for example for an agent of the house.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    actorId: ActorId,
    publicKeyHash: Type.String({
      ...Hash,
      description: 'Of the only key that registers under this name from now on.',
    }),
  }),
  errors: ['AGENT_EXISTS', 'NAME_RESERVED', 'NAME_TAKEN'],
  events: ['NameReserved'],

  check({ state, rules }, { actorId }) {
    const path = '/payload/actorId';
    requireThat(!state.get('authority', actorId), 'AGENT_EXISTS', path);
    requireHoldableName(state, actorId, { rules, path });
    // A new hold would forget who gets the deposit back.
    const sponsorId = holdOf(state, actorId)?.sponsorId;
    requireThat(
      sponsorId === undefined,
      'NAME_RESERVED',
      path,
      () => `${sponsorId} has locked its deposit`,
    );
  },

  apply({ state, authority, emit }, { actorId, publicKeyHash }) {
    holdName(state, { actorId, publicKeyHash });
    emit('NameReserved', { actorId, operatorId: authority.actorId, publicKeyHash });
  },
});
