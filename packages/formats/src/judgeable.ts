/**
 * Which conditions of a scope the verifiers of a network can judge. House, workers and requesters ask the same predicate, so that no
 * agent works for a result that is certain to be called UNJUDGEABLE. `clients/python/src/netsdk/formats/judgeable.py` is the same.
 */
import type { Acceptance, WorkScope } from './work-scope.ts';

/** Blocks that a verifier replays for one condition of kind chain-replay. */
export const MAX_REPLAYED_BLOCKS = 500;

/** What the verifiers of a network can do. */
export interface JudgingMeans {
  /** The newest height: later blocks cannot be replayed. */
  height: number;
  /** True if verifiers can answer a question; programs cannot. */
  answersQuestions: boolean;
}

export interface UnjudgeableCondition {
  /** JSON Pointer into the scope. */
  path: string;
  kind: Acceptance['kind'];
  reason: string;
}

/** Returns why verifiers with these means cannot judge a condition, null if they can. Size and cost: see `workScope`. */
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

/** Returns the conditions of a valid scope that verifiers with these means cannot judge. */
export function unjudgeableConditions(
  { acceptance }: Pick<WorkScope, 'acceptance'>,
  means: JudgingMeans,
): UnjudgeableCondition[] {
  return acceptance.flatMap((condition, index) => {
    const reason = whyUnjudgeable(condition, means);
    return reason === null ? [] : [{ path: `/acceptance/${index}`, kind: condition.kind, reason }];
  });
}
