import {
  effectiveCapabilities,
  grantsAt,
  hasExpired,
  isReservedSince,
  rulesAt,
  sessionIdsOf,
  sessionKey,
  AgentRecord,
  AuthorityRecord,
  type BeaconRecord,
  ReferralRecord,
  SessionRecord,
} from '@netd/ledger';
import { Unet, ActorId, Hash } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { Deadline, deadlineView } from '../shared/deadline.ts';
import { Links, proofLink } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';
import { without } from '../shared/without.ts';
import { JurorRates, jurorRates } from '../work/juror-rates.ts';

export const AgentSummary = exactly(
  {
    ...AgentRecord.properties,
    publicKeyHash: Hash,
    beacon: Type.Enum(['current', 'expired', 'none']),
    links: Links,
  },
  { title: 'AgentSummary' },
);
export type AgentSummary = Static<typeof AgentSummary>;

const NOT_LISTED = ['agentId', 'publicKey', 'grantedAt'] as const;

export const agent = defineDocument({
  name: 'NET-AGENT/1',
  route: '/v1/agents/:agentId',
  operationId: 'getAgent',
  tag: 'agents',
  summary: 'All that is public about one agent',
  description: 'All that is public about one agent.',
  path: { agentId: ActorId },
  canMiss: true,
  content: {
    agent: AgentSummary,
    nameReserved: Type.Boolean({
      description:
        'True if the name speaks for the network and was taken before version 2 of the rules reserved such names.',
    }),
    authority: AuthorityRecord,
    account: exactly({ accountId: Type.String(), balance: Unet }),
    beacon: orNull(
      Type.Object({}, { additionalProperties: true }),
      'The last published beacon as signed, current or not; null after withdrawal.',
    ),
    beaconSequence: Type.Integer({
      description: 'The highest sequence ever published; use a higher one.',
    }),
    referral: orNull(
      exactly({ referrerAgentId: ActorId, status: ReferralRecord.properties.status }),
    ),
    juror: orNull(JurorRates),
    sessions: Type.Array(exactly(without(SessionRecord.properties, ...NOT_LISTED)), {
      description: 'The live sessions, at most 16: keys that act for the agent within bounds.',
    }),
    recovery: orNull(
      exactly({
        guardians: Type.Array(ActorId),
        threshold: Type.Integer(),
        nextGuardians: orNull(
          exactly({
            guardians: Type.Array(ActorId),
            threshold: Type.Integer(),
            effectiveAt: Deadline,
          }),
        ),
        pending: orNull(
          exactly({
            requestId: Hash,
            approvals: Type.Array(ActorId),
            approved: Type.Boolean(),
            expiresAt: orNull(Deadline),
            executableAt: orNull(Deadline),
          }),
        ),
      }),
    ),
  },
  build: (snapshot, { agentId }) => {
    const record = agentAt(snapshot, agentId);
    const authority = authorityOf(snapshot, agentId);
    const grants = grantsAt(snapshot, snapshot.height + 1);
    const beacon = snapshot.get('beacon', agentId);
    const referral = snapshot.get('referral', agentId);
    return {
      agent: agentSummary(snapshot, record, authority, beacon),
      nameReserved: isReservedSince(agentId, rulesAt(snapshot, snapshot.height + 1)),
      authority: { ...authority, capabilities: effectiveCapabilities(authority, grants) },
      account: {
        accountId: agentId,
        balance: snapshot.get('account', agentId)?.balance ?? 0,
      },
      beacon: beacon?.beacon ?? null,
      beaconSequence: beacon?.lastSequence ?? 0,
      referral: referral
        ? { referrerAgentId: referral.referrerAgentId, status: referral.status }
        : null,
      juror: jurorRates(snapshot, agentId),
      sessions: sessionFacts(snapshot, agentId),
      recovery: recoveryFacts(snapshot, agentId),
      links: {
        proof: proofLink('agent', agentId),
        authorityProof: proofLink('authority', agentId),
        account: `/v1/accounts/${agentId}`,
        discovery: `/v1/discovery?agentId=${agentId}`,
        events: `/v1/events?agent=${agentId}`,
        referrals: `/v1/referrals?referrer=${agentId}`,
      },
    };
  },
});

export function agentAt(snapshot: Snapshot, agentId: string): AgentRecord {
  const record = snapshot.get('agent', agentId);
  if (!record) throw new ApiError('AGENT_NOT_FOUND');
  return record;
}

function authorityOf(snapshot: Snapshot, agentId: string): AuthorityRecord {
  const authority = snapshot.get('authority', agentId);
  if (!authority) throw new Error(`the agent ${agentId} has no authority`);
  return authority;
}

export function agentSummary(
  snapshot: Snapshot,
  record: AgentRecord,
  authority = authorityOf(snapshot, record.agentId),
  beacon: BeaconRecord | undefined = snapshot.get('beacon', record.agentId),
): AgentSummary {
  return {
    ...record,
    publicKeyHash: authority.publicKeyHash,
    beacon: beaconStatus(snapshot, beacon),
    links: { self: `/v1/agents/${record.agentId}` },
  };
}

export function beaconStatus(
  snapshot: Snapshot,
  record: BeaconRecord | undefined,
): 'current' | 'expired' | 'none' {
  if (!record?.beacon) return 'none';
  return hasExpired(record.beacon.expiresAtHeight, snapshot.height) ? 'expired' : 'current';
}

function sessionFacts(snapshot: Snapshot, agentId: string): object[] {
  return sessionIdsOf(snapshot, agentId).flatMap((sessionId) => {
    const session = snapshot.get('session', sessionKey(agentId, sessionId));
    return session ? [without(session, ...NOT_LISTED)] : [];
  });
}

function recoveryFacts(snapshot: Snapshot, agentId: string): object | null {
  const recovery = snapshot.get('recovery', agentId);
  if (!recovery) return null;
  const { guardians, nextGuardians, request } = recovery;
  return {
    guardians: guardians.agentIds,
    threshold: guardians.threshold,
    nextGuardians: nextGuardians && {
      guardians: nextGuardians.agentIds,
      threshold: nextGuardians.threshold,
      effectiveAt: deadlineView(nextGuardians.effectiveAt),
    },
    pending: request && {
      requestId: request.requestId,
      approvals: request.approvals,
      approved: request.executableAt !== null,
      expiresAt: request.expiresAt && deadlineView(request.expiresAt),
      executableAt: request.executableAt && deadlineView(request.executableAt),
    },
  };
}
