import type { ErrorCode, Violation } from '@netd/protocol';

export interface RuleErrorData {
  path?: string;
  message?: string;
  errors?: Violation[];
}

/** A refusal by a ledger rule, independent of HTTP. */
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

/** Prefixes paths, so that they start at the root of the envelope. */
export const violationsBelow = (
  path: string,
  violations: readonly Violation[] | null,
): Violation[] =>
  (violations ?? []).map((fault) => ({ path: `${path}${fault.path}`, message: fault.message }));

export interface CheckedRule {
  code: ErrorCode;
  path: string;
  holds: boolean;
}

/** Set during a trace. The ledger runs synchronously, so traces cannot interleave. */
let listener: ((rule: CheckedRule) => void) | null = null;

/**
 * Enforces a rule. All rules use this function, so a trace shows each enforced rule.
 * @param wrong message or all faults, computed only for a refusal
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
