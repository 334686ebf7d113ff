import type { VerifierRecord } from '../operators/records.ts';
import type { ContributionRecord, ContributionStatus } from './records.ts';
import type { CounterName } from '../../counter-names.ts';
import { count } from '../../counters.ts';
import { deadlineAfter, type Deadline } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { clearTimer, setTimer } from '../../timers.ts';
import type { CheckContext } from '../../transition.ts';

/** Open contributions per author. Bounds the work that one author can ask of verifiers and auditors. */
export const MAX_OPEN_CONTRIBUTIONS = 16;
/** Attestations of a build. If no outcome has two groups by then, the build is not reproducible. */
export const MAX_ATTESTATIONS = 7;
export const REQUIRED_GROUPS = 2;

export const CONTRIBUTION_COUNTERS: Readonly<Record<ContributionStatus, CounterName>> = {
  BUILD_VERIFICATION: 'contributions-build-verification',
  SECURITY_REVIEW: 'contributions-security-review',
  GOVERNANCE_READY: 'contributions-governance-ready',
  RELEASE_CANDIDATE: 'contributions-release-candidate',
  DEPLOYED: 'contributions-deployed',
  CHANGES_REQUIRED: 'contributions-changes-required',
};

export const isOnItsWay = (status: ContributionStatus): boolean =>
  status !== 'DEPLOYED' && status !== 'CHANGES_REQUIRED';

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

/**
 * Returns the deadline of a disagreement that no further group decides. It counts from the first
 * disagreement;
 * null if there is none.
 */
export function judgingDeadline(
  { policy, block }: CheckContext,
  { deadline }: ContributionRecord,
  heard: readonly unknown[],
): Deadline | null {
  if (heard.length < REQUIRED_GROUPS) return null;
  return deadline ?? deadlineAfter(block, policy.governance.judgeWithin);
}

export function requireContribution(
  state: ReadableState,
  contributionId: string,
  path = '/payload/contributionId',
): ContributionRecord {
  const contribution = state.get('contribution', contributionId);
  requireThat(contribution, 'CONTRIBUTION_UNKNOWN', path);
  return contribution;
}

export function requireStage(
  { status, supersededBy }: ContributionRecord,
  stage: ContributionStatus,
): void {
  requireThat(status === stage, 'CONTRIBUTION_STATUS', '/payload/contributionId', () =>
    supersededBy === null ? `it is ${status}` : `it was superseded by ${supersededBy}`,
  );
}

export function requireVerifier(state: ReadableState, verifierId: string): VerifierRecord {
  const path = '/payload/verifierId';
  const verifier = state.get('verifier', verifierId);
  requireThat(verifier?.active, 'VERIFIER_UNKNOWN', path);
  requireThat(verifier.bond !== 0, 'VERIFIER_BOND_EMPTY', path);
  return verifier;
}

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
