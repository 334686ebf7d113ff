import type { NoTurn } from '@netd/client-limits';
import { ApiError } from '@netd/engine';

const RETRY_SECONDS = 1;

export const noTurn = (why: NoTurn, held: string): ApiError =>
  why === 'address'
    ? new ApiError('RATE_LIMITED', {
        message: `${held}, and an address may have no more; try again in ${RETRY_SECONDS} s`,
        retryAfter: RETRY_SECONDS,
      })
    : new ApiError('OVERLOADED', { retryAfter: RETRY_SECONDS });
