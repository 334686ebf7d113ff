/**
 * Tells which conditions verifiers can judge, so that no agent works for a result that must be UNJUDGEABLE.
 * Keep equal to `clients/python/src/netsdk/formats/judgeable.py`.
 */
import type { Acceptance, WorkScope } from './work-scope.ts';

/** Blocks per condition of kind chain-replay. */
export const MAX_REPLAYED_BLOCKS = 500;

export interface JudgingMeans {
  /** Current height. Later blocks cannot be replayed. */
  height: number;
  /** False for verifiers that are programs. */
  answersQuestions: boolean;
}

export interface UnjudgeableCondition {
  path: string;
  kind: Acceptance['kind'];
  reason: string;
}

/** Returns each kind of the conditions of a scope once. */
export const conditionKindsOf = ({ acceptance }: Pick<WorkScope, 'acceptance'>): string[] => [
  ...new Set(acceptance.map(({ kind }) => kind)),
];

/** Returns null if these verifiers can judge the condition. `workScope` checks size and cost. */
export function whyUnjudgeable(
  condition: Acceptance,
  { height, answersQuestions }: JudgingMeans,
): string | null {
  if (condition.kind === 'review') {
    return answersQuestions ? null : 'the verifiers are programs and answer no question';
  }
  if (condition.kind === 'chain-replay') {
    const { from, to } = condition;
    if (to - from >= MAX_REPLAYED_BLOCKS) {
      return `it spans ${to - from + 1} blocks, verifiers replay at most ${MAX_REPLAYED_BLOCKS}`;
    }
    if (to > height) return `block ${to} does not exist yet, the newest is ${height}`;
  }
  return null;
}

export function unjudgeableConditions(
  { acceptance }: Pick<WorkScope, 'acceptance'>,
  means: JudgingMeans,
): UnjudgeableCondition[] {
  return acceptance.flatMap((condition, index) => {
    const reason = whyUnjudgeable(condition, means);
    return reason === null ? [] : [{ path: `/acceptance/${index}`, kind: condition.kind, reason }];
  });
}
