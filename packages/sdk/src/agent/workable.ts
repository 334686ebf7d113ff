/** Refuses orders that could never be verified. The chain accepts many of them, because scopes are off chain. */
import {
  provableAcceptance,
  unjudgeableConditions,
  type JudgingMeans,
  type WorkScope,
} from '@netd/formats';
import { DEFAULT_CONDITION_KINDS, OPERATOR_GROUP_PREFIX } from '@netd/protocol';
import type { NetClient, Simulation } from '../client.ts';
import { AgentError } from './agent-error.ts';
import type { AgentParts, WorkOrder } from './parts.ts';

type Reads = { retryingClient: Pick<NetClient, 'read'> };
interface WorkableParts {
  agentId: string;
  retryingClient: Pick<AgentParts['retryingClient'], 'read' | 'proves' | 'state'>;
  peers: Pick<AgentParts['peers'], 'hasBlob'>;
}
type Warning = Simulation['warnings'][number];

/**
 * Refuses an order if no committee could accept a result, or no store has an input.
 * @param scope null if it is unreadable here
 * @param sealed true if verifiers accept sealed content unseen
 */
export async function requireWorkable(
  parts: WorkableParts,
  order: WorkOrder,
  scope: WorkScope | null,
  sealed = scope === null,
): Promise<void> {
  const { retryingClient, agentId } = parts;
  const { orderId, requesterId } = order;
  const brief = await retryingClient.read('/v1/work-orders/{orderId}/brief', {
    orderId,
    actorId: agentId,
  });
  const hasJury = order.jury !== 'none';
  const hasReviewers = order.conditionKinds?.includes('review') === true;
  if (hasJury) {
    requireRoster(brief.warnings);
    await requireProvenRoster(parts, order);
  }
  requireOwnAcceptance(order, sealed ? null : scope);
  if (scope === null) return;
  if (!sealed && hasJury) {
    const conditions = scope.acceptance.map(({ kind }): string => kind);
    const foreign = order.conditionKinds?.find((kind) => !conditions.includes(kind));
    if (foreign !== undefined) {
      throw new AgentError(
        'ORDER_UNVERIFIABLE',
        `it declares the kind ${foreign}, which no condition has, so its requester may have chosen the jury`,
      );
    }
    const [first] = await unjudgeable(parts, scope, requesterId, hasReviewers);
    if (first) throw new AgentError('ORDER_UNVERIFIABLE', `${first.path}: ${first.reason}`);
  }
  await requireInputs(parts, scope, requesterId);
}

/** Refuses an acceptanceHash of other conditions or of sealed results: its requester could prove them unmet. */
function requireOwnAcceptance({ acceptanceHash }: WorkOrder, scope: WorkScope | null): void {
  if (acceptanceHash === undefined) return;
  if (scope !== null && provableAcceptance(scope).hash === acceptanceHash) return;
  throw new AgentError(
    'ORDER_UNVERIFIABLE',
    scope === null
      ? 'its results are sealed, and its acceptanceHash would let the requester prove them unmet'
      : 'its acceptanceHash is not that of its conditions, so its requester could prove others unmet',
  );
}

export function requireRoster(warnings: readonly Warning[] | undefined): void {
  // Older nodes send no warnings.
  const found = warnings?.find(({ code }) => code === 'ROSTER_TOO_SMALL');
  if (found) throw unverifiable(found.data['requiredAccepts'], found.data['eligibleGroups']);
}

const unverifiable = (accepts: unknown, groups: unknown): AgentError =>
  new AgentError(
    'ORDER_UNVERIFIABLE',
    `it needs ${Number(accepts)} accepts from as many groups, verifiers of ${Number(groups)} can be drawn`,
  );

/** Checks the roster in the proven state, so that a node cannot hide that it is too small. */
async function requireProvenRoster(
  { retryingClient, agentId }: WorkableParts,
  { requesterId, validationPolicy, conditionKinds = [] }: WorkOrder,
): Promise<void> {
  if (!retryingClient.proves) return;
  const roster = (await retryingClient.state('verifier-roster/active')) as {
    verifiers: { verifierId: string; independenceGroup: string; conditionKinds?: string[] }[];
  } | null;
  const others = (roster?.verifiers ?? []).filter(
    ({ verifierId, conditionKinds: judged = DEFAULT_CONDITION_KINDS }) =>
      verifierId !== agentId &&
      verifierId !== requesterId &&
      conditionKinds.every((kind) => judged.includes(kind)),
  );
  const groups = new Set(others.map(({ independenceGroup }) => independenceGroup)).size;
  const { requiredAccepts } = validationPolicy;
  if (groups < requiredAccepts) throw unverifiable(requiredAccepts, groups);
}

/** Refuses a scope that this network's verifiers would call UNJUDGEABLE. */
export async function requireJudgeable(
  reads: Reads,
  scope: WorkScope,
  {
    agentId,
    reviewAnyway = false,
    unverifiedAnyway = false,
  }: {
    agentId: string;
    reviewAnyway?: boolean | undefined;
    unverifiedAnyway?: boolean | undefined;
  },
): Promise<void> {
  if (unverifiedAnyway) return;
  for (const { kind, path, reason } of await unjudgeable(reads, scope, agentId)) {
    const detail = `${path}: ${reason}`;
    if (kind !== 'review') throw new AgentError('ORDER_UNVERIFIABLE', detail);
    if (!reviewAnyway) throw new AgentError('REVIEW_NEEDS_A_MIND', detail);
  }
}

async function unjudgeable(
  reads: Reads,
  scope: WorkScope,
  requesterId: string,
  hasReviewers = false,
): Promise<ReturnType<typeof unjudgeableConditions>> {
  if (unjudgeableConditions(scope, ABLE_TO_NOTHING).length === 0) return [];
  const means = await meansOf(reads, requesterId);
  means.answersQuestions ||= hasReviewers;
  return unjudgeableConditions(scope, means);
}

const ABLE_TO_NOTHING: JudgingMeans = { height: -1, answersQuestions: false };

/**
 * Returns what verifiers can judge. Those of the operator are programs, and answer questions of the
 * operator's agents only.
 */
async function meansOf({ retryingClient }: Reads, requesterId: string): Promise<JudgingMeans> {
  const { height, actual } = await retryingClient.read('/v1/validation');
  const isOperators = requesterId.startsWith(OPERATOR_GROUP_PREFIX);
  return { height, answersQuestions: isOperators || actual.verifierGroups > actual.operatorGroups };
}

/**
 * @param ownerId the requester, whose metadata names further stores
 * @throws AgentError INPUT_MISSING
 */
export async function requireInputs(
  { peers }: Pick<WorkableParts, 'peers'>,
  { inputs }: WorkScope,
  ownerId: string,
): Promise<void> {
  const found = await Promise.all(inputs.map(({ hash }) => peers.hasBlob(hash, ownerId)));
  for (const [index, { name, hash }] of inputs.entries()) {
    if (found[index] === 'absent') throw new AgentError('INPUT_MISSING', `${name}: ${hash}`);
    if (found[index] === 'unknown') throw new AgentError('BLOB_UNAVAILABLE', hash);
  }
}
