/** NET-AGENT-DECISION-DOSSIER/1: what is known of an agent, from one snapshot, for whoever must decide about it. */
import { handoverAt } from '@netd/ledger';
import { ActorId, Hash, Height, RecordId } from '@netd/protocol';
import Type from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';
import { AgentSummary, agentAt, agentSummary } from './agent.ts';
import { Boundaries, READ_BOUNDARIES } from './boundaries.ts';
import {
  beaconRequest,
  Claims,
  claimsOf,
  currentCapabilities,
  WorkStanding,
  workStanding,
} from './claims.ts';
import { evidenceOf, evidenceSchema } from './evidence.ts';
import { ChainIntegrity, chainIntegrity } from './integrity.ts';
import { LineageSummary, lineageSummary } from './lineage-summary.ts';
import { defineDocument } from './read-document.ts';
import { SignedRequest } from './signed-request.ts';
import { acceptRequest } from './work-brief.ts';
import { matchWork, WorkMatch } from './work-match.ts';

/** Matches shown, the best; /work-match has more. */
const MATCHES = 10;
/** Events shown, the newest. */
const ACTIVITY = 50;

const closed = { additionalProperties: false };
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const Identity = Type.Object(
  {
    agent: AgentSummary,
    authorityActive: Type.Boolean({ description: 'Whether its key can sign anything now.' }),
    roles: Type.Array(Type.String()),
    recovery: Type.Enum(['none', 'guarded', 'requested', 'approved'], {
      description:
        'requested, approved: guardians are replacing its key. Wait before you rely on it.',
    }),
  },
  closed,
);

const Continuity = Type.Object(
  {
    memoryGeneration: Type.Integer({ description: 'Memory checkpoints it has committed, ever.' }),
    latestCheckpoint: orNull(Type.Object({ checkpointId: RecordId, checkpointHash: Hash }, closed)),
    activeRuntime: orNull(Type.Object({ runtimeId: RecordId, providerId: ActorId }, closed)),
    openHandoverId: orNull(RecordId),
    liveMessages: Type.Integer({ description: 'Sent, neither acknowledged nor expired.' }),
  },
  { ...closed, description: 'Commitments only; the node holds neither memories nor messages.' },
);

const Activity = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: '`height.index`, as in the event feed.' }),
          height: Height,
          type: Type.String(),
          data: Type.Object({}, { additionalProperties: true }),
        },
        closed,
      ),
      { description: 'Newest first.' },
    ),
    truncated: Type.Boolean(),
    links: Type.Object({ events: Type.String() }, closed),
  },
  { ...closed, description: 'What the chain has recorded of it, whoever did it.' },
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
    work: Type.Object(
      {
        standing: WorkStanding,
        matches: Type.Array(WorkMatch, { description: 'The best, as advice.' }),
        truncated: Type.Boolean(),
        links: Type.Object({ match: Type.String(), orders: Type.String() }, closed),
      },
      closed,
    ),
    continuity: Continuity,
    activity: Activity,
    lineage: LineageSummary,
    integrity: ChainIntegrity,
    evidence: evidenceSchema({ dossierHash: Hash }),
    nextActions: Type.Array(SignedRequest, { description: 'What the agent itself could sign.' }),
    links: Type.Object(
      {
        agent: Type.String(),
        operations: Type.String(),
        account: Type.String(),
        messages: Type.String(),
        checkpoints: Type.String(),
      },
      closed,
    ),
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
    const best = matches.find(({ view }) => view.acceptable);
    return {
      identity,
      claims,
      work: {
        standing: workStanding(snapshot, agentId),
        matches: matches.map(({ view }) => view),
        truncated,
        links: {
          match: `/v1/agents/${agentId}/work-match`,
          orders: `/v1/work-orders?agentId=${agentId}`,
        },
      },
      continuity: continuityOf(snapshot, agentId),
      activity: activityOf(snapshot, agentId),
      lineage: lineageSummary(snapshot, agentId),
      integrity: chainIntegrity(snapshot),
      evidence: evidenceOf(
        snapshot,
        ['agent', 'authority', 'beacon', 'work-tally', 'memory', 'referral'].map(
          (collection) => `${collection}/${agentId}`,
        ),
      ),
      nextActions: [
        ...(claims.status === 'current' ? [] : [beaconRequest(snapshot, agentId, claims)]),
        ...(best ? [acceptRequest(snapshot, { orderId: best.order.orderId, agentId })] : []),
      ],
      links: {
        agent: `/v1/agents/${agentId}`,
        operations: `/v1/agents/${agentId}/operations`,
        account: `/v1/accounts/${agentId}`,
        messages: `/v1/agent-messages?agentId=${agentId}`,
        checkpoints: `/v1/memory/checkpoints?agentId=${agentId}`,
      },
      boundaries: [
        ...READ_BOUNDARIES,
        'This is evidence, not a permission and not a score: whom to work with is your decision.',
        'Claims are what the agent signed about itself. Verified work is what committees found; nothing else here is verified by anybody.',
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
        : recovery.request.approved
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
    openHandoverId: openHandover(snapshot, memory?.openHandoverId ?? null),
    liveMessages: snapshot.get('live-messages', agentId) ?? 0,
  };
}

/** The handover unless its time has passed, which nothing needs to have written down yet. */
function openHandover(snapshot: Snapshot, handoverId: string | null): string | null {
  const record = handoverId === null ? undefined : snapshot.get('memory-handover', handoverId);
  return record && handoverAt(record, snapshot.height).status !== 'ABORTED' ? handoverId : null;
}

function activityOf(snapshot: Snapshot, agentId: string): object {
  // One more than shown tells whether there is more.
  const events = snapshot.latestEvents(`agent:${agentId}`, ACTIVITY + 1);
  return {
    events: events.slice(0, ACTIVITY).map(({ height, index, type, data }) => ({
      id: `${height}.${index}`,
      height,
      type,
      data,
    })),
    truncated: events.length > ACTIVITY,
    links: { events: `/v1/events?agent=${agentId}` },
  };
}
