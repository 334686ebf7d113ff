/** How often an address may ask: the refusal says whose share it was, how large it is, and when there is more of it. */
import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import { addressShare } from '@netd/client-limits';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@netd/engine';

const MINUTE_MILLISECONDS = 60_000;

export interface AddressRate {
  /** Requests a minute and address. */
  max: (request: FastifyRequest) => number;
  /** What is counted, in the plural: each by itself. */
  what: (request: FastifyRequest) => string;
  /** Requests that are not counted. */
  isFree?: (request: FastifyRequest) => boolean;
}

/** Options of the plugin that refuses with RATE_LIMITED; answers carry the standard RateLimit headers. */
export function addressRate({ max, what, isFree }: AddressRate): RateLimitPluginOptions {
  return {
    max,
    timeWindow: MINUTE_MILLISECONDS,
    enableDraftSpec: true,
    keyGenerator: (request) => `${what(request)} ${addressShare(request.ip)}`,
    ...(isFree === undefined ? {} : { allowList: isFree }),
    errorResponseBuilder: (request, { max: share, ttl }) => {
      const retryAfter = Math.ceil(ttl / 1_000);
      const message =
        `${addressShare(request.ip)} has sent the ${share} ${what(request)} that an address may send in a minute; ` +
        `try again in ${retryAfter} s`;
      return new ApiError('RATE_LIMITED', { message, retryAfter });
    },
  };
}
