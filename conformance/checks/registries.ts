/** Each registry lists every record of the certified state exactly once. */
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '@netd/protocol';
import { expectSame, isPlain } from '../as-in-state.ts';
import { certifiedState, expectSnapshot, type CertifiedState } from '../certified-state.ts';
import { check, type Check } from '../check.ts';
import { textOf } from '../expect.ts';
import type { Http } from '../http.ts';
import type { Network } from '../network.ts';
import type { RequirementId } from '../requirements.ts';
import { beaconOf } from './payloads.ts';

interface Registry {
  proves: readonly RequirementId[];
  path: string;
  /** The member with the list, and the id member of its entries. */
  list: string;
  id: string;
  /** The expected ids, and members that an entry must repeat if it has them. */
  records: (state: CertifiedState) => [id: string, record: JsonObject][];
  /** Creates an entry, so that an empty list is wrong. */
  given?: (net: Network) => Promise<unknown>;
  beside?: (state: CertifiedState, records: [string, JsonObject][]) => JsonObject;
}

const counted = (_: CertifiedState, records: [string, JsonObject][]): JsonObject => ({
  total: records.length,
});

const byStatus = (records: [string, JsonObject][]): JsonObject => {
  const counts: Record<string, number> = {};
  for (const [, { status }] of records) counts[textOf(status)] = (counts[textOf(status)] ?? 0) + 1;
  return counts;
};

const REGISTRIES: readonly Registry[] = [
  {
    proves: ['get.agents', 'agent.active'],
    path: '/v1/agents',
    list: 'agents',
    id: 'agentId',
    records: (state) =>
      state
        .collection('agent')
        .map(([id, agent]) => [
          id,
          { ...agent, publicKeyHash: state.record(`authority/${id}`)['publicKeyHash'] ?? null },
        ]),
    beside: (_, records) => ({
      total: records.length,
      active: records.filter(([, { status }]) => status === 'active').length,
    }),
  },
  {
    proves: ['get.referrals', 'referral.pending'],
    path: '/v1/referrals',
    list: 'referrals',
    id: 'agentId',
    records: (state) => state.collection('referral'),
    beside: counted,
  },
  {
    proves: ['get.discovery', 'beacon.current'],
    path: '/v1/discovery',
    list: 'beacons',
    id: 'agentId',
    records: currentBeacons,
  },
  {
    proves: ['get.agent-directory', 'document.agent-capability-directory'],
    path: '/v1/agent-directory',
    list: 'agents',
    id: 'agentId',
    records: (state) =>
      currentBeacons(state).map(([id, beacon]) => {
        const { verifiedOrders = 0, unfinishedOrders = 0 } = (state.get(`work-stats/${id}`) ??
          {}) as JsonObject;
        const { status = null } = state.record(`agent/${id}`);
        const words = { ...beacon, ...normalized(beacon) };
        return [id, { ...words, status, verifiedOrders, unfinishedOrders }];
      }),
    given: announced,
    beside: (state) => ({ activeAgents: state.counter('active-agents') }),
  },
  {
    proves: ['get.agent-messages', 'service.message-commitments'],
    path: '/v1/agent-messages',
    list: 'messages',
    id: 'messageId',
    records: (state) =>
      state.collection('message').map(([id, { message, ...record }]) => {
        const { acknowledgement } = record;
        return [
          id,
          { ...(message as JsonObject), ...record, acknowledgement: acknowledgement ?? null },
        ];
      }),
    beside: (state) => ({ committed: state.counter('messages') }),
  },
  {
    proves: ['get.memory.checkpoints', 'document.memory-checkpoint-registry'],
    path: '/v1/memory/checkpoints',
    list: 'checkpoints',
    id: 'checkpointId',
    records: (state) =>
      state
        .collection('memory-checkpoint')
        .map(([id, { checkpoint, ...record }]) => [
          id,
          { ...(checkpoint as JsonObject), ...record },
        ]),
    beside: counted,
  },
  {
    proves: ['get.memory.handovers', 'document.memory-handover-registry'],
    path: '/v1/memory/handovers',
    list: 'handovers',
    id: 'handoverId',
    records: (state) => state.collection('memory-handover'),
    beside: (_, records) => ({
      total: records.length,
      finalized: records.filter(([, { status }]) => status === 'FINALIZED').length,
    }),
  },
  {
    proves: ['get.operator-applications'],
    path: '/v1/operator-applications',
    list: 'applications',
    id: 'applicationId',
    records: (state) => state.collection('application'),
    beside: counted,
  },
  {
    proves: ['get.work-orders', 'order.status.closed'],
    path: '/v1/work-orders',
    list: 'orders',
    id: 'orderId',
    records: (state) => state.collection('order'),
    beside: (_, records) => ({ byStatus: byStatus(records) }),
  },
  {
    proves: [
      'get.agent-opportunities',
      'opportunities.current-open-market',
      'document.agent-opportunity-index',
    ],
    path: '/v1/agent-opportunities',
    list: 'opportunities',
    id: 'orderId',
    records: (state) =>
      state
        .collection('order')
        .filter(
          ([, { assignmentMode, status }]) => assignmentMode === 'OPEN_MARKET' && status === 'OPEN',
        )
        .map(([id, order]) => [id, { ...order, acceptBy: order['deadline'] ?? null }]),
    beside: counted,
  },
  {
    proves: ['get.tokens', 'document.token-registry'],
    path: '/v1/tokens',
    list: 'tokens',
    id: 'tokenId',
    records: (state) => state.collection('token'),
    beside: counted,
  },
  {
    proves: ['get.contributions', 'document.protocol-contribution-registry'],
    path: '/v1/protocol/contributions',
    list: 'contributions',
    id: 'contributionId',
    records: (state) =>
      state
        .collection('contribution')
        .map(([id, { attestations, reviews, ...record }]) => [
          id,
          { ...record, attestations: lengthOf(attestations), reviews: lengthOf(reviews) },
        ]),
    beside: counted,
  },
  {
    proves: ['get.nodes'],
    path: '/v1/nodes',
    list: 'nodes',
    id: 'agentId',
    records: (state) =>
      state.collection('node-heartbeat').map(([id, heartbeat]) => [id, { agentId: id, heartbeat }]),
    beside: counted,
  },
  {
    proves: ['get.replicas', 'document.replica-registry'],
    path: '/v1/replicas',
    list: 'replicas',
    id: 'agentId',
    records: (state) =>
      currentBeacons(state).filter(([, beacon]) =>
        normalized(beacon).capabilities.includes('state-replica'),
      ),
    given: announced,
  },
];

/** Creates an agent whose words need normalizing. */
function announced(net: Network): Promise<unknown> {
  return net.once('announces a replica', async () => {
    const actor = await net.join(net.fresh('keeps'));
    const words = { capabilities: ['State_Replica', 'B side', 'a side'], protocols: ['HTTP/1.1'] };
    await net.does(actor, 'publishBeacon', beaconOf(actor.actorId, await net.height(), 1, words));
  });
}

/**
 * Normalizes words as the directory does: trimmed, ASCII lowercase, hyphens for spaces and underscores, unique,
 * sorted.
 */
function normalized({ capabilities, protocols }: JsonObject): Record<Words, string[]> {
  const form = (words: JsonValue | undefined): string[] =>
    [
      ...new Set(
        (words as string[]).map((word) =>
          word
            .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
            .replaceAll(/^[\s_]+|[\s_]+$/g, '')
            .replaceAll(/[\s_]+/g, '-'),
        ),
      ),
    ].toSorted();
  return { capabilities: form(capabilities), protocols: form(protocols) };
}
type Words = 'capabilities' | 'protocols';

/** Returns the unexpired beacons of active agents at the state's height. */
function currentBeacons(state: CertifiedState): [id: string, beacon: JsonObject][] {
  return state.collection('beacon').flatMap(([id, { beacon }]): [string, JsonObject][] => {
    const signed = beacon as JsonObject | null;
    const current =
      signed !== null &&
      Number(signed['expiresAtHeight']) >= state.checkpoint.height &&
      state.record(`agent/${id}`)['status'] === 'active';
    return current ? [[id, signed]] : [];
  });
}

/** Reads of a registry while others write. */
const ATTEMPTS = 5;

/** Reads all pages of a registry at one state root, and the certified state there. */
async function readAll(
  http: Http,
  { path, list }: Registry,
): Promise<{ first: JsonObject; entries: JsonObject[]; state: CertifiedState }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const state = await certifiedState(http);
    const pages: JsonObject[] = [];
    let cursor: JsonValue | undefined = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${textOf(cursor)}`;
      const page: JsonObject = await http.document(`${path}?limit=500${query}`);
      await expectSnapshot(http, page);
      pages.push(page);
      cursor = page['nextCursor'];
      assert.notEqual(cursor, undefined, `${path} does not say whether there is more`);
    } while (cursor !== null && pages.length <= MAX_PAGES);
    assert.ok(pages.length <= MAX_PAGES, `${path} never ends`);
    const roots = pages.map(({ snapshot }) => (snapshot as JsonObject)['stateRoot']);
    if (roots.every((root) => root === state.checkpoint.stateRoot)) {
      const entries = pages.flatMap((page) => page[list] as JsonObject[]);
      return { first: pages[0] as JsonObject, entries, state };
    }
  }
  throw new Error(`${path} and the checkpoint are never of one state`);
}
const MAX_PAGES = 200;

export const REGISTRY_CHECKS: readonly Check[] = REGISTRIES.map((registry) =>
  check(
    `${registry.path} lists the certified records, all of them, once`,
    registry.proves,
    async (net) => {
      await registry.given?.(net);
      const { first, entries, state } = await readAll(net.http, registry);
      const records = registry.records(state);
      const ids = entries.map((entry) => textOf(entry[registry.id]));
      assert.deepEqual(ids.toSorted(), records.map(([id]) => id).toSorted());
      const known = new Map(records);
      for (const entry of entries) {
        const id = textOf(entry[registry.id]);
        const record = known.get(id) ?? {};
        const shows = Object.keys(entry).filter((name) => name in record);
        assert.ok(shows.length > 1, `${registry.path} shows nothing of ${id} but its name`);
        expectSame(entry, record, `${registry.path} ${id}`);
      }
      const beside = registry.beside?.(state, records) ?? {};
      for (const [name, value] of Object.entries(beside)) {
        assert.deepEqual(
          withoutZeros(first[name]),
          withoutZeros(value),
          `${registry.path} ${name}`,
        );
      }
    },
  ),
);

const lengthOf = (value: JsonValue | undefined): number => (value as JsonValue[]).length;

/** Removes zero counts, which documents may omit. */
function withoutZeros(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, count]) => count !== 0));
}
