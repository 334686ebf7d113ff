/** A refusal on its way to a client: a code of the error table, the places, and perhaps the receipt of a duplicate. */
import { RuleError, TRANSITIONS, type Submission } from '@netd/ledger';
import { HistoryNotHeldError } from '../store/history-range.ts';
import { ERROR_TABLE, type ErrorCode, type Receipt, type Violation } from '@netd/protocol';

export interface ApiErrorData {
  /** What is wrong here, beyond what the code says. */
  message?: string;
  errors?: Violation[];
  receipt?: Receipt;
  /** The last height that a stale cursor may share with this chain. */
  height?: number;
  /** Seconds after which it is worth trying again. */
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

/** What the sender of an envelope that is committed already is told, beside its receipt. */
export function duplicateError(kind: Submission['kind']): RuleError {
  const message = 'this very envelope was committed already';
  const { code, path } = TRANSITIONS[kind].duplicate;
  return new RuleError(code, { path, message });
}

/** Seconds: a few thousand blocks are fetched meanwhile. */
const HISTORY_RETRY_SECONDS = 5;

/**
 * Runs a read, and refuses it where it needs history that is not here.
 * @throws ApiError HISTORY_NOT_HELD where it needs a block that is not here yet; what else it throws
 */
export function refuseMissingHistory<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HistoryNotHeldError)) throw error;
    const { message } = error;
    throw new ApiError('HISTORY_NOT_HELD', { message, retryAfter: HISTORY_RETRY_SECONDS });
  }
}
