/** How often one address may ask: the same for both protocols, each counted by itself. */
import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import { ApiError } from '@netd/engine';
import type { ServerOptions } from '../http/context.ts';
import { rateLimitKey } from '../http/submit.ts';

const DEFAULT_REQUESTS_PER_MINUTE = 120;

export function limitOf({ discoveryPerMinute }: ServerOptions): RateLimitPluginOptions {
  return {
    max: discoveryPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE,
    timeWindow: 60_000,
    enableDraftSpec: true,
    keyGenerator: (request) => rateLimitKey(request.ip),
    errorResponseBuilder: (_request, { ttl }) =>
      new ApiError('RATE_LIMITED', { retryAfter: Math.ceil(ttl / 1_000) }),
  };
}
