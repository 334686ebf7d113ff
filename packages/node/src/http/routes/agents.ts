import { AgentBeacon, type BeaconRecord } from '@netd/ledger';
import { ActorId, AgentRegistration, ChainPosition, Receipt } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { AgentDocument, agentDocument, AgentSummary, agentSummary } from '../../documents/agent.ts';
import { documentHead, snapshotFacts } from '../../documents/facts.ts';
import type { Routes } from '../context.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { sendProblem } from '../problem.ts';
import {
  DEFAULT_PAGE_SIZE,
  documentSchema,
  found,
  NextCursor,
  pageQuery,
  problems,
  SnapshotFacts,
} from '../schemas.ts';
import { submitEnvelope } from '../submit.ts';

const AgentsQuery = Type.Object(pageQuery());
const AgentParams = Type.Object({ agentId: ActorId });
const ReferralsQuery = Type.Object({
  referrer: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only what this agent recruited.' }),
  ),
  ...pageQuery(),
});
const DiscoveryQuery = Type.Object({
  agentId: Type.Optional(Type.String({ maxLength: 64 })),
  capability: Type.Optional(
    Type.String({ maxLength: 128, description: 'Exactly as in the beacon.' }),
  ),
  protocol: Type.Optional(
    Type.String({ maxLength: 128, description: 'Exactly as in the beacon.' }),
  ),
  ...pageQuery(),
});

const AgentList = documentSchema(
  'NET-AGENT-REGISTRY/1',
  {
    total: Type.Integer({ description: 'Agents ever registered.' }),
    active: Type.Integer(),
    agents: Type.Array(AgentSummary, { description: 'Newest first.' }),
    nextCursor: NextCursor,
  },
  'The public agent registry.',
);

const ReferralList = documentSchema(
  'NET-REFERRAL-REGISTRY/1',
  {
    total: Type.Integer({ description: 'All referrals, whatever the filter.' }),
    referrals: Type.Array(
      Type.Object(
        {
          agentId: ActorId,
          referrerAgentId: ActorId,
          status: Type.Enum(['pending', 'qualified']),
          registeredAt: ChainPosition,
          qualifyingTransitionHash: Type.Union([Type.String(), Type.Null()]),
          qualifyingOrderId: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: false },
      ),
      { description: 'Newest first.' },
    ),
    nextCursor: NextCursor,
  },
  'Referrals: pending until verified paid work qualifies them.',
);

const DiscoveryList = documentSchema(
  'NET-AGENT-DISCOVERY/1',
  {
    snapshot: SnapshotFacts,
    beacons: Type.Array(AgentBeacon, {
      description:
        'Current beacons as signed, newest first. With several filters a page may hold fewer than limit and still go on.',
    }),
    nextCursor: NextCursor,
  },
  'Current beacons of active agents.',
);

const Registered = Type.Object(
  {
    agentId: ActorId,
    status: Type.Literal('active'),
    height: Type.Integer(),
    blockHash: Type.String(),
    transitionHash: Type.String(),
    receipt: Receipt,
    links: Type.Object(
      { agent: Type.String(), transition: Type.String(), proof: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'Authority and active record are committed.' },
);

export const agentRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof AgentsQuery> }>(
    '/v1/agents',
    {
      schema: {
        operationId: 'listAgents',
        tags: ['agents'],
        summary: 'The public agent registry',
        querystring: AgentsQuery,
        response: { ...found(AgentList), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor } = request.query;
      const below = readCursor('agents', {}, cursor);
      return context.document(request, reply, (snapshot) => {
        const page = snapshot.list('agent', 'agents', { below, limit });
        return {
          ...documentHead(snapshot, 'NET-AGENT-REGISTRY/1'),
          total: snapshot.get('counter', 'agents') ?? 0,
          active: snapshot.get('counter', 'active-agents') ?? 0,
          agents: page.items.map((agent) => agentSummary(snapshot, agent)),
          nextCursor: makeCursor('agents', {}, page.next),
        };
      });
    },
  );

  app.post(
    '/v1/agents/register',
    {
      schema: {
        operationId: 'registerAgent',
        tags: ['agents'],
        summary: 'Join: one self-signed request, no owner',
        body: AgentRegistration,
        response: { 201: Registered, ...problems(409, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitEnvelope(context, request, 'registration');
      const { height, blockHash, transitionHash } = receipt;
      const agentId = (envelope as unknown as AgentRegistration).actorId;
      const answer: Static<typeof Registered> = {
        agentId,
        status: 'active',
        height,
        blockHash,
        transitionHash,
        receipt,
        links: {
          agent: `/v1/agents/${agentId}`,
          transition: `/v1/transitions/${transitionHash}`,
          proof: `/v1/state/proof?key=agent/${agentId}`,
        },
      };
      return context.local(reply.header('location', answer.links.agent), answer, 201);
    },
  );

  app.get<{ Params: Static<typeof AgentParams> }>(
    '/v1/agents/:agentId',
    {
      schema: {
        operationId: 'getAgent',
        tags: ['agents'],
        summary: 'All that is public about one agent',
        params: AgentParams,
        response: { ...found(AgentDocument), ...problems(404) },
      },
    },
    (request, reply) => {
      const { agentId } = request.params;
      return context.read((snapshot) => snapshot.get('agent', agentId)) === undefined
        ? sendProblem(reply, 'AGENT_NOT_FOUND')
        : context.document(request, reply, (snapshot) => agentDocument(snapshot, agentId));
    },
  );

  app.get<{ Querystring: Static<typeof ReferralsQuery> }>(
    '/v1/referrals',
    {
      schema: {
        operationId: 'listReferrals',
        tags: ['agents'],
        summary: 'Pending and qualified referral records',
        querystring: ReferralsQuery,
        response: { ...found(ReferralList), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor, referrer } = request.query;
      const filters = { referrer: referrer ?? null };
      const below = readCursor('referrals', filters, cursor);
      return context.document(request, reply, (snapshot) => {
        const page =
          referrer === undefined
            ? snapshot.list('referral', 'referrals', { below, limit })
            : snapshot.list('referral', 'referrals-by-referrer', { value: referrer, below, limit });
        return {
          ...documentHead(snapshot, 'NET-REFERRAL-REGISTRY/1'),
          total: snapshot.get('counter', 'referrals') ?? 0,
          referrals: page.items,
          nextCursor: makeCursor('referrals', filters, page.next),
        };
      });
    },
  );

  app.get<{ Querystring: Static<typeof DiscoveryQuery> }>(
    '/v1/discovery',
    {
      schema: {
        operationId: 'discoverAgents',
        tags: ['agents'],
        summary: 'Current beacons, by agent, capability and protocol',
        querystring: DiscoveryQuery,
        response: { ...found(DiscoveryList), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor, agentId, capability, protocol } = request.query;
      const filters = {
        agentId: agentId ?? null,
        capability: capability ?? null,
        protocol: protocol ?? null,
      };
      const below = readCursor('discovery', filters, cursor);
      // An agent has one beacon; else the list of the most selective filter, the others record by record.
      const [list, value] =
        capability !== undefined
          ? ['beacons-by-capability', capability]
          : protocol !== undefined
            ? ['beacons-by-protocol', protocol]
            : ['beacons', ''];
      return context.document(request, reply, (snapshot) => {
        const keep = ({ beacon, agentId: publisher }: BeaconRecord): boolean =>
          beacon !== null &&
          beacon.expiresAtHeight >= snapshot.height &&
          (capability === undefined || beacon.capabilities.includes(capability)) &&
          (protocol === undefined || beacon.protocols.includes(protocol)) &&
          snapshot.get('agent', publisher)?.status === 'active';
        const page =
          agentId === undefined
            ? snapshot.list('beacon', list, { value, below, limit, keep })
            : {
                items: [snapshot.get('beacon', agentId)].filter((it) => it && keep(it)),
                next: null,
              };
        return {
          ...documentHead(snapshot, 'NET-AGENT-DISCOVERY/1'),
          snapshot: snapshotFacts(snapshot),
          beacons: page.items.map((record) => record?.beacon),
          nextCursor: makeCursor('discovery', filters, page.next),
        };
      });
    },
  );
};
