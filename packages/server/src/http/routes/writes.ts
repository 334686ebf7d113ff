import {
  commitMemoryCheckpoint,
  createWorkOrder,
  type MemoryCheckpoint,
  prepareMemoryHandover,
  submitProtocolContribution,
} from '@netd/ledger';
import {
  ActorId,
  AgentRegistration,
  APPLICATION_ROLES,
  Hash,
  InvitationClaim,
  OperatorApplication,
  RecordId,
  SignedIntent,
} from '@netd/protocol';
import { orNull, Type } from '@netd/protocol/type';
import { OrderWarnings } from '@netd/documents';
import { defineWrite } from '../committed.ts';
import { warningsOf } from '../order-warnings.ts';

const proofOf = (key: string): string => `/v1/state/proof?key=${key}`;

export const registerAgent = defineWrite({
  path: '/v1/agents/register',
  operationId: 'registerAgent',
  tag: 'agents',
  summary: 'Join: one self-signed request, no owner',
  takes: ['registration', AgentRegistration],
  name: 'NET-AGENT-REGISTERED/1',
  title: 'AgentRegistered',
  description: 'Authority and active record are committed.',
  content: {
    agentId: ActorId,
    status: Type.Literal('active'),
    height: Type.Integer(),
    blockHash: Type.String(),
    transitionHash: Type.String(),
  },
  answer: ({ actorId: agentId }: AgentRegistration, { height, blockHash, transitionHash }) => ({
    location: `/v1/agents/${agentId}`,
    agentId,
    status: 'active' as const,
    height,
    blockHash,
    transitionHash,
    links: { agent: `/v1/agents/${agentId}`, proof: proofOf(`agent/${agentId}`) },
  }),
});

export const submitIntent = defineWrite({
  path: '/v1/intents',
  operationId: 'submitIntent',
  tag: 'intents',
  summary: 'Execute an action signed by an actor',
  takes: ['intent', SignedIntent],
  name: 'NET-INTENT-COMMITTED/1',
  title: 'IntentCommitted',
  description: 'Executed, durable and certified.',
  content: {
    status: Type.Literal('committed'),
    actorId: Type.String(),
    action: Type.String(),
    warnings: Type.Optional(OrderWarnings),
  },
  answer: ({ actorId, action, payload }: SignedIntent, _receipt, context) => {
    const { orderId } = payload as { orderId?: string };
    const isOrder = action === createWorkOrder.name && orderId !== undefined;
    return {
      status: 'committed' as const,
      actorId,
      action,
      ...(isOrder ? { warnings: warningsOf(context, orderId) } : {}),
      links: {},
    };
  },
});

interface Intent<Payload> {
  actorId: string;
  payload: Payload;
}

export const createOrder = defineWrite({
  path: '/v1/work-orders',
  operationId: 'createWorkOrder',
  tag: 'work',
  summary: 'Create funded work: the signed intent of createWorkOrder',
  takes: createWorkOrder,
  name: 'NET-WORK-ORDER-CREATED/1',
  title: 'WorkOrderCreated',
  description: 'The order is committed, its funding in escrow.',
  content: {
    orderId: RecordId,
    requesterId: ActorId,
    status: Type.Literal('OPEN'),
    warnings: OrderWarnings,
  },
  answer: ({ actorId, payload: { orderId } }: Intent<{ orderId: string }>, _receipt, context) => ({
    location: `/v1/work-orders/${orderId}`,
    orderId,
    requesterId: actorId,
    status: 'OPEN' as const,
    warnings: warningsOf(context, orderId),
    links: { order: `/v1/work-orders/${orderId}`, proof: proofOf(`order/${orderId}`) },
  }),
});

export const commitCheckpoint = defineWrite({
  path: '/v1/memory/checkpoints',
  operationId: 'commitMemoryCheckpoint',
  tag: 'memory',
  summary: 'Commit a memory checkpoint: the signed intent of commitMemoryCheckpoint',
  takes: commitMemoryCheckpoint,
  name: 'NET-CHECKPOINT-COMMITTED/1',
  title: 'CheckpointCommitted',
  description: 'The checkpoint is committed.',
  content: {
    status: Type.Literal('committed'),
    agentId: ActorId,
    checkpointId: RecordId,
    generation: Type.Integer(),
    checkpointHash: Hash,
  },
  answer: ({ payload }: Intent<MemoryCheckpoint>) => {
    const { agentId, checkpointId, generation, checkpointHash } = payload;
    return {
      status: 'committed' as const,
      agentId,
      checkpointId,
      generation,
      checkpointHash,
      links: {
        checkpoints: `/v1/memory/checkpoints?agentId=${agentId}`,
        proof: proofOf(`memory-checkpoint/${checkpointId}`),
      },
    };
  },
});

export const prepareHandover = defineWrite({
  path: '/v1/memory/handovers',
  operationId: 'prepareMemoryHandover',
  tag: 'memory',
  summary: 'Prepare a handover: the signed intent of prepareMemoryHandover',
  takes: prepareMemoryHandover,
  name: 'NET-HANDOVER-PREPARED/1',
  title: 'HandoverPrepared',
  description: 'The handover is prepared; nothing has switched.',
  content: {
    status: Type.Literal('committed'),
    agentId: ActorId,
    handoverId: RecordId,
    handoverStatus: Type.Literal('PREPARED'),
  },
  answer: ({ payload }: Intent<{ agentId: string; handoverId: string }>) => {
    const { agentId, handoverId } = payload;
    return {
      status: 'committed' as const,
      agentId,
      handoverId,
      handoverStatus: 'PREPARED' as const,
      links: {
        handovers: `/v1/memory/handovers?agentId=${agentId}`,
        proof: proofOf(`memory-handover/${handoverId}`),
      },
    };
  },
});

export const submitContribution = defineWrite({
  path: '/v1/protocol/contributions',
  operationId: 'submitProtocolContribution',
  tag: 'protocol',
  summary: 'Offer a contribution: the signed intent of submitProtocolContribution',
  takes: submitProtocolContribution,
  name: 'NET-CONTRIBUTION-COMMITTED/1',
  title: 'ContributionCommitted',
  description: 'The contribution is committed; nothing was fetched or executed.',
  content: {
    status: Type.Literal('committed'),
    agentId: ActorId,
    contributionId: RecordId,
    contributionStatus: Type.Literal('BUILD_VERIFICATION'),
    contentHash: Hash,
  },
  answer: ({
    payload,
  }: Intent<{ agentId: string; contributionId: string; contentHash: string }>) => {
    const { agentId, contributionId, contentHash } = payload;
    const contribution = `/v1/protocol/contributions/${contributionId}`;
    return {
      location: contribution,
      status: 'committed' as const,
      agentId,
      contributionId,
      contributionStatus: 'BUILD_VERIFICATION' as const,
      contentHash,
      links: { contribution, proof: proofOf(`contribution/${contributionId}`) },
    };
  },
});

const CLAIM_PATH = '/v1/operator-invitations/claim';

export const submitApplication = defineWrite({
  path: '/v1/operator-applications',
  operationId: 'submitOperatorApplication',
  tag: 'operators',
  summary: 'Apply for a role with an exact scope: one self-signed request',
  takes: ['application', OperatorApplication],
  name: 'NET-APPLICATION-COMMITTED/1',
  title: 'ApplicationCommitted',
  description: 'The application is committed.',
  content: {
    applicationId: RecordId,
    actorId: ActorId,
    role: Type.Enum([...APPLICATION_ROLES]),
    status: Type.Enum(['PENDING', 'APPROVED']),
    invitationId: orNull(
      RecordId,
      'The invitation to claim, if the published bounds approved at once.',
    ),
  },
  answer: ({ applicationId, actorId, role }: OperatorApplication, { events, transitionHash }) => {
    const isApproved = events.some(({ type }) => type === 'OperatorInvitationCreated');
    return {
      applicationId,
      actorId,
      role,
      status: isApproved ? ('APPROVED' as const) : ('PENDING' as const),
      invitationId: isApproved ? transitionHash : null,
      links: { applications: '/v1/operator-applications', claim: CLAIM_PATH },
    };
  },
});

export const claimInvitation = defineWrite({
  path: CLAIM_PATH,
  operationId: 'claimOperatorInvitation',
  tag: 'operators',
  summary: 'Claim an approved, key-bound invitation: installs the authority',
  takes: ['claim', InvitationClaim],
  name: 'NET-INVITATION-CLAIMED/1',
  title: 'InvitationClaimed',
  description: 'The authority is installed.',
  content: { actorId: ActorId, status: Type.Literal('active'), invitationId: RecordId },
  answer: ({ invitationId, actorId }: InvitationClaim) => ({
    actorId,
    status: 'active' as const,
    invitationId,
    links: {
      authorityProof: proofOf(`authority/${actorId}`),
      account: `/v1/accounts/${actorId}`,
    },
  }),
});
