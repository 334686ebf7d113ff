import { Boundaries, READ_BOUNDARIES } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { onboarding } from './onboarding.ts';
import { ChainIntegrity, chainIntegrity } from '../shared/integrity.ts';
import {
  NetworkIdentity,
  networkIdentity,
  Participation,
  participation,
} from '../shared/network-facts.ts';
import { defineDocument } from '../shared/read-document.ts';
import { ACTOR_QUERY, readerOf } from '../shared/next-actions.ts';
import { NextActions, type SignedRequest } from '../shared/signed-request.ts';
import type { Snapshot } from '@netd/engine/reads';
import { agentNextActions } from './agent-next-actions.ts';

export const agentStartup = defineDocument({
  name: 'NET-AGENT-STARTUP/1',
  route: '/v1/agent-startup',
  operationId: 'getAgentStartup',
  tag: 'agents',
  summary: 'What a newcomer needs: integrity, participation, next actions, boundaries',
  description: 'The first document to read: is this chain valid, who is here, what can I do now.',
  query: ACTOR_QUERY,
  content: {
    network: NetworkIdentity,
    participation: Participation,
    integrity: ChainIntegrity,
    evidence: evidenceSchema(),
    nextActions: NextActions,
    boundaries: Boundaries,
  },
  build: (snapshot, { actorId }) => ({
    network: networkIdentity(snapshot),
    participation: participation(snapshot),
    integrity: chainIntegrity(snapshot),
    evidence: evidenceOf(['chain/identity', 'counter/agents', 'counter/active-agents']),
    nextActions: nextActionsOf(snapshot, actorId),
    links: {
      trust: '/v1/agent-trust',
      manifest: '/v1/manifest',
      opportunities: '/v1/agent-opportunities',
      directory: '/v1/agent-directory',
      events: '/v1/events',
      growth: '/v1/agent-growth',
      plainText: '/llms.txt',
    },
    boundaries: [...READ_BOUNDARIES],
  }),
});

function nextActionsOf(snapshot: Snapshot, actorId: string | undefined): SignedRequest[] {
  const reader = readerOf(snapshot, actorId);
  return reader === null ? onboarding(snapshot) : agentNextActions(snapshot, reader);
}
