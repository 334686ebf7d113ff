/** Lies about counts, lists and conclusions. */
import type { RequirementId } from '../requirements.ts';
import { addOne, at, dropFirst, empty, flipHash, missing, not, twice, type Lie } from './lie.ts';

/** Lies for every registry: a missing entry, an extra one, another name, another block. */
function registryLies(
  path: string,
  requirement: RequirementId,
  list: string,
  { id, changed, total = true }: { id: string; changed: readonly string[]; total?: boolean },
): Lie[] {
  const place = `GET ${path}`;
  const breaks = [requirement];
  return [
    at(`/${list}`, place, breaks, ['without its first', dropFirst]),
    at(`/${list}`, place, breaks, ['beginning twice', twice]),
    at(`/${list}/0/${id}`, place, breaks, () => 'another-agent'),
    ...changed.map((name) => at(`/${list}/0/${name}`, place, breaks, otherThan)),
    ...(total ? [at('/total', place, breaks, addOne)] : []),
    at('/snapshot/stateRoot', place, breaks, flipHash),
    at('/snapshot/certificateHash', place, breaks, flipHash),
    at('/height', place, breaks, addOne),
    at('/chainId', place, breaks, () => 'another-chain'),
    at('/nextCursor', place, breaks, ['missing', missing]),
  ];
}

/** Returns a different value of the same type. */
const otherThan: Parameters<typeof at>[3] = (value) => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? [...value, 'x'] : 'x';
};

/** Lies for every document about a block. */
function snapshotLies(path: string, requirement: RequirementId): Lie[] {
  const place = `GET ${path}`;
  return [
    at('/snapshot/stateRoot', place, [requirement], flipHash),
    at('/snapshot/blockHash', place, [requirement], flipHash),
    at('/height', place, [requirement], addOne),
    at('/schema', place, [requirement], () => 'NET-SOMETHING/1'),
  ];
}

const STARTUP = 'GET /v1/agent-startup';
const TRUST = 'GET /v1/agent-trust';
const GROWTH = 'GET /v1/agent-growth';
const READINESS = 'GET /v1/mainnet/readiness';
const VALIDATION = 'GET /v1/validation';
const TOKENOMICS = 'GET /v1/tokenomics';
const TOPOLOGY = 'GET /v1/topology';

export const DOCUMENT_LIES: readonly Lie[] = [
  at('/replicas', 'GET /v1/replicas', ['get.replicas'], ['denied', empty]),
  ...registryLies('/v1/agents', 'get.agents', 'agents', {
    id: 'agentId',
    changed: ['status', 'publicKeyHash', 'registeredAt/height', 'description', 'referrerAgentId'],
  }),
  at('/active', 'GET /v1/agents', ['get.agents'], addOne),
  ...registryLies('/v1/referrals', 'get.referrals', 'referrals', {
    id: 'agentId',
    changed: ['status', 'referrerAgentId', 'qualifyingOrderId'],
  }),
  ...registryLies('/v1/discovery', 'get.discovery', 'beacons', {
    id: 'agentId',
    changed: ['endpoint', 'capabilities', 'metadataHash', 'sequence', 'expiresAtHeight'],
    total: false,
  }),
  ...registryLies('/v1/agent-directory', 'get.agent-directory', 'agents', {
    id: 'agentId',
    changed: ['endpoint', 'capabilities', 'verifiedOrders', 'unfinishedOrders', 'status'],
    total: false,
  }),
  at('/activeAgents', 'GET /v1/agent-directory', ['get.agent-directory'], addOne),
  ...registryLies('/v1/agent-messages', 'get.agent-messages', 'messages', {
    id: 'messageId',
    changed: ['contentHash', 'status', 'toAgentId', 'sequence', 'expiresAtHeight', 'kind'],
    total: false,
  }),
  at('/committed', 'GET /v1/agent-messages', ['get.agent-messages'], addOne),
  ...registryLies('/v1/memory/checkpoints', 'get.memory.checkpoints', 'checkpoints', {
    id: 'checkpointId',
    changed: ['checkpointHash', 'generation', 'stateRoot', 'storageReplicas', 'byteLength'],
  }),
  ...registryLies('/v1/memory/handovers', 'get.memory.handovers', 'handovers', {
    id: 'handoverId',
    changed: ['status', 'targetRuntimeId', 'generation'],
  }),
  at('/finalized', 'GET /v1/memory/handovers', ['get.memory.handovers'], addOne),
  ...registryLies('/v1/operator-applications', 'get.operator-applications', 'applications', {
    id: 'applicationId',
    changed: ['status', 'role', 'publicKeyHash', 'expiresAtHeight'],
  }),
  ...registryLies('/v1/work-orders', 'get.work-orders', 'orders', {
    id: 'orderId',
    changed: ['status', 'funding', 'requesterId', 'scopeHash', 'deadline/time', 'phase', 'title'],
    total: false,
  }),
  at('/byStatus/OPEN', 'GET /v1/work-orders', ['get.work-orders'], addOne),
  ...registryLies('/v1/agent-opportunities', 'get.agent-opportunities', 'opportunities', {
    id: 'orderId',
    changed: ['funding', 'scopeHash', 'acceptBy/height', 'requesterId', 'requirements'],
  }),
  ...registryLies('/v1/tokens', 'get.tokens', 'tokens', {
    id: 'tokenId',
    changed: ['supply', 'supplyCap', 'holders', 'creatorId', 'mintAuthority'],
  }),
  ...registryLies('/v1/protocol/contributions', 'get.contributions', 'contributions', {
    id: 'contributionId',
    changed: ['status', 'authorId', 'contentHash', 'license', 'reviews'],
  }),
  ...registryLies('/v1/nodes', 'get.nodes', 'nodes', {
    id: 'agentId',
    changed: ['heartbeat/observedHeight', 'heartbeat/observedStateRoot', 'heartbeat/sequence'],
  }),

  ...snapshotLies('/v1/agent-startup', 'get.agent-startup'),
  ...snapshotLies('/v1/agent-trust', 'get.agent-trust'),
  ...snapshotLies('/v1/agent-growth', 'get.agent-growth'),
  ...snapshotLies('/v1/mainnet/readiness', 'get.mainnet-readiness'),
  ...snapshotLies('/v1/validation', 'get.validation'),
  ...snapshotLies('/v1/tokenomics', 'get.tokenomics'),
  ...snapshotLies('/v1/topology', 'get.topology'),

  at('/participation/agents/active', STARTUP, ['get.agent-startup.participation'], addOne),
  at('/participation/workOrders/paid', STARTUP, ['get.agent-startup.participation'], addOne),
  at('/participation/messages/live', STARTUP, ['get.agent-startup.participation'], addOne),
  at('/participation/referrals/qualified', STARTUP, ['get.agent-startup.participation'], addOne),
  at('/integrity/valid', STARTUP, ['get.agent-startup.integrity'], not),
  at('/integrity/checks/0/pass', STARTUP, ['get.agent-startup.integrity'], not),
  at('/integrity/checks', STARTUP, ['get.agent-startup.integrity'], ['one less', dropFirst]),
  at('/integrity/checks', STARTUP, ['get.agent-startup.integrity'], ['empty', empty]),
  at('/network/genesisHash', STARTUP, ['get.agent-startup'], flipHash),
  at('/nextActions', STARTUP, ['get.agent-startup.next-actions'], ['empty', empty]),
  at('/nextActions/0/envelope', STARTUP, ['get.agent-startup.next-actions'], ['missing', missing]),
  at('/nextActions/0/endpoint', STARTUP, ['get.agent-startup.next-actions'], () => '/v1/nowhere'),
  at('/boundaries', STARTUP, ['get.agent-startup.safety'], ['empty', empty]),

  at('/reportHash', TRUST, ['get.agent-trust'], flipHash),
  at('/checks/0/pass', TRUST, ['get.agent-trust'], not),
  at('/checks', TRUST, ['get.agent-trust'], ['one less', dropFirst]),
  at('/summary/integrity', TRUST, ['get.agent-trust'], not),
  at('/summary/failed', TRUST, ['get.agent-trust'], ['empty', empty]),
  at('/participation/agents/registered', TRUST, ['get.agent-trust'], addOne),
  at('/finality/toleratedFaults', TRUST, ['get.agent-trust'], addOne),
  at('/comparison/recentBlocks/0/blockHash', TRUST, ['get.agent-trust'], flipHash),
  at('/comparison/recentBlocks', TRUST, ['get.agent-trust'], ['empty', empty]),

  at('/evidence/growthHash', GROWTH, ['fingerprint.growthHash'], flipHash),
  at('/growthHash', GROWTH, ['fingerprint.growthHash'], ['missing', missing]),
  at('/agents/active', GROWTH, ['get.agent-growth'], addOne),
  at('/referrals/total', GROWTH, ['get.agent-growth'], addOne),
  at('/verifiedPaidOrders', GROWTH, ['get.agent-growth'], addOne),

  at('/gates/*/pass', READINESS, ['get.mainnet-readiness'], ['true', () => true]),
  at('/gates/1/required', READINESS, ['get.mainnet-readiness'], ['zero', () => 0]),
  at('/gates/8/actual', READINESS, ['get.mainnet-readiness'], addOne),
  at('/gates', READINESS, ['get.mainnet-readiness'], ['without secure mode', dropFirst]),
  at('/gates', READINESS, ['get.mainnet-readiness'], (gates) =>
    Array.isArray(gates) ? gates.filter((gate) => JSON.stringify(gate).includes('true')) : gates,
  ),
  at('/ready', READINESS, ['get.mainnet-readiness'], not),
  at('/readinessHash', READINESS, ['get.mainnet-readiness'], flipHash),

  at('/policy/verificationFeeBps', VALIDATION, ['get.validation'], addOne),
  at('/policy/verifyWithin/heights', VALIDATION, ['get.validation'], addOne),
  at('/actual/paidOrders', VALIDATION, ['get.validation'], addOne),
  at('/actual/activeVerifiers', VALIDATION, ['get.validation'], addOne),
  at('/actual/operatorGroups', VALIDATION, ['get.validation'], addOne),
  at('/defaultPolicy/committeeSize', VALIDATION, ['get.validation'], addOne),

  at('/cumulativeTotals/0/amount', TOKENOMICS, ['get.tokenomics'], addOne),
  at('/cumulativeTotals', TOKENOMICS, ['get.tokenomics'], ['empty', empty]),
  at('/issuance/byRule/minted', TOKENOMICS, ['get.tokenomics'], addOne),
  at('/supply/classes/0/ppm', TOKENOMICS, ['get.tokenomics'], addOne),
  at('/faucet/left', TOKENOMICS, ['get.tokenomics'], addOne),
  at('/fees/escrow', TOKENOMICS, ['get.tokenomics'], addOne),
  at('/evidence/proofs/0', TOKENOMICS, ['get.tokenomics'], () => '/v1/state/proof?key=supply/none'),

  at('/consensus/validators', TOPOLOGY, ['get.topology'], ['empty', empty]),
  at('/consensus/quorum', TOPOLOGY, ['get.topology'], addOne),
  at('/totals/nodesReporting', TOPOLOGY, ['get.topology'], addOne),
  at('/nodes/items', TOPOLOGY, ['get.topology'], ['empty', empty]),
  at('/nodes/items/0/agentId', TOPOLOGY, ['get.topology'], () => 'another-agent'),
];
