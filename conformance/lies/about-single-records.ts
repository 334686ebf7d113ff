/** Lies about one agent, one order or one token. */
import type { RequirementId } from '../requirements.ts';
import {
  addOne,
  at,
  code,
  dropFirst,
  empty,
  flipHash,
  missing,
  not,
  status,
  twice,
} from './lie.ts';
import type { Lie } from './lie.ts';

const OPERATIONS = 'GET /v1/agents/*/operations';
const DOSSIER = 'GET /v1/agents/*/decision-dossier';
const LINEAGE = 'GET /v1/agent-lineage/*';
const MATCH = 'GET /v1/agents/*/work-match';
const ORDER = 'GET /v1/work-orders/*';
const BRIEF = 'GET /v1/work-orders/*/brief';
const AUDIT = 'GET /v1/work-orders/*/audit';
const CUSTOM_TOKEN = 'GET /v1/tokens/*';
const SEEDING = 'GET /v1/agent-seeding';
const OPPORTUNITIES = 'GET /v1/agent-opportunities';

/** Lies about the 404 and the code for a missing record. */
const notFound = (place: string, name: string, requirement: RequirementId): Lie[] => [
  status(place, [404, 200], [requirement]),
  code(place, name, [requirement]),
];

export const SINGLE_RECORD_LIES: readonly Lie[] = [
  at('/agent/status', OPERATIONS, ['get.agent.operations'], () => 'revoked'),
  at('/agent/publicKeyHash', OPERATIONS, ['get.agent.operations'], flipHash),
  at('/reserve/balance', OPERATIONS, ['operations.reserve'], addOne),
  at('/reserve/earned', OPERATIONS, ['operations.reserve'], addOne),
  at('/reserve', OPERATIONS, ['operations.reserve'], ['missing', missing]),
  at('/work/verified', OPERATIONS, ['operations.work'], addOne),
  at('/work/unfinished', OPERATIONS, ['operations.work'], addOne),
  at('/work/timeouts', OPERATIONS, ['operations.work'], addOne),
  at('/work/disputesLost', OPERATIONS, ['operations.work'], addOne),
  at('/work/requested/paid', OPERATIONS, ['operations.work'], addOne),
  at('/work/recent/*/status', OPERATIONS, ['operations.work'], () => 'REJECTED'),
  at('/work/recent/*/funding', OPERATIONS, ['operations.work'], addOne),
  at('/work/recent', OPERATIONS, ['operations.work'], ['empty', empty]),
  at('/messages/waiting', OPERATIONS, ['operations.messages'], addOne),
  at('/messages/sent', OPERATIONS, ['operations.messages'], addOne),
  at('/messages/received', OPERATIONS, ['operations.messages'], addOne),
  at('/continuity/checkpoints', OPERATIONS, ['operations.continuity'], addOne),
  at('/beacon/lastSequence', OPERATIONS, ['operations.beacons'], addOne),
  at('/integrity/valid', OPERATIONS, ['operations.integrity'], not),
  at('/integrity/checks', OPERATIONS, ['operations.integrity'], ['empty', empty]),
  at('/snapshot/stateRoot', OPERATIONS, ['get.agent.operations'], flipHash),
  at('/links', OPERATIONS, ['operations.links'], ['empty', () => ({})]),
  ...notFound(OPERATIONS, 'AGENT_NOT_FOUND', 'error.agent-operations-404'),

  at('/evidence/dossierHash', DOSSIER, ['get.agent.dossier'], flipHash),
  at('/identity/roles', DOSSIER, ['dossier.identity'], () => ['OPERATOR']),
  at('/identity/authorityActive', DOSSIER, ['dossier.identity'], not),
  at('/identity/agent/agentId', DOSSIER, ['dossier.identity'], () => 'another-agent'),
  at('/work/standing/verifiedOrders', DOSSIER, ['get.agent.dossier'], addOne),
  at('/lineage/referrals', DOSSIER, ['dossier.lineage'], addOne),
  at('/lineage/referrer', DOSSIER, ['dossier.lineage'], ['absent', () => null]),
  at('/continuity/memoryGeneration', DOSSIER, ['dossier.continuity'], addOne),
  at('/claims/lastSequence', DOSSIER, ['dossier.claims'], addOne),
  at('/activity/events', DOSSIER, ['dossier.activity'], ['empty', empty]),
  at('/snapshot/blockHash', DOSSIER, ['dossier.one-snapshot'], flipHash),
  at('/height', DOSSIER, ['dossier.one-snapshot'], addOne),
  ...notFound(DOSSIER, 'AGENT_NOT_FOUND', 'error.agent-dossier-404'),

  at('/ancestors/edges', LINEAGE, ['lineage.edges'], ['empty', empty]),
  at('/descendants/edges', LINEAGE, ['lineage.edges'], ['told twice', twice]),
  at('/ancestors/edges/*/status', LINEAGE, ['lineage.qualification'], () => 'unknown'),
  at('/ancestors/edges/*/qualification', LINEAGE, ['lineage.qualification'], () => ({
    orderId: 'x',
  })),
  at('/agent/reserve/balance', LINEAGE, ['lineage.reserves'], addOne),
  at('/ancestors/nodes/*/reserve/earned', LINEAGE, ['lineage.reserves'], addOne),
  at('/agent/referrals/total', LINEAGE, ['get.agent-lineage'], addOne),
  at('/integrity/valid', LINEAGE, ['lineage.integrity'], not),
  ...notFound(LINEAGE, 'AGENT_NOT_FOUND', 'error.agent-lineage-404'),

  at('/evidence/workMatchHash', MATCH, ['get.agent.work-match'], flipHash),
  at('/standing/earned', MATCH, ['get.agent.work-match'], addOne),
  at('/matches', MATCH, ['get.agent.work-match'], ['empty', empty]),
  ...notFound(MATCH, 'AGENT_NOT_FOUND', 'error.agent-work-match-404'),

  at('/order/status', ORDER, ['get.work-order'], () => 'PAID'),
  at('/order/funding', ORDER, ['get.work-order'], addOne),
  at('/order/scopeHash', ORDER, ['get.work-order'], flipHash),
  at('/order/deadline', ORDER, ['get.work-order'], ['none', () => null]),
  ...notFound(ORDER, 'WORK_ORDER_NOT_FOUND', 'error.order-404'),

  at('/order/funding', BRIEF, ['brief.facts'], addOne),
  at('/order/scopeHash', BRIEF, ['brief.facts'], flipHash),
  at('/availability/acceptable', BRIEF, ['brief.availability'], not),
  at('/availability/state', BRIEF, ['brief.availability'], () => 'OVERDUE'),
  at('/acceptWork', BRIEF, ['brief.accept-shape'], ['none', () => null]),
  at('/verification/requiredAccepts', BRIEF, ['get.work-order.brief'], addOne),
  at('/verification/activeVerifiers', BRIEF, ['get.work-order.brief'], addOne),
  at('/boundaries', BRIEF, ['brief.boundaries'], ['empty', empty]),
  ...notFound(BRIEF, 'WORK_ORDER_NOT_FOUND', 'error.order-brief-404'),

  at('/reportHash', AUDIT, ['get.work-order.audit'], flipHash),
  at('/order/workerId', AUDIT, ['audit.record'], () => 'another-agent'),
  at('/order/result/deliverableHash', AUDIT, ['audit.result'], flipHash),
  at('/votes/accepts', AUDIT, ['audit.votes'], addOne),
  at('/order/verification/votes', AUDIT, ['audit.votes'], ['empty', empty]),
  at('/receipt/receipt', AUDIT, ['audit.receipt'], ['invented', () => ({ paid: 1 })]),
  at('/timeline/events', AUDIT, ['audit.timeline'], ['without the first', dropFirst]),
  at('/timeline/events/*/data', AUDIT, ['audit.timeline'], ['empty', () => ({})]),
  at('/timeline/events/*/eventHash', AUDIT, ['audit.timeline'], flipHash),
  at('/timeline/events/*/proof/treeSize', AUDIT, ['audit.timeline'], addOne),
  at('/timeline/events/*/block/blockHash', AUDIT, ['audit.commitments'], flipHash),
  at('/timeline/events/*/block/eventsRoot', AUDIT, ['audit.commitments'], flipHash),
  at('/timeline/events/*/block/certificateHash', AUDIT, ['audit.commitments'], flipHash),
  at('/timeline/events/*/block/timestamp', AUDIT, ['audit.commitments'], () => 'yesterday'),
  at('/integrity/valid', AUDIT, ['audit.integrity'], not),
  ...notFound(AUDIT, 'WORK_ORDER_NOT_FOUND', 'error.order-audit-404'),

  ...notFound(CUSTOM_TOKEN, 'TOKEN_NOT_FOUND', 'error.token-404'),
  at('/evidence/seedHash', SEEDING, ['fingerprint.seedHash'], flipHash),
  at('/inviter/verified', SEEDING, ['get.agent-seeding.inviter'], not),
  at(
    '/evidence/opportunityIndexHash',
    OPPORTUNITIES,
    ['fingerprint.opportunityIndexHash'],
    flipHash,
  ),
  at('/opportunityIndexHash', OPPORTUNITIES, ['fingerprint.opportunityIndexHash'], flipHash),
];
