import { SECOND_JURY } from '@netd/protocol';
import type { WorkOrderRecord, WorkVote } from './records.ts';

type Jury = NonNullable<WorkOrderRecord['verification']>;
export type Verdict = 'VERIFIED' | 'REJECTED' | 'UNJUDGEABLE';

export function verdictOfJury(
  { validationPolicy }: Pick<WorkOrderRecord, 'validationPolicy'>,
  { round, committee, votes }: Pick<Jury, 'round' | 'committee' | 'votes'>,
): Verdict | null {
  if (votes.length === 0) return null;
  return round === SECOND_JURY
    ? verdictOfMajority(committee.length, votes)
    : verdictOf(validationPolicy, committee.length, votes);
}

/** Abstentions decide nothing. Without a majority for either side, the jury could not judge. */
function verdictOfMajority(size: number, votes: readonly WorkVote[]): Verdict | null {
  const majority = Math.floor(size / 2) + 1;
  const count = (wanted: WorkVote['vote']): number =>
    votes.filter(({ vote }) => vote === wanted).length;
  const [accepts, rejects] = [count('ACCEPT'), count('REJECT')];
  if (accepts >= majority) return 'VERIFIED';
  if (rejects >= majority) return 'REJECTED';
  const silent = size - votes.length;
  return Math.max(accepts, rejects) + silent < majority ? 'UNJUDGEABLE' : null;
}

export function secondVerdictOf(order: WorkOrderRecord): 'VERIFIED' | 'REJECTED' | null {
  const { verification } = order;
  if (verification?.round !== SECOND_JURY) return null;
  const verdict = verdictOfJury(order, verification);
  return verdict === 'UNJUDGEABLE' ? null : verdict;
}

function verdictOf(
  { requiredAccepts, minIndependentGroups }: WorkOrderRecord['validationPolicy'],
  committeeSize: number,
  votes: readonly WorkVote[],
): Verdict | null {
  const accepts = votes.filter(({ vote }) => vote === 'ACCEPT');
  const groups = new Set(accepts.map(({ independenceGroup }) => independenceGroup));
  if (accepts.length >= requiredAccepts && groups.size >= minIndependentGroups) return 'VERIFIED';
  const unjudgeable = votes.filter(({ vote }) => vote === 'UNJUDGEABLE').length;
  const twoThirds = Math.ceil((2 * committeeSize) / 3);
  if (unjudgeable > 0 && unjudgeable >= twoThirds) return 'UNJUDGEABLE';
  if (votes.length - accepts.length <= committeeSize - requiredAccepts) return null;
  // The result can no longer be accepted. The other votes may still blame the scope instead of the work.
  const silent = committeeSize - votes.length;
  return unjudgeable > 0 && unjudgeable + silent >= twoThirds ? null : 'REJECTED';
}
