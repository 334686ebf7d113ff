import { AgentBeacon, hasExpired, normalizeTag, type BeaconRecord } from '@netd/ledger';
import { Type } from '@netd/protocol/type';
import { readCursor } from '../shared/cursor.ts';
import type { Snapshot } from '@netd/engine/reads';
import { PAGE_CONTENT, PAGE_QUERY, pageOf, type ListChoice } from '../shared/page.ts';
import { defineDocument } from '../shared/read-document.ts';

export const agentDiscovery = defineDocument({
  name: 'NET-AGENT-DISCOVERY/1',
  route: '/v1/discovery',
  operationId: 'discoverAgents',
  tag: 'agents',
  summary: 'Current beacons, by agent, capability and protocol',
  description: 'Current beacons of active agents.',
  query: {
    agentId: Type.Optional(Type.String({ maxLength: 64 })),
    capability: Type.Optional(
      Type.String({ maxLength: 128, description: 'Exactly as in the beacon.' }),
    ),
    protocol: Type.Optional(
      Type.String({ maxLength: 128, description: 'Exactly as in the beacon.' }),
    ),
    ...PAGE_QUERY,
  },
  content: {
    beacons: Type.Array(AgentBeacon),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { agentId, capability, protocol, ...page }) => {
    const filters = {
      agentId: agentId ?? null,
      capability: capability ?? null,
      protocol: protocol ?? null,
    };
    const keep = (record: BeaconRecord): boolean =>
      isDiscoverable(snapshot, record) &&
      (capability === undefined || record.beacon.capabilities.includes(capability)) &&
      (protocol === undefined || record.beacon.protocols.includes(protocol));
    if (agentId !== undefined) {
      // An agent has at most one beacon, so any cursor is refused.
      readCursor('beacon', filters, page.cursor);
      const record = snapshot.get('beacon', agentId);
      const beacons = record && keep(record) ? [record.beacon] : [];
      return { beacons, total: beacons.length, nextCursor: null };
    }
    // List by the most selective filter; `keep` applies the others.
    const index: ListChoice<'beacon'> =
      capability !== undefined
        ? { list: 'beacons-by-capability', value: normalizeTag(capability) }
        : protocol !== undefined
          ? { list: 'beacons-by-protocol', value: normalizeTag(protocol) }
          : { list: 'beacons' };
    const { items, total, nextCursor } = pageOf(snapshot, 'beacon', {
      ...index,
      filters,
      page,
      keep,
    });
    return { beacons: items.map(({ beacon }) => beacon), total, nextCursor };
  },
});

export type DiscoverableBeacon = BeaconRecord & { beacon: AgentBeacon };

export function isDiscoverable(
  snapshot: Snapshot,
  record: BeaconRecord,
): record is DiscoverableBeacon {
  const { agentId, beacon } = record;
  return (
    beacon !== null &&
    !hasExpired(beacon.expiresAtHeight, snapshot.height) &&
    snapshot.get('agent', agentId)?.status === 'active'
  );
}
