import { DEFAULT_CONDITION_KINDS, hashValue, RECENT_ROOTS, SECOND_JURY } from '@netd/protocol';
import { isOver } from '../../capability.ts';
import type { WorkOrderRecord } from './records.ts';
import { requireThat } from '../../rule-error.ts';
import type { Rules } from '../../rules.ts';
import type { ReadableState } from '../../state.ts';
import type { BlockContext, WriteContext } from '../../transition.ts';
import { askOperator } from './contest.ts';
import { entering, leaveUnjudged, putOrder, rulesOf, workerOf } from './order.ts';
import { rosterOf } from '../operators/verifier-roster.ts';
import { isSealed, mayBeSealed, votersOf } from './sealed-votes.ts';
import { MAX_COMMITTEE } from './validation-policy.ts';

type Verification = NonNullable<WorkOrderRecord['verification']>;
type Member = Verification['committee'][number];

/**
 * Draws one verifier per independence group. A redraw keeps the members that voted or committed, and takes
 * the silent ones last. If it finds too few to accept the work, it draws no new members.
 */
export function drawCommittee(context: WriteContext, order: WorkOrderRecord): void {
  const { state, block, policy, emit } = context;
  const { orderId, validationPolicy, verification: last } = order;
  const review = entering('REVIEW', order, context);
  const seed = seedOf(state, block, order);
  const voters = votersOf(last).map(({ verifierId, independenceGroup }) => ({
    independenceGroup,
    verifierId,
  }));
  const silent = new Set(last?.committee.map(({ verifierId }) => verifierId));
  const ordered = eligibleVerifiers(state, {
    parties: [order.requesterId, workerOf(order)],
    bondedBefore: order.acceptedAt?.height ?? 0,
    canVoteAtHeight:
      review.deadline.height -
      1 +
      (mayBeSealed(order) ? policy.work.minimumSpans.verify.heights : 0),
    conditionKinds: order.conditionKinds,
    rules: rulesOf(order),
  })
    .map((member) => ({ member, rank: hashValue({ seed, verifierId: member.verifierId }) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ member }) => member);
  const isSecond = isContested(order);
  // A verifier judges an order once.
  const judged = new Set(order.firstVerification?.votes.map(({ verifierId }) => verifierId));
  const candidates = [
    ...voters,
    ...ordered.filter(({ verifierId }) => !silent.has(verifierId) && !judged.has(verifierId)),
    ...ordered.filter(({ verifierId }) => silent.has(verifierId)),
  ];
  const least = isSecond ? leastOfSecond(order) : validationPolicy.requiredAccepts;
  const size = isSecond
    ? Math.min(2 * validationPolicy.committeeSize + 1, MAX_COMMITTEE)
    : validationPolicy.committeeSize;
  const groups = new Set<string>();
  const drawn: Member[] = [];
  for (const { verifierId, independenceGroup } of candidates) {
    if (drawn.length === size) break;
    if (groups.has(independenceGroup)) continue;
    groups.add(independenceGroup);
    drawn.push({ independenceGroup, verifierId });
  }
  // The votes of an even jury could split evenly.
  if (isSecond && drawn.length % 2 === 0) drawn.pop();
  const committee = drawn.length >= least ? drawn : voters;
  const verification: Verification = {
    ...(isSealed(order, committee) ? { commitments: last?.commitments ?? [] } : {}),
    committee,
    round: isSecond ? SECOND_JURY : (last?.round ?? 0) + 1,
    sampled: last?.sampled ?? isSampled(seed, validationPolicy.sampleRateBps),
    seed,
    votes: last?.votes ?? [],
  };
  const drawnFor = { ...order, ...review, verification };
  putOrder(state, order, drawnFor);
  emit('WorkCommitteeDrawn', {
    orderId,
    requesterId: order.requesterId,
    round: verification.round,
    sampled: verification.sampled,
    seed,
    verifierIds: committee.map(({ verifierId }) => verifierId),
    workerId: workerOf(order),
  });
  if (committee.length > 0 || !rulesOf(order).atLeast(2)) return;
  if (isSecond) askOperator(context, drawnFor);
  else leaveUnjudged(context, drawnFor, 'UNVERIFIED');
}

const isContested = (order: WorkOrderRecord): boolean =>
  rulesOf(order).atLeast(2) && order.dispute !== null;

/** Returns the least size of a second jury, which is larger than the first. */
function leastOfSecond({ firstVerification, validationPolicy }: WorkOrderRecord): number {
  const first = firstVerification?.committee.length ?? 0;
  return Math.max(first + 1, validationPolicy.requiredAccepts);
}

/**
 * Returns the hash of the block with the result, which its sender could not know. A redraw and a second jury
 * use the previous block. A sole proposer could still grind.
 */
function seedOf(state: ReadableState, block: BlockContext, order: WorkOrderRecord): string {
  const { orderId, result, verification, dispute } = order;
  if (!result) throw new Error(`the order ${orderId} has no result`);
  const { height } = result.submittedAt;
  const recent = state.get('recent-root', String(height % RECENT_ROOTS));
  const blockHash =
    verification === null && dispute === null && recent?.height === height
      ? recent.blockHash
      : block.previousBlockHash;
  return hashValue({ orderId, transitionHash: result.transitionHash, blockHash });
}

function isSampled(seed: string, rateBps: number): boolean {
  return Number.parseInt(hashValue({ seed, draw: 'sample' }).slice(0, 8), 16) % 10_000 < rateBps;
}

export interface JuryTerms {
  /** The requester, and the worker if there is one. */
  parties: readonly string[];
  bondedBefore: number;
  canVoteAtHeight: number;
  /** Kinds that the order declares; undefined if it declares none. */
  conditionKinds: readonly string[] | undefined;
  /** Rules of the order. */
  rules: Rules;
}

/**
 * Returns verifiers that were bonded before the order was accepted and are unrelated to its parties. One that
 * cannot vote by the deadline would let the order time out. From version 2 of the rules on, a party cannot
 * make a verifier related by naming it as referrer.
 */
export function eligibleVerifiers(
  state: ReadableState,
  { parties, bondedBefore, canVoteAtHeight, conditionKinds = [], rules }: JuryTerms,
): Member[] {
  const referrerOf = (actorId: string): string | undefined =>
    state.get('referral', actorId)?.referrerAgentId;
  const related = new Set([...parties, ...(rules.atLeast(2) ? [] : parties.map(referrerOf))]);
  return rosterOf(state).filter(
    ({ verifierId, bondedAtHeight, conditionKinds: judged = DEFAULT_CONDITION_KINDS }) =>
      bondedAtHeight < bondedBefore &&
      conditionKinds.every((kind) => judged.includes(kind)) &&
      !related.has(verifierId) &&
      !parties.includes(referrerOf(verifierId) ?? '') &&
      state.get('verifier', verifierId)?.active === true &&
      canVoteAt(state, verifierId, canVoteAtHeight),
  );
}

/**
 * @throws RuleError WORK_JURY_UNAVAILABLE if no committee drawn now, one member per independence group, could
 *   accept a result
 */
export function requireJury(
  state: ReadableState,
  { requiredAccepts }: WorkOrderRecord['validationPolicy'],
  { path, ...terms }: JuryTerms & { path: string },
): void {
  const groups = new Set(eligibleVerifiers(state, terms).map((one) => one.independenceGroup));
  requireThat(groups.size >= requiredAccepts, 'WORK_JURY_UNAVAILABLE', path, () => {
    const { conditionKinds } = terms;
    const judging = conditionKinds ? ` that judge ${conditionKinds.join(', ')}` : '';
    return `it needs ${requiredAccepts} accepts, and unrelated verifiers of ${groups.size} groups${judging} can vote`;
  });
}

/** True if the verifier's present permissions let it vote at a height. */
export function canVoteAt(state: ReadableState, verifierId: string, height: number): boolean {
  const authority = state.get('authority', verifierId);
  if (!authority?.active || !authority.roles.includes('VERIFIER')) return false;
  return authority.capabilities.some((held) => held.action === 'voteWork' && !isOver(held, height));
}
