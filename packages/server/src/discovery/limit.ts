/** Limits MCP and A2A per address: requests per minute, and a share of large reads. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../http/context.ts';
import { inTurnOf } from '../http/read-share.ts';
import { addressRate } from '../http/rate-limits.ts';

const DEFAULT_REQUESTS_PER_MINUTE = 120;

export async function limitAddresses(
  scope: FastifyInstance,
  { options }: HttpContext,
): Promise<void> {
  const rate = {
    max: () => options.discoveryPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE,
    what: () => 'requests of this kind',
  };
  await scope.register(rateLimit, addressRate(rate));
  // Set this after the body is read, because its reader would lose the share.
  scope.addHook('preHandler', ({ ip }, _reply, done) => inTurnOf(ip, done));
}
