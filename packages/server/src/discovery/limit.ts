/** How often one address may ask: the same for both protocols, each counted by itself. */
import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import type { ServerOptions } from '../http/context.ts';
import { addressRate } from '../http/rate-limits.ts';

const DEFAULT_REQUESTS_PER_MINUTE = 120;

export function limitOf({
  discoveryPerMinute = DEFAULT_REQUESTS_PER_MINUTE,
}: ServerOptions): RateLimitPluginOptions {
  return addressRate({ max: () => discoveryPerMinute, what: () => 'requests of this kind' });
}
