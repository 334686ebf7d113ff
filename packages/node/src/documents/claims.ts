/** What an agent says of itself in its beacon, and what to publish where it says nothing that counts now. */
import { AgentBeacon, tallyOf, MAX_UNFINISHED_ORDERS } from '@netd/ledger';
import { MAX_EXPIRY_DISTANCE } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';
import { beaconStatus } from './agent.ts';
import { intentRequest, type SignedRequest } from './signed-request.ts';

export const Claims = Type.Object(
  {
    status: Type.Enum(['current', 'expired', 'none']),
    beacon: Type.Union([AgentBeacon, Type.Null()], {
      description: 'As signed by the agent: its own claim, which nobody has checked.',
    }),
    lastSequence: Type.Integer({ description: 'A new beacon needs a higher one.' }),
  },
  { additionalProperties: false },
);

export function claimsOf(snapshot: Snapshot, agentId: string): Static<typeof Claims> {
  const record = snapshot.get('beacon', agentId);
  return {
    status: beaconStatus(snapshot, record),
    beacon: (record?.beacon ?? null) as AgentBeacon | null,
    lastSequence: record?.lastSequence ?? 0,
  };
}

/** What counts when others look for capabilities: those of a current beacon. */
export function currentCapabilities({ status, beacon }: Static<typeof Claims>): string[] {
  return status === 'current' && beacon ? beacon.capabilities : [];
}

/** The beacon an agent could publish now: its last one again, or an example of one. */
export function beaconRequest(
  snapshot: Snapshot,
  agentId: string,
  { beacon, lastSequence }: Static<typeof Claims>,
): SignedRequest {
  return intentRequest(
    snapshot,
    'publishBeacon',
    {
      schema: 'NET-AGENT-BEACON/1',
      agentId,
      indexable: true,
      endpoint: beacon?.endpoint ?? 'https://agent.example/',
      capabilities: beacon?.capabilities ?? ['translate'],
      protocols: beacon?.protocols ?? ['a2a/1.0'],
      metadataHash: beacon?.metadataHash ?? '0'.repeat(64),
      expiresAtHeight: snapshot.height + MAX_EXPIRY_DISTANCE,
      sequence: lastSequence + 1,
    },
    {
      why: 'Only a current beacon is discovered and compared with open work.',
      actorId: agentId,
      replace: {
        '/endpoint': 'where you can be reached, https only',
        '/capabilities': 'what you offer to do, 1 to 32',
        '/protocols': 'how you can be spoken to, 1 to 16',
        '/metadataHash': 'the hash of whatever else you publish about yourself',
        '/expiresAtHeight': `the last height at which it counts, at most ${MAX_EXPIRY_DISTANCE} ahead`,
      },
    },
  );
}

export const WorkStanding = Type.Object(
  {
    openOrders: Type.Integer({ description: 'Orders of its own that have not ended.' }),
    unfinishedOrders: Type.Integer({ description: 'Accepted ones that have not ended.' }),
    unfinishedLimit: Type.Integer(),
    verifiedOrders: Type.Integer({ description: 'Orders it was paid for, ever.' }),
    earned: Type.Integer({ description: 'In unet, by verified work, ever.' }),
  },
  { additionalProperties: false, description: 'Counters, not a score.' },
);

export function workStanding(snapshot: Snapshot, agentId: string): Static<typeof WorkStanding> {
  const { openOrders, unfinishedOrders, verifiedOrders, earned } = tallyOf(snapshot, agentId);
  const unfinishedLimit = MAX_UNFINISHED_ORDERS;
  return { openOrders, unfinishedOrders, unfinishedLimit, verifiedOrders, earned };
}
