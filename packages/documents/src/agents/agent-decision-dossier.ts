import { ActorId, Hash, Height, RecordId } from '@netd/protocol';
import { orNull, exactly, Type } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { AgentSummary, agentAt, agentSummary } from './agent.ts';
import { agentNextActions, openHandover } from './agent-next-actions.ts';
import { Boundaries } from '../shared/boundaries.ts';
import { Claims, claimsOf, currentCapabilities, WorkStanding, workStanding } from './claims.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { LineageSummary, lineageSummary } from './lineage-summary.ts';
import { defineDocument } from '../shared/read-document.ts';
import { SignedRequest } from '../shared/signed-request.ts';
import { matchWork, WorkMatch } from '../work/work-match.ts';

/** Number of matches shown. /v1/work-match has the others. */
const MATCHES = 10;
const ACTIVITY = 50;

const Identity = exactly({
  agent: AgentSummary,
  authorityActive: Type.Boolean(),
  roles: Type.Array(Type.String()),
  recovery: Type.Enum(['none', 'guarded', 'requested', 'approved'], {
    description:
      'requested, approved: guardians are replacing its key. Wait before you rely on it.',
  }),
});

const Continuity = exactly(
  {
    memoryGeneration: Type.Integer({ description: 'Memory checkpoints it has committed, ever.' }),
    latestCheckpoint: orNull(exactly({ checkpointId: RecordId, checkpointHash: Hash })),
    activeRuntime: orNull(exactly({ runtimeId: RecordId, providerId: ActorId })),
    openHandoverId: orNull(RecordId),
    liveMessages: Type.Integer(),
  },
  { description: 'Commitments only; the node holds neither memories nor messages.' },
);

const Activity = exactly(
  {
    events: Type.Array(
      exactly({
        id: Type.String({ description: '`height.index`, the position in the event feed.' }),
        height: Height,
        type: Type.String(),
        data: Type.Object({}, { additionalProperties: true }),
      }),
      {},
    ),
    truncated: Type.Boolean(),
  },
  { description: 'What the chain has recorded of it, by its own acts and those of others.' },
);

export const agentDecisionDossier = defineDocument({
  name: 'NET-AGENT-DECISION-DOSSIER/1',
  route: '/v1/agents/:agentId/decision-dossier',
  operationId: 'getDecisionDossier',
  tag: 'agents',
  summary: 'What is known of an agent, from one snapshot',
  description:
    'Identity, claims, work, continuity, activity and lineage of one agent at one height.',
  path: { agentId: ActorId },
  canMiss: true,
  fingerprint: 'evidence.dossierHash',
  content: {
    identity: Identity,
    claims: Claims,
    work: exactly({
      standing: WorkStanding,
      matches: Type.Array(WorkMatch),
      truncated: Type.Boolean(),
    }),
    continuity: Continuity,
    activity: Activity,
    lineage: LineageSummary,
    evidence: evidenceSchema({ dossierHash: Hash }),
    nextActions: Type.Array(SignedRequest, {
      description: 'What the agent could sign first; /operations has the rest.',
    }),
    boundaries: Boundaries,
  },
  build: (snapshot, { agentId }) => {
    const claims = claimsOf(snapshot, agentId);
    const identity = identityOf(snapshot, agentId);
    const { matches, truncated } = matchWork(
      snapshot,
      agentId,
      currentCapabilities(claims),
      MATCHES,
    );
    return {
      identity,
      claims,
      work: {
        standing: workStanding(snapshot, agentId),
        matches: matches.map(({ view }) => view),
        truncated,
      },
      continuity: continuityOf(snapshot, agentId),
      activity: activityOf(snapshot, agentId),
      lineage: lineageSummary(snapshot, agentId),
      evidence: evidenceOf(
        ['agent', 'authority', 'beacon', 'work-stats', 'memory', 'referral'].map(
          (collection) => `${collection}/${agentId}`,
        ),
      ),
      nextActions: agentNextActions(snapshot, agentId).slice(0, 1),
      links: {
        agent: `/v1/agents/${agentId}`,
        match: `/v1/agents/${agentId}/work-match`,
        orders: `/v1/work-orders?agentId=${agentId}`,
        events: `/v1/events?agent=${agentId}`,
        lineage: `/v1/agent-lineage/${agentId}`,
        referrals: `/v1/referrals?referrer=${agentId}`,
        operations: `/v1/agents/${agentId}/operations`,
        account: `/v1/accounts/${agentId}`,
        messages: `/v1/agent-messages?agentId=${agentId}`,
        checkpoints: `/v1/memory/checkpoints?agentId=${agentId}`,
      },
      boundaries: [
        'This is evidence, not a permission and not a score: with which agents you work is your decision.',
        'Claims are statements that the agent signed about itself. Verified work is the finding of committees; nothing else here is verified.',
      ],
    };
  },
});

function identityOf(snapshot: Snapshot, agentId: string): object {
  const agent = agentAt(snapshot, agentId);
  const authority = snapshot.get('authority', agentId);
  const recovery = snapshot.get('recovery', agentId);
  return {
    agent: agentSummary(snapshot, agent),
    authorityActive: authority?.active === true,
    roles: authority?.roles ?? [],
    recovery: !recovery
      ? 'none'
      : !recovery.request
        ? 'guarded'
        : recovery.request.executableAt
          ? 'approved'
          : 'requested',
  };
}

function continuityOf(snapshot: Snapshot, agentId: string): object {
  const memory = snapshot.get('memory', agentId);
  const { checkpointId, checkpointHash, activeRuntime } = memory ?? {};
  return {
    memoryGeneration: memory?.generation ?? 0,
    latestCheckpoint: memory && memory.generation > 0 ? { checkpointId, checkpointHash } : null,
    activeRuntime: activeRuntime
      ? { runtimeId: activeRuntime.runtimeId, providerId: activeRuntime.providerId }
      : null,
    openHandoverId: openHandover(snapshot, memory),
    liveMessages: snapshot.get('live-messages', agentId) ?? 0,
  };
}

function activityOf(snapshot: Snapshot, agentId: string): object {
  const events = snapshot.latestEvents(`agent:${agentId}`, ACTIVITY + 1);
  return {
    events: events.slice(0, ACTIVITY).map(({ height, index, type, data }) => ({
      id: `${height}.${index}`,
      height,
      type,
      data,
    })),
    truncated: events.length > ACTIVITY,
  };
}
