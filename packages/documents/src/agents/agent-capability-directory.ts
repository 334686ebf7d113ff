import { normalizeTag, normalizeTags, workStatsOf, type BeaconRecord } from '@netd/ledger';
import { ActorId, Hash, Height } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { readCursor } from '../shared/cursor.ts';
import type { Snapshot } from '@netd/engine/reads';
import { isDiscoverable, type DiscoverableBeacon } from './agent-discovery.ts';
import { Boundaries } from '../shared/boundaries.ts';
import { Links } from '../shared/links.ts';
import {
  PAGE_CONTENT,
  PAGE_QUERY,
  pageOf,
  type ListChoice,
  type ListPage,
} from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

const DirectoryAgent = exactly({
  agentId: ActorId,
  status: Type.Literal('active', { description: 'Others are not listed.' }),
  capabilities: Type.Array(Type.String()),
  protocols: Type.Array(Type.String()),
  endpoint: Type.String({ description: 'As the agent claims; the node never contacts it.' }),
  metadataHash: Hash,
  sequence: Type.Integer(),
  expiresAtHeight: Height,
  verifiedOrders: Type.Integer(),
  unfinishedOrders: Type.Integer(),
  timeouts: Type.Integer({ description: 'Orders it accepted and did not deliver in time.' }),
  released: Type.Integer({
    description: 'Orders it accepted and gave back before their deadline.',
  }),
  disputesLost: Type.Integer({ description: 'Disputes about its work that it lost.' }),
  links: Links,
});

const Entry = exactly(
  { name: Type.String(), agents: Type.Array(ActorId) },
  { title: 'DirectoryEntry' },
);

const word = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 128,
      description: `Only agents with this ${what}, in whatever case, spaces and underscores.`,
    }),
  );

export const agentCapabilityDirectory = defineDocument({
  name: 'NET-AGENT-CAPABILITY-DIRECTORY/1',
  route: '/v1/agent-directory',
  operationId: 'getAgentDirectory',
  tag: 'agents',
  summary: 'Capabilities and protocols of agents, normalized',
  description:
    'Current beacons of active agents with their words normalized: ASCII letters small, trimmed, spaces and underscores one hyphen.',
  query: {
    agentId: Type.Optional(Type.String({ maxLength: 64 })),
    capability: word('capability'),
    protocol: word('protocol'),
    ...PAGE_QUERY,
  },
  content: {
    activeAgents: Type.Integer(),
    capabilities: Type.Array(Entry),
    protocols: Type.Array(Entry),
    agents: Type.Array(DirectoryAgent),
    ...PAGE_CONTENT,
    boundaries: Boundaries,
  },
  build: (snapshot, { agentId, capability, protocol, ...page }) => {
    const filters = {
      directory: true,
      agentId: agentId ?? null,
      capability: capability === undefined ? null : normalizeTag(capability),
      protocol: protocol === undefined ? null : normalizeTag(protocol),
    };
    const { items, total, nextCursor } = find(snapshot, filters, page);
    const agents = items.map((record) => describe(snapshot, record));
    return {
      activeAgents: counterOf(snapshot, 'active-agents'),
      capabilities: entriesOf(agents, 'capabilities'),
      protocols: entriesOf(agents, 'protocols'),
      agents,
      total,
      nextCursor,
      links: { discovery: '/v1/discovery', opportunities: '/v1/agent-opportunities' },
      boundaries: [
        'Capabilities are claims of the agents; only verifiedOrders counts work that others have verified.',
      ],
    };
  },
});

function find(
  snapshot: Snapshot,
  filters: { agentId: string | null; capability: string | null; protocol: string | null },
  page: { limit?: number; cursor?: string },
): ListPage<DiscoverableBeacon> {
  const { agentId, capability, protocol } = filters;
  const keep = (record: BeaconRecord): record is DiscoverableBeacon =>
    isDiscoverable(snapshot, record) &&
    (capability === null || normalizeTags(record.beacon.capabilities).includes(capability)) &&
    (protocol === null || normalizeTags(record.beacon.protocols).includes(protocol));
  if (agentId !== null) {
    // An agent has at most one beacon, so any cursor is refused.
    readCursor('beacon', filters, page.cursor);
    const record = snapshot.get('beacon', agentId);
    const found = record && keep(record) ? [record] : [];
    return { items: found, total: found.length, nextCursor: null };
  }
  // List by the most selective filter; `keep` applies the others.
  const index: ListChoice<'beacon'> =
    capability !== null
      ? { list: 'beacons-by-capability', value: capability }
      : protocol !== null
        ? { list: 'beacons-by-protocol', value: protocol }
        : { list: 'beacons' };
  const { items, total, nextCursor } = pageOf(snapshot, 'beacon', {
    ...index,
    filters,
    page,
    keep,
  });
  return { items: items as DiscoverableBeacon[], total, nextCursor };
}

function describe(
  snapshot: Snapshot,
  { agentId, beacon }: DiscoverableBeacon,
): Static<typeof DirectoryAgent> {
  const { endpoint, metadataHash, sequence, expiresAtHeight } = beacon;
  const { verifiedOrders, unfinishedOrders, timeouts, released, disputesLost } = workStatsOf(
    snapshot,
    agentId,
  );
  return {
    agentId,
    status: 'active',
    capabilities: normalizeTags(beacon.capabilities).toSorted(),
    protocols: normalizeTags(beacon.protocols).toSorted(),
    endpoint,
    metadataHash,
    sequence,
    expiresAtHeight,
    verifiedOrders,
    unfinishedOrders,
    timeouts,
    released,
    disputesLost,
    links: {
      agent: `/v1/agents/${agentId}`,
      dossier: `/v1/agents/${agentId}/decision-dossier`,
      beacon: `/v1/discovery?agentId=${agentId}`,
    },
  };
}

function entriesOf(
  agents: readonly Static<typeof DirectoryAgent>[],
  of: 'capabilities' | 'protocols',
): Static<typeof Entry>[] {
  const entries = new Map<string, string[]>();
  for (const agent of agents) {
    for (const name of agent[of]) {
      const named = entries.get(name);
      if (named) named.push(agent.agentId);
      else entries.set(name, [agent.agentId]);
    }
  }
  return [...entries]
    .map(([name, named]) => ({ name, agents: named }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
