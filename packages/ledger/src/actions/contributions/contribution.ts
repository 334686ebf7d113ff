/** What the actions on contributions share: stages, their counters, and who may judge. */
import type { VerifierRecord } from '../operators/records.ts';
import type { ContributionRecord, ContributionStatus } from './records.ts';
import type { CounterName } from '../../counter-names.ts';
import { count } from '../../counters.ts';
import { deadlineAfter, type Deadline } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { clearTimer, setTimer } from '../../timers.ts';
import type { CheckContext } from '../../transition.ts';

/** Contributions of an author that are on their way: bounds what one agent asks of verifiers and auditors. */
export const MAX_OPEN_CONTRIBUTIONS = 16;
/** Attestations after which a build on which no two groups agree counts as not reproducible. */
export const MAX_ATTESTATIONS = 7;
/** Independence groups that must say the same, in favour or against. */
export const REQUIRED_GROUPS = 2;

/** The counter of each status. */
export const CONTRIBUTION_COUNTERS: Readonly<Record<ContributionStatus, CounterName>> = {
  BUILD_VERIFICATION: 'contributions-build-verification',
  SECURITY_REVIEW: 'contributions-security-review',
  GOVERNANCE_READY: 'contributions-governance-ready',
  RELEASE_CANDIDATE: 'contributions-release-candidate',
  DEPLOYED: 'contributions-deployed',
  CHANGES_REQUIRED: 'contributions-changes-required',
};

/** Whether something is still to come. */
export const isOnItsWay = (status: ContributionStatus): boolean =>
  status !== 'DEPLOYED' && status !== 'CHANGES_REQUIRED';

/** Puts a new contribution, or the next state of one, with everything that is kept beside it. */
export function putContribution(
  state: WritableState,
  before: ContributionRecord | null,
  after: ContributionRecord,
): void {
  const { contributionId, authorId, status } = after;
  if (before?.status !== status) {
    if (before) count(state, CONTRIBUTION_COUNTERS[before.status], -1);
    else count(state, 'contributions', 1);
    count(state, CONTRIBUTION_COUNTERS[status], 1);
    const change = Number(isOnItsWay(status)) - Number(before ? isOnItsWay(before.status) : false);
    if (change !== 0) {
      const open = (state.get('open-contributions', authorId) ?? 0) + change;
      if (open > 0) state.put('open-contributions', authorId, open);
      else state.delete('open-contributions', authorId);
    }
  }
  const { deadline } = after;
  if (deadline && deadline !== before?.deadline) {
    setTimer(state, 'endJudging', contributionId, deadline);
  } else if (!deadline && before?.deadline) clearTimer(state, 'endJudging', contributionId);
  state.put('contribution', contributionId, after);
}

/** When groups that disagree stop waiting for a further one, counted from the first disagreement, however many follow. */
export function judgingDeadline(
  { policy, block }: CheckContext,
  { deadline }: ContributionRecord,
  heard: readonly unknown[],
): Deadline | null {
  if (heard.length < REQUIRED_GROUPS) return null;
  return deadline ?? deadlineAfter(block, policy.governance.judgeWithin);
}

/** @throws RuleError CONTRIBUTION_UNKNOWN */
export function requireContribution(
  state: ReadableState,
  contributionId: string,
  path = '/payload/contributionId',
): ContributionRecord {
  const contribution = state.get('contribution', contributionId);
  requireThat(contribution, 'CONTRIBUTION_UNKNOWN', path);
  return contribution;
}

/** @throws RuleError CONTRIBUTION_STATUS */
export function requireStage(
  { status, supersededBy }: ContributionRecord,
  stage: ContributionStatus,
): void {
  requireThat(status === stage, 'CONTRIBUTION_STATUS', '/payload/contributionId', () =>
    supersededBy === null ? `it is ${status}` : `it was superseded by ${supersededBy}`,
  );
}

/**
 * A bonded verifier of a group: without a bond it has nothing to lose.
 * @throws RuleError VERIFIER_UNKNOWN, VERIFIER_BOND_EMPTY
 */
export function requireVerifier(state: ReadableState, verifierId: string): VerifierRecord {
  const path = '/payload/verifierId';
  const verifier = state.get('verifier', verifierId);
  requireThat(verifier?.active, 'VERIFIER_UNKNOWN', path);
  requireThat(verifier.bond !== 0, 'VERIFIER_BOND_EMPTY', path);
  return verifier;
}

/**
 * A judge is neither the author nor of a group that the author judges for, and its group has not spoken at
 * this stage.
 * @throws RuleError OWN_CONTRIBUTION, INDEPENDENCE_GROUP_HEARD
 */
export function requireIndependent(
  state: ReadableState,
  { authorId }: ContributionRecord,
  { actorId, independenceGroup: group }: { actorId: string; independenceGroup: string },
  heard: readonly { independenceGroup: string }[],
): void {
  const path = '/payload/contributionId';
  const own = [state.get('verifier', authorId), state.get('auditor', authorId)];
  requireThat(
    actorId !== authorId && !own.some((role) => role?.independenceGroup === group),
    'OWN_CONTRIBUTION',
    path,
  );
  requireThat(
    !heard.some(({ independenceGroup }) => independenceGroup === group),
    'INDEPENDENCE_GROUP_HEARD',
    path,
    () => `${group} has`,
  );
}
