/** NET-AGENT-CAPABILITY-DIRECTORY/1: who can do what, and how to speak to them, in words that compare. */
import { normalTerm, normalTerms, tallyOf, type BeaconRecord } from '@netd/ledger';
import { ActorId, Hash, Height } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { readCursor } from '../http/cursor.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { isDiscoverable, type DiscoverableBeacon } from './agent-discovery.ts';
import { Boundaries, READ_BOUNDARIES } from './boundaries.ts';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';

const closed = { additionalProperties: false };

const DirectoryAgent = Type.Object(
  {
    agentId: ActorId,
    status: Type.Literal('active', { description: 'Others are not listed.' }),
    capabilities: Type.Array(Type.String(), { description: 'Normalized, in order.' }),
    protocols: Type.Array(Type.String(), { description: 'Normalized, in order.' }),
    endpoint: Type.String({ description: 'As the agent claims; the node never contacts it.' }),
    metadataHash: Hash,
    sequence: Type.Integer(),
    expiresAtHeight: Height,
    verifiedOrders: Type.Integer({ description: 'Orders it was paid for after verification.' }),
    unfinishedOrders: Type.Integer({ description: 'Orders it is working on.' }),
    links: Type.Object(
      { agent: Type.String(), dossier: Type.String(), beacon: Type.String() },
      closed,
    ),
  },
  closed,
);

const Entry = Type.Object({ name: Type.String(), agents: Type.Array(ActorId) }, closed);

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
    activeAgents: Type.Integer({ description: 'With a beacon or without.' }),
    capabilities: Type.Array(Entry, { description: 'Of the agents of this page, by name.' }),
    protocols: Type.Array(Entry, { description: 'Of the agents of this page, by name.' }),
    agents: Type.Array(DirectoryAgent, {
      description:
        'By their beacons, newest first. With several filters a page may hold fewer than limit and still go on.',
    }),
    truncated: Type.Boolean({ description: 'Whether there are more: nextCursor leads to them.' }),
    ...PAGE_CONTENT,
    links: Type.Object({ discovery: Type.String(), opportunities: Type.String() }, closed),
    boundaries: Boundaries,
  },
  build: (snapshot, { agentId, capability, protocol, ...page }) => {
    const filters = {
      directory: true,
      agentId: agentId ?? null,
      capability: capability === undefined ? null : normalTerm(capability),
      protocol: protocol === undefined ? null : normalTerm(protocol),
    };
    const { records, nextCursor } = find(snapshot, filters, page);
    const agents = records.map((record) => describe(snapshot, record));
    return {
      activeAgents: snapshot.get('counter', 'active-agents') ?? 0,
      capabilities: entriesOf(agents, 'capabilities'),
      protocols: entriesOf(agents, 'protocols'),
      agents,
      truncated: nextCursor !== null,
      nextCursor,
      links: { discovery: '/v1/discovery', opportunities: '/v1/agent-opportunities' },
      boundaries: [
        ...READ_BOUNDARIES,
        'Capabilities are claims of the agents; only verifiedOrders counts what others have verified.',
      ],
    };
  },
});

function find(
  snapshot: Snapshot,
  filters: { agentId: string | null; capability: string | null; protocol: string | null },
  page: { limit?: number; cursor?: string },
): { records: DiscoverableBeacon[]; nextCursor: string | null } {
  const { agentId, capability, protocol } = filters;
  const keep = (record: BeaconRecord): record is DiscoverableBeacon =>
    isDiscoverable(snapshot, record) &&
    (capability === null || normalTerms(record.beacon.capabilities).includes(capability)) &&
    (protocol === null || normalTerms(record.beacon.protocols).includes(protocol));
  if (agentId !== null) {
    // An agent has one beacon, so no page of it has a next.
    readCursor('beacon', filters, page.cursor);
    const record = snapshot.get('beacon', agentId);
    return { records: record && keep(record) ? [record] : [], nextCursor: null };
  }
  // The list of the most selective filter, the others record by record.
  const index =
    capability !== null
      ? { list: 'beacons-by-capability', value: capability }
      : protocol !== null
        ? { list: 'beacons-by-protocol', value: protocol }
        : { list: 'beacons' };
  const { items, nextCursor } = pageOf(snapshot, 'beacon', { ...index, filters, page, keep });
  // `keep` has let through nothing else.
  return { records: items as DiscoverableBeacon[], nextCursor };
}

function describe(
  snapshot: Snapshot,
  { agentId, beacon }: DiscoverableBeacon,
): Static<typeof DirectoryAgent> {
  const { endpoint, metadataHash, sequence, expiresAtHeight } = beacon;
  const { verifiedOrders, unfinishedOrders } = tallyOf(snapshot, agentId);
  return {
    agentId,
    status: 'active',
    capabilities: normalTerms(beacon.capabilities).toSorted(),
    protocols: normalTerms(beacon.protocols).toSorted(),
    endpoint,
    metadataHash,
    sequence,
    expiresAtHeight,
    verifiedOrders,
    unfinishedOrders,
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
