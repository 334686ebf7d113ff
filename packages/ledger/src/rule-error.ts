import type { ErrorCode, Violation } from '@netd/protocol';

export interface RuleErrorData {
  /** JSON Pointer into the envelope of what is at fault. */
  path?: string;
  /** Says what is wrong with it, where the code alone does not. */
  message?: string;
  /** All faults, where there may be several. */
  errors?: Violation[];
}

/** A refusal by a rule of the ledger: a code of the error table and the place. It knows no HTTP. */
export class RuleError extends Error {
  override name = 'RuleError';
  readonly code: ErrorCode;
  readonly data: RuleErrorData;

  constructor(code: ErrorCode, data: RuleErrorData = {}) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

/** The faults of a member of the envelope, with paths from the root of that. */
export const violationsBelow = (
  path: string,
  violations: readonly Violation[] | null,
): Violation[] =>
  (violations ?? []).map((fault) => ({ path: `${path}${fault.path}`, message: fault.message }));

/** A rule that was asked, and its answer; its code is the one with which it refuses. */
export interface CheckedRule {
  code: ErrorCode;
  /** JSON Pointer into the envelope of what it is about. */
  path: string;
  /** False where it refused. */
  holds: boolean;
}

/** Called with each rule while something is traced. A run of the ledger is synchronous: no other can come in between. */
let listener: ((rule: CheckedRule) => void) | null = null;

/**
 * A rule of the ledger. Every one is asked here, so that what a trace tells is what was enforced.
 * @param path JSON Pointer into the envelope of what is at fault where it does not hold
 * @param wrong what is wrong with it, where the code alone does not say, or all faults; made only for a refusal
 * @throws RuleError
 */
export function requireThat(
  holds: unknown,
  code: ErrorCode,
  path: string,
  wrong?: string | (() => string | Violation[]),
): asserts holds {
  if (listener !== null) listener({ code, path, holds: Boolean(holds) });
  if (holds) return;
  if (wrong === undefined) throw new RuleError(code, { path });
  const said = typeof wrong === 'string' ? wrong : wrong();
  throw new RuleError(code, typeof said === 'string' ? { path, message: said } : { errors: said });
}

/** Runs what asks rules, and tells of each in order. */
export function listenToRules<Result>(
  tell: (rule: CheckedRule) => void,
  run: () => Result,
): Result {
  const before = listener;
  listener = tell;
  try {
    return run();
  } finally {
    listener = before;
  }
}
