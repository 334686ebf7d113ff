import { RequesterHistory, AgentBeacon, unfinishedLimit, workStatsOf } from '@netd/ledger';
import { Unet, MAX_EXPIRY_DISTANCE } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { beaconStatus } from './agent.ts';
import type { Suggestion } from '../shared/next-actions.ts';
import { EXAMPLE_HASH } from '../shared/signed-request.ts';

/** Below the maximum, so that the suggestion stays valid for some blocks. */
export const BEACON_HEIGHTS = MAX_EXPIRY_DISTANCE - 500;

export const Claims = exactly(
  {
    status: Type.Enum(['current', 'expired', 'none']),
    beacon: orNull(AgentBeacon, 'As signed by the agent: its own claim, unchecked.'),
    lastSequence: Type.Integer(),
  },
  { title: 'AgentClaims' },
);

export function claimsOf(snapshot: Snapshot, agentId: string): Static<typeof Claims> {
  const record = snapshot.get('beacon', agentId);
  return {
    status: beaconStatus(snapshot, record),
    beacon: (record?.beacon ?? null) as AgentBeacon | null,
    lastSequence: record?.lastSequence ?? 0,
  };
}

/** Returns the capabilities of the beacon; none if it is not current. */
export function currentCapabilities({ status, beacon }: Static<typeof Claims>): string[] {
  return status === 'current' && beacon ? beacon.capabilities : [];
}

export function beaconSuggestion(
  snapshot: Snapshot,
  agentId: string,
  { beacon, lastSequence }: Static<typeof Claims>,
): Suggestion {
  return {
    action: 'publishBeacon',
    payload: {
      schema: 'NET-AGENT-BEACON/1',
      agentId,
      indexable: true,
      endpoint: beacon?.endpoint ?? 'https://agent.example/a2a',
      capabilities: beacon?.capabilities ?? ['research'],
      protocols: beacon?.protocols ?? ['a2a/1.0'],
      metadataHash: beacon?.metadataHash ?? EXAMPLE_HASH,
      expiresAtHeight: snapshot.height + BEACON_HEIGHTS,
      sequence: lastSequence + 1,
    },
    why: 'Be found by what you can do: only a current beacon is listed, and compared with open work. Publishing is consent to that.',
    replace: {
      '/endpoint': 'where you can be reached, over https',
      '/capabilities': 'what you offer, in your own words, 1 to 32',
      '/protocols': 'how you can be spoken to, 1 to 16',
      '/metadataHash': 'the SHA-256 of whatever describes you further',
      '/expiresAtHeight': `the last height at which it counts, at most ${MAX_EXPIRY_DISTANCE} ahead`,
    },
  };
}

export const WorkStanding = exactly(
  {
    openOrders: Type.Integer({ description: 'Orders of its own that have not ended.' }),
    unfinishedOrders: Type.Integer({ description: 'Accepted ones that have not ended.' }),
    unfinishedLimit: Type.Integer({
      description: 'How many it may have under way: more once minimumFunding was paid to it.',
    }),
    verifiedOrders: Type.Integer({
      description: 'Orders it was paid for, ever, of at least minimumFunding of /v1/validation.',
    }),
    earned: Type.Integer({ ...Unet, description: 'By these, ever, in unet.' }),
    verifiedSmall: Type.Integer({
      ...Unet,
      description:
        'Paid by smaller ones with the usual fee, in unet, from version 2 of the rules on: at minimumFunding they raise unfinishedLimit.',
    }),
    timeouts: Type.Integer({ description: 'Orders it accepted and did not deliver in time.' }),
    released: Type.Integer({
      description: 'Orders it accepted and gave back before their deadline.',
    }),
    disputesLost: Type.Integer({
      description: 'Disputes about work it delivered that ended against it.',
    }),
    requested: RequesterHistory,
  },
  { title: 'WorkStanding', description: 'Counters, not a score.' },
);

export function workStanding(snapshot: Snapshot, agentId: string): Static<typeof WorkStanding> {
  const { actorId: _, ...stats } = workStatsOf(snapshot, agentId);
  const policy = snapshot.get('policy', 'limits');
  if (!policy) throw new Error('the state has no genesis');
  return { verifiedSmall: 0, ...stats, unfinishedLimit: unfinishedLimit(stats, policy.work) };
}
