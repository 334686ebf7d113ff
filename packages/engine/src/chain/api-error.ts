import { RuleError, TRANSITIONS, type Submission } from '@netd/ledger';
import { HistoryNotHeldError } from '../store/history-range.ts';
import { ERROR_TABLE, type ErrorCode, type Receipt, type Violation } from '@netd/protocol';

export interface ApiErrorData {
  message?: string;
  errors?: Violation[];
  receipt?: Receipt;
  height?: number;
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
}

export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly data: ApiErrorData;

  constructor(code: ErrorCode, data: ApiErrorData = {}) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

export function toApiError(error: RuleError, receipt?: Receipt | null): ApiError {
  const { path, message, errors } = error.data;
  const places =
    errors ??
    (path === undefined ? [] : [{ path, message: message ?? ERROR_TABLE[error.code].title }]);
  return new ApiError(error.code, {
    ...(message === undefined ? {} : { message }),
    ...(places.length > 0 ? { errors: places } : {}),
    ...(receipt ? { receipt } : {}),
  });
}

export function duplicateError(kind: Submission['kind']): RuleError {
  const message = 'this very envelope was committed already';
  const { code, path } = TRANSITIONS[kind].duplicate;
  return new RuleError(code, { path, message });
}

const HISTORY_RETRY_SECONDS = 5;

/** @throws ApiError HISTORY_NOT_HELD if the read needs a block that this node does not hold yet */
export function refuseMissingHistory<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HistoryNotHeldError)) throw error;
    const { message } = error;
    throw new ApiError('HISTORY_NOT_HELD', { message, retryAfter: HISTORY_RETRY_SECONDS });
  }
}
