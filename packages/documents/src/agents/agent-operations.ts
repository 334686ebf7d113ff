import {
  RequesterHistory,
  AgentBeacon,
  agentStatsOf,
  guardiansInForce,
  workStatsOf,
  type Guardians,
  type MemoryRecord,
  type RecoveryRecord,
  type WorkOrderRecord,
} from '@netd/ledger';
import { Unet, ActorId, ChainPosition, Hash, RecordId, timestampToMs } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { AgentSummary, agentSummary } from './agent.ts';
import { agentNextActions, openHandover } from './agent-next-actions.ts';
import { Links } from '../shared/links.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { ChainIntegrity, chainIntegrity } from '../shared/integrity.ts';
import { defineDocument } from '../shared/read-document.ts';
import { Reserve, reserveOf } from './reserve.ts';
import { NextActions } from '../shared/signed-request.ts';
import { AssignmentMode, WorkOrderStatus } from '../work/work-order.ts';

const Count = Type.Integer({ minimum: 0 });

const RECENT_ORDERS = 20;

const OrderLine = exactly({
  orderId: RecordId,
  status: WorkOrderStatus,
  assignmentMode: AssignmentMode,
  requesterId: ActorId,
  workerId: orNull(ActorId),
  jobType: Type.String(),
  funding: Unet,
  createdAt: ChainPosition,
  links: Links,
});

const Work = exactly(
  {
    open: Type.Integer({ description: 'Orders of its own that have not ended.' }),
    unfinished: Type.Integer({ description: 'Orders it has accepted that have not ended.' }),
    verified: Type.Integer({ description: 'Orders of at least minimumFunding it was paid for.' }),
    timeouts: Type.Integer({ description: 'Orders it accepted and did not deliver in time.' }),
    released: Type.Integer({
      description: 'Orders it accepted and gave back before their deadline.',
    }),
    disputesLost: Type.Integer({ description: 'Disputes about its work that it lost.' }),
    requested: RequesterHistory,
    recent: Type.Array(OrderLine, {
      description: 'Orders that name it or that it accepted, newest first.',
    }),
    truncated: Type.Boolean(),
  },
  { description: 'Public work; scopes are known by their hash only.' },
);

const Continuity = exactly(
  {
    checkpoints: Type.Integer(),
    latest: orNull(
      exactly({ checkpointId: RecordId, generation: Type.Integer(), checkpointHash: Hash }),
    ),
    handovers: exactly({ prepared: Count, finalized: Count, open: orNull(RecordId) }),
    activeRuntime: orNull(
      exactly({
        runtimeId: RecordId,
        providerId: ActorId,
        handoverId: RecordId,
        since: ChainPosition,
      }),
    ),
    recovery: exactly({
      guardians: Type.Integer({ description: 'In force now; 0: a lost key stays lost.' }),
      threshold: Count,
      requestPending: Type.Boolean(),
    }),
  },
  { description: 'How it would survive the loss of a machine or a key.' },
);

const Messages = exactly(
  {
    sent: Count,
    received: Count,
    acknowledged: Type.Integer(),
    waiting: Type.Integer(),
  },
  { description: 'Commitments to encrypted messages; no body is known here.' },
);

const Beacon = exactly({
  status: AgentSummary.properties.beacon,
  lastSequence: Type.Integer(),
  heightsLeft: Type.Integer(),
  live: Type.Array(AgentBeacon),
});

export const agentOperations = defineDocument({
  name: 'NET-AGENT-OPERATIONS/1',
  route: '/v1/agents/:agentId/operations',
  operationId: 'getAgentOperations',
  tag: 'agents',
  summary: 'Work, beacon, continuity, messages and reserve of one agent',
  description: 'What an agent does and keeps up, in counts and newest public records.',
  path: { agentId: Type.String({ description: 'Id of an agent, exact.' }) },
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
    nextActions: NextActions,
  },
  build: (snapshot, { agentId }) => {
    const agent = snapshot.get('agent', agentId);
    if (!agent) throw new ApiError('AGENT_NOT_FOUND');
    const summary = agentSummary(snapshot, agent);
    const memory = snapshot.get('memory', agentId);
    const beacon = beaconFacts(snapshot, agentId, summary.beacon);
    const orders = snapshot.list('order', 'orders-by-agent', {
      value: agentId,
      limit: RECENT_ORDERS,
    });
    const { messagesSent, messagesReceived, messagesAcknowledged } = agentStatsOf(
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
        ['agent', 'authority', 'account', 'agent-stats', 'work-stats', 'beacon', 'memory'].map(
          (collection) => `${collection}/${agentId}`,
        ),
      ),
      nextActions: agentNextActions(snapshot, agentId),
      links: {
        agent: `/v1/agents/${agentId}`,
        dossier: `/v1/agents/${agentId}/decision-dossier`,
        match: `/v1/agents/${agentId}/work-match`,
        lineage: `/v1/agent-lineage/${agentId}`,
        messages: `/v1/agent-messages?agentId=${agentId}`,
        orders: `/v1/work-orders?agentId=${agentId}`,
        requested: `/v1/events?agent=${agentId}&type=WorkOrderCreated`,
        events: `/v1/events?agent=${agentId}`,
      },
    };
  },
});

function workFacts(
  snapshot: Snapshot,
  agentId: string,
  orders: { items: WorkOrderRecord[]; next: unknown },
): Static<typeof Work> {
  const stats = workStatsOf(snapshot, agentId);
  const { timeouts, released, disputesLost, requested } = stats;
  return {
    open: stats.openOrders,
    unfinished: stats.unfinishedOrders,
    verified: stats.verifiedOrders,
    timeouts,
    released,
    disputesLost,
    requested,
    recent: orders.items.map(orderLine),
    truncated: orders.next !== null,
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
    links: { order: `/v1/work-orders/${orderId}` },
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
  const { handovers, finalizedHandovers } = agentStatsOf(snapshot, agentId);
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
  const { height, timestamp } = snapshot.block.header;
  return guardiansInForce(recovery, { height, time: timestampToMs(timestamp) });
}
