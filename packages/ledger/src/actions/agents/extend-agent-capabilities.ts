import { ActorId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction, type Action } from '../../action.ts';
import { holdsCapability, lastingCapabilities, putAuthority } from '../../authority.ts';
import { requireThat } from '../../rule-error.ts';

const name = 'extendAgentCapabilities';

export function extendAgentCapabilities(grantable: readonly string[]): Action {
  const policySet = [...grantable, name];
  return defineAction({
    name,
    summary: 'Add actions of the devnet agent policy set to your capabilities.',
    grant: { AGENT: 'base' },
    keyOnly: true,
    payload: exactly({
      agentId: ActorId,
      actions: Type.Array(Type.Enum(policySet, { title: 'PolicyAction' }), {
        minItems: 1,
        maxItems: policySet.length,
        uniqueItems: true,
        description: 'A subset of the devnet agent policy set.',
      }),
    }),
    actor: 'agentId',
    listsActions: 'actions',
    errors: ['CAPABILITIES_UNCHANGED'],
    events: ['AgentCapabilitiesExtended'],

    check({ authority, block, grants }, { actions }) {
      const added = actions
        .filter((action) => !holdsCapability(authority, action, block.height, grants))
        .toSorted();
      requireThat(added.length !== 0, 'CAPABILITIES_UNCHANGED', '/payload/actions');
      return added;
    },

    apply({ state, authority, block, emit }, { agentId }, added) {
      const held = lastingCapabilities(state, authority, block.height);
      putAuthority(state, {
        ...authority,
        capabilities: [...held, ...added.map((action) => ({ action, agentId }))],
      });
      emit('AgentCapabilitiesExtended', { actions: added, agentId });
    },
  });
}
