import type { ErrorCode, Violation } from '@netd/protocol';

export interface RuleErrorData {
  /** JSON Pointer into the envelope of what is at fault. */
  path?: string;
  /** What is wrong with it, where the code alone does not say. */
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
