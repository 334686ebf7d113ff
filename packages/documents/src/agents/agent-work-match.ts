import { ActorId, Hash } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { AgentSummary, agentAt, agentSummary } from './agent.ts';
import { Boundaries } from '../shared/boundaries.ts';
import {
  beaconSuggestion,
  Claims,
  claimsOf,
  currentCapabilities,
  WorkStanding,
  workStanding,
} from './claims.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { nextActionsFor } from '../shared/next-actions.ts';
import { defineDocument } from '../shared/read-document.ts';
import { NextActions } from '../shared/signed-request.ts';
import { matchWork, WorkMatch } from '../work/work-match.ts';
import { acceptSuggestion } from '../work/work-steps.ts';

const SHOWN = 50;

export const agentWorkMatch = defineDocument({
  name: 'NET-AGENT-WORK-MATCH/1',
  route: '/v1/agents/:agentId/work-match',
  operationId: 'matchAgentWork',
  tag: 'work',
  summary: 'Open work compared with the current beacon of an agent',
  description:
    'Advice: the capabilities of the current beacon beside the requirements of open orders.',
  path: { agentId: ActorId },
  canMiss: true,
  fingerprint: 'evidence.workMatchHash',
  content: {
    agent: AgentSummary,
    claims: Claims,
    standing: WorkStanding,
    matches: Type.Array(WorkMatch, {
      description:
        'TARGETED orders first, then by score, funding and age. Words are compared without regard to case, spaces and underscores.',
    }),
    truncated: Type.Boolean({
      description: 'Whether there may be more: /v1/agent-opportunities?requirement= has them all.',
    }),
    evidence: evidenceSchema({ workMatchHash: Hash }),
    nextActions: NextActions,
    boundaries: Boundaries,
  },
  build: (snapshot, { agentId }) => {
    const agent = agentAt(snapshot, agentId);
    const claims = claimsOf(snapshot, agentId);
    const { matches, truncated } = matchWork(snapshot, agentId, currentCapabilities(claims), SHOWN);
    const best = matches.find(({ view }) => view.acceptable);
    return {
      agent: agentSummary(snapshot, agent),
      claims,
      standing: workStanding(snapshot, agentId),
      matches: matches.map(({ view }) => view),
      truncated,
      evidence: evidenceOf([`agent/${agentId}`, `beacon/${agentId}`, `work-stats/${agentId}`]),
      nextActions: nextActionsFor(snapshot, agentId, [
        ...(best ? [acceptSuggestion(best.order, agentId)] : []),
        ...(claims.status === 'current' ? [] : [beaconSuggestion(snapshot, agentId, claims)]),
      ]),
      links: {
        opportunities: '/v1/agent-opportunities',
        dossier: `/v1/agents/${agentId}/decision-dossier`,
        discovery: `/v1/discovery?agentId=${agentId}`,
      },
      boundaries: [
        'A match compares words that two parties have signed. It grants nothing, reserves nothing and says nothing about quality.',
      ],
    };
  },
});
