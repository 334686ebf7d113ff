/** What is told where too much waits for its turn already. */
import type { NoTurn } from '@netd/client-limits';
import { ApiError } from '@netd/engine';

const RETRY_SECONDS = 1;

/** @param held what the address has of it, where it has all that it may */
export const noTurn = (why: NoTurn, held: string): ApiError =>
  why === 'address'
    ? new ApiError('RATE_LIMITED', {
        message: `${held}, and an address may have no more; try again in ${RETRY_SECONDS} s`,
        retryAfter: RETRY_SECONDS,
      })
    : new ApiError('OVERLOADED', { retryAfter: RETRY_SECONDS });
