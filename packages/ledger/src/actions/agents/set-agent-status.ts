import { ActorId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { endAuthority, putAuthority } from '../../authority.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import { endSessions } from '../sessions/session.ts';
import { deactivate } from '../operators/bonds.ts';
import {
  forgetSuspension,
  reinstate,
  requireRoomToReturn,
  suspend,
} from '../operators/suspension.ts';

export const setAgentStatus = defineAction({
  name: 'setAgentStatus',
  summary:
    'Suspend an agent, let it act again, or retire it for good, from every registry too; its bonds go back with revokeAuthority.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    agentId: ActorId,
    status: Type.Enum(['active', 'suspended', 'retired']),
    reason: Type.Optional(Type.String({ maxLength: 280 })),
  }),
  errors: [
    'AGENT_UNKNOWN',
    'AGENT_RETIRED',
    'AGENT_STATUS_UNCHANGED',
    'VERIFIER_ROSTER_FULL',
    'VALIDATOR_ROSTER_FULL',
  ],
  events: ['AgentStatusChanged', 'SessionEnded'],

  check({ state }, { agentId, status }) {
    const agent = state.get('agent', agentId);
    const authority = state.get('authority', agentId);
    requireThat(agent && authority, 'AGENT_UNKNOWN', '/payload/agentId');
    requireThat(agent.status !== status, 'AGENT_STATUS_UNCHANGED', '/payload/status');
    requireThat(agent.status !== 'retired', 'AGENT_RETIRED', '/payload/agentId');
    if (status === 'active') requireRoomToReturn(state, agentId, '/payload/agentId');
    return { agent, authority };
  },

  apply(context, { agentId, status, reason }, { agent, authority }) {
    const { state, emit } = context;
    state.put('agent', agentId, { ...agent, status });
    if (status === 'retired') endAuthority(state, authority);
    else putAuthority(state, { ...authority, active: status === 'active' });
    if (agent.status === 'active') count(state, 'active-agents', -1);
    if (status === 'active') count(state, 'active-agents', 1);
    // An actor that cannot sign must not count in rosters and gates.
    if (status === 'active') reinstate(state, agentId);
    else if (status === 'suspended') suspend(state, agentId);
    else {
      deactivate(state, agentId);
      forgetSuspension(state, agentId);
    }
    emit('AgentStatusChanged', {
      agentId,
      from: agent.status,
      operatorId: context.authority.actorId,
      reason: reason ?? null,
      to: status,
    });
    if (status === 'retired') endSessions(context, agentId, 'AUTHORITY_ENDED');
  },
});
