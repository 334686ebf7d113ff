import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import { addressShare } from '@netd/client-limits';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@netd/engine';

const MINUTE_MILLISECONDS = 60_000;

export interface AddressRate {
  max: (request: FastifyRequest) => number;
  what: (request: FastifyRequest) => string;
  isFree?: (request: FastifyRequest) => boolean;
}

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
