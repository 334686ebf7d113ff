import type { ErrorCode, Violation } from '@netd/protocol';

export interface RuleErrorData {
  /** JSON Pointer into the envelope. */
  path?: string;
  /** What is wrong, if the code alone does not say it. */
  message?: string;
  /** All faults, if there may be several. */
  errors?: Violation[];
}

/** A refusal by a ledger rule. It knows nothing about HTTP. */
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

/** Prefixes the paths of violations, so that they start at the root of the envelope. */
export const violationsBelow = (
  path: string,
  violations: readonly Violation[] | null,
): Violation[] =>
  (violations ?? []).map((fault) => ({ path: `${path}${fault.path}`, message: fault.message }));

/** The result of one rule. The code is the one of its refusal. */
export interface CheckedRule {
  code: ErrorCode;
  /** JSON Pointer into the envelope. */
  path: string;
  /** False if the rule refused. */
  holds: boolean;
}

/** Called with each rule during a trace. A ledger run is synchronous, so traces cannot interleave. */
let listener: ((rule: CheckedRule) => void) | null = null;

/**
 * Enforces a rule. All rules go through here, so a trace shows what was enforced.
 * @param wrong what is wrong, or all faults; computed only for a refusal
 * @throws RuleError unless the rule holds
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

/** Runs a function and reports each rule it checks, in order. */
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
