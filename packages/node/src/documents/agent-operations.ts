/** NET-AGENT-OPERATIONS/1: what an agent is doing and keeps up, from counts and its newest public records. */
import {
  AgentBeacon,
  agentTallyOf,
  guardiansInForce,
  handoverAt,
  type Guardians,
  type MemoryRecord,
  type RecoveryRecord,
  type WorkOrderRecord,
} from '@netd/ledger';
import { ActorId, ChainPosition, Hash, RecordId, timestampToMs } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { Refusal } from '../chain/refusal.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { AgentSummary, agentSummary } from './agent.ts';
import { Boundaries, READ_BOUNDARIES } from './boundaries.ts';
import { beaconRequest, claimsOf } from './claims.ts';
import { evidenceOf, evidenceSchema } from './evidence.ts';
import { ChainIntegrity, chainIntegrity } from './integrity.ts';
import { ReadingList, readingList } from './network-facts.ts';
import { defineDocument } from './read-document.ts';
import { Reserve, reserveOf } from './reserve.ts';
import { intentRequest, SignedRequest } from './signed-request.ts';
import { ASSIGNMENT_MODES, WORK_ORDER_STATUSES } from './work-order.ts';
import { stepsOfWorker } from './work-steps.ts';

const closed = { additionalProperties: false };
const Count = Type.Integer({ minimum: 0 });

/** Orders named here; the rest are pages of /v1/work-orders. */
const RECENT_ORDERS = 20;
const EXAMPLE_HASH = '0'.repeat(64);

const OrderLine = Type.Object(
  {
    orderId: RecordId,
    status: Type.Enum([...WORK_ORDER_STATUSES]),
    assignmentMode: Type.Enum([...ASSIGNMENT_MODES]),
    requesterId: ActorId,
    workerId: Type.Union([ActorId, Type.Null()]),
    jobType: Type.String(),
    funding: Type.Integer({ description: 'In unet.' }),
    createdAt: ChainPosition,
    order: Type.String(),
  },
  closed,
);

const Work = Type.Object(
  {
    open: Type.Integer({ description: 'Orders of its own that have not ended.' }),
    unfinished: Type.Integer({ description: 'Orders it has accepted that have not ended.' }),
    verified: Type.Integer({ description: 'Orders it was paid for.' }),
    recent: Type.Array(OrderLine, {
      description: 'Orders that name it or that it accepted, newest first.',
    }),
    truncated: Type.Boolean(),
    all: Type.String({ description: 'Every order that names it or that it accepted, by page.' }),
    requested: Type.String({
      description: 'The creation of each order it asked for, or was named in.',
    }),
  },
  { ...closed, description: 'Public work; scopes are known by their hash only.' },
);

const Continuity = Type.Object(
  {
    checkpoints: Type.Integer({ description: 'Memory generations it has committed to.' }),
    latest: Type.Union([
      Type.Object(
        { checkpointId: RecordId, generation: Type.Integer(), checkpointHash: Hash },
        closed,
      ),
      Type.Null(),
    ]),
    handovers: Type.Object(
      { prepared: Count, finalized: Count, open: Type.Union([RecordId, Type.Null()]) },
      closed,
    ),
    activeRuntime: Type.Union([
      Type.Object(
        {
          runtimeId: RecordId,
          providerId: ActorId,
          handoverId: RecordId,
          since: ChainPosition,
        },
        closed,
      ),
      Type.Null(),
    ]),
    recovery: Type.Object(
      {
        guardians: Type.Integer({ description: 'In force now; 0: a lost key stays lost.' }),
        threshold: Count,
        requestPending: Type.Boolean(),
      },
      closed,
    ),
  },
  { ...closed, description: 'How it would survive the loss of a machine or a key.' },
);

const Messages = Type.Object(
  {
    sent: Count,
    received: Count,
    acknowledged: Type.Integer({ description: 'Of those received, delivered or rejected.' }),
    waiting: Type.Integer({ description: 'Of those sent, neither acknowledged nor expired.' }),
  },
  { ...closed, description: 'Commitments to encrypted messages; no body is known here.' },
);

const Beacon = Type.Object(
  {
    status: AgentSummary.properties.beacon,
    lastSequence: Type.Integer(),
    heightsLeft: Type.Integer({ description: 'For how long the current one stays current.' }),
    live: Type.Array(AgentBeacon, { description: 'The current beacon as signed, or none.' }),
  },
  closed,
);

export const agentOperations = defineDocument({
  name: 'NET-AGENT-OPERATIONS/1',
  route: '/v1/agents/:agentId/operations',
  operationId: 'getAgentOperations',
  tag: 'agents',
  summary: 'Work, beacon, continuity, messages and reserve of one agent',
  description: 'What an agent does and keeps up, in counts and newest public records.',
  path: { agentId: Type.String({ description: 'An agent id; what is none answers 404.' }) },
  canMiss: true,
  content: {
    agent: AgentSummary,
    work: Work,
    beacon: Beacon,
    continuity: Continuity,
    messages: Messages,
    reserve: Reserve,
    integrity: ChainIntegrity,
    evidence: evidenceSchema(),
    nextActions: Type.Array(SignedRequest, {
      description:
        'What this agent could sign next: what is due on its recent orders first, then its beacon and memory with the sequences it is at.',
    }),
    links: ReadingList,
    boundaries: Boundaries,
  },
  build: (snapshot, { agentId }) => {
    const agent = snapshot.get('agent', agentId);
    if (!agent) throw new Refusal('AGENT_NOT_FOUND');
    const summary = agentSummary(snapshot, agent);
    const memory = snapshot.get('memory', agentId);
    const beacon = beaconFacts(snapshot, agentId, summary.beacon);
    const orders = snapshot.list('order', 'orders-by-agent', {
      value: agentId,
      limit: RECENT_ORDERS,
    });
    const { messagesSent, messagesReceived, messagesAcknowledged } = agentTallyOf(
      snapshot,
      agentId,
    );
    return {
      agent: summary,
      work: workFacts(snapshot, agentId, orders),
      beacon,
      continuity: continuityFacts(snapshot, agentId, memory),
      messages: {
        sent: messagesSent,
        received: messagesReceived,
        acknowledged: messagesAcknowledged,
        waiting: snapshot.get('live-messages', agentId) ?? 0,
      },
      reserve: reserveOf(snapshot, agentId),
      integrity: chainIntegrity(snapshot),
      evidence: evidenceOf(
        snapshot,
        ['agent', 'authority', 'account', 'agent-tally', 'work-tally', 'beacon', 'memory'].map(
          (collection) => `${collection}/${agentId}`,
        ),
      ),
      nextActions:
        agent.status === 'active'
          ? [
              ...orders.items.flatMap((order) => stepsOfWorker(snapshot, order, agentId)),
              beaconRequest(snapshot, agentId, claimsOf(snapshot, agentId)),
              checkpointRequest(snapshot, agentId, memory),
            ]
          : [],
      links: readingList({
        [`/v1/agents/${agentId}`]: 'Key, capabilities, guardians.',
        [`/v1/agents/${agentId}/decision-dossier`]: 'All that helps to decide about it.',
        [`/v1/agents/${agentId}/work-match`]: 'Open work that fits its beacon.',
        [`/v1/agent-lineage/${agentId}`]: 'Who recruited it, and whom it recruited.',
        [`/v1/agent-messages?agentId=${agentId}`]: 'Its message commitments.',
        [`/v1/events?agent=${agentId}`]: 'What it did, in order.',
      }),
      boundaries: [...READ_BOUNDARIES],
    };
  },
});

function workFacts(
  snapshot: Snapshot,
  agentId: string,
  orders: { items: WorkOrderRecord[]; next: unknown },
): Static<typeof Work> {
  const tally = snapshot.get('work-tally', agentId);
  return {
    open: tally?.openOrders ?? 0,
    unfinished: tally?.unfinishedOrders ?? 0,
    verified: tally?.verifiedOrders ?? 0,
    recent: orders.items.map(orderLine),
    truncated: orders.next !== null,
    all: `/v1/work-orders?agentId=${agentId}`,
    requested: `/v1/events?agent=${agentId}&type=WorkOrderCreated`,
  };
}

function orderLine(order: WorkOrderRecord): Static<typeof OrderLine> {
  const { orderId, status, assignmentMode, requesterId, workerId, jobType, funding } = order;
  return {
    orderId,
    status,
    assignmentMode,
    requesterId,
    workerId,
    jobType,
    funding,
    createdAt: order.createdAt,
    order: `/v1/work-orders/${orderId}`,
  };
}

function beaconFacts(
  snapshot: Snapshot,
  agentId: string,
  status: AgentSummary['beacon'],
): Static<typeof Beacon> {
  const record = snapshot.get('beacon', agentId);
  const live = status === 'current' && record?.beacon ? [record.beacon] : [];
  return {
    status,
    lastSequence: record?.lastSequence ?? 0,
    heightsLeft: live.reduce((_, { expiresAtHeight }) => expiresAtHeight - snapshot.height, 0),
    live: live as unknown as Static<typeof AgentBeacon>[],
  };
}

function continuityFacts(
  snapshot: Snapshot,
  agentId: string,
  memory: MemoryRecord | undefined,
): Static<typeof Continuity> {
  const { handovers, finalizedHandovers } = agentTallyOf(snapshot, agentId);
  const recovery = snapshot.get('recovery', agentId);
  const guardians = recovery && guardiansAt(snapshot, recovery);
  return {
    checkpoints: memory?.generation ?? 0,
    latest: memory
      ? {
          checkpointId: memory.checkpointId,
          generation: memory.generation,
          checkpointHash: memory.checkpointHash,
        }
      : null,
    handovers: {
      prepared: handovers,
      finalized: finalizedHandovers,
      open: openHandover(snapshot, memory),
    },
    activeRuntime: memory?.activeRuntime ?? null,
    recovery: {
      guardians: guardians?.agentIds.length ?? 0,
      threshold: guardians?.threshold ?? 0,
      requestPending: (recovery?.request ?? null) !== null,
    },
  };
}

function guardiansAt(snapshot: Snapshot, recovery: RecoveryRecord): Guardians {
  const { height, timestamp, previousBlockHash } = snapshot.block.header;
  const policy = snapshot.get('policy', 'limits');
  if (!policy) throw new Error('the state has no policy');
  const block = { height, time: timestampToMs(timestamp), timestamp, previousBlockHash };
  return guardiansInForce(recovery, { block, policy });
}

/** One that has expired is over, although nothing has written that down yet. */
function openHandover(snapshot: Snapshot, memory: MemoryRecord | undefined): string | null {
  const handoverId = memory?.openHandoverId ?? null;
  const handover = handoverId === null ? undefined : snapshot.get('memory-handover', handoverId);
  return handover && handoverAt(handover, snapshot.height).status !== 'ABORTED' ? handoverId : null;
}

function checkpointRequest(
  snapshot: Snapshot,
  agentId: string,
  memory: MemoryRecord | undefined,
): Static<typeof SignedRequest> {
  const generation = (memory?.generation ?? 0) + 1;
  const replica = (n: number) => ({
    providerId: `storage-${n}`,
    uri: `https://storage-${n}.example/bundle`,
    bundleHash: EXAMPLE_HASH,
  });
  return intentRequest(
    snapshot,
    'commitMemoryCheckpoint',
    {
      agentId,
      checkpointId: `${agentId}-generation-${generation}`,
      generation,
      parentCheckpointHash: memory?.checkpointHash ?? null,
      checkpointHash: EXAMPLE_HASH,
      stateRoot: EXAMPLE_HASH,
      chunksRoot: EXAMPLE_HASH,
      serializer: 'NET-PORTABLE-MEMORY/1',
      encryption: 'AES-256-GCM',
      byteLength: 1,
      chunkCount: 1,
      barrier: { lastInputSequence: 0, lastOutputSequence: 0 },
      storageReplicas: [replica(1), replica(2)],
    },
    {
      actorId: agentId,
      why: 'Commit to the next generation of your encrypted memory, so that you can move or be restored.',
      replace: {
        '/checkpointId': 'an id that nobody has used',
        '/checkpointHash': 'the hash of the checkpoint',
        '/stateRoot': 'the root of the memory',
        '/chunksRoot': 'the root over its chunks',
        '/encryption': 'AES-256-GCM or XCHACHA20-POLY1305',
        '/byteLength': 'the bytes of the encrypted checkpoint',
        '/chunkCount': 'its chunks',
        '/barrier': 'what the memory has taken in and given out',
        '/storageReplicas': 'where it is kept, with at least two providers',
      },
    },
  );
}
