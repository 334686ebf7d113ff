import { ActorId } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { AGENT_POLICY_SET, hasExpired, holdsCapability } from '../../authority.ts';
import { RuleError } from '../../rule-error.ts';

export const extendAgentCapabilities = defineAction({
  name: 'extendAgentCapabilities',
  summary: 'Add actions of the devnet agent policy set to the own capabilities.',
  roles: ['AGENT'],
  payload: Type.Object(
    {
      agentId: ActorId,
      actions: Type.Array(Type.Enum([...AGENT_POLICY_SET]), {
        minItems: 1,
        maxItems: AGENT_POLICY_SET.length,
        uniqueItems: true,
        description: 'A subset of the devnet agent policy set.',
      }),
    },
    { additionalProperties: false },
  ),
  actor: 'agentId',
  errors: ['CAPABILITIES_UNCHANGED'],
  events: { AgentCapabilitiesExtended: 'An agent added actions to its capabilities.' },

  check({ authority, block }, { actions }) {
    const current = block.height - 1;
    const added = actions
      .filter((action) => !holdsCapability(authority, action, current))
      .toSorted();
    if (added.length === 0) {
      throw new RuleError('CAPABILITIES_UNCHANGED', { path: '/payload/actions' });
    }
    return added;
  },

  apply({ state, authority, block, emit }, { agentId }, added) {
    // What has expired makes room: else renewals would let the record grow without end.
    const held = authority.capabilities.filter((one) => !hasExpired(one, block.height - 1));
    state.put('authority', agentId, {
      ...authority,
      capabilities: [...held, ...added.map((action) => ({ action, agentId }))],
    });
    emit('AgentCapabilitiesExtended', { agentId, actions: added });
  },
});
