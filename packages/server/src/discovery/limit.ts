/** What one address may take over MCP and A2A: how often it may ask, and whose turn its large reads are. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../http/context.ts';
import { inTurnOf } from '../http/read-share.ts';
import { addressRate } from '../http/rate-limits.ts';

const DEFAULT_REQUESTS_PER_MINUTE = 120;

/** Limits the routes of a scope. Each protocol is counted by itself. */
export async function limitAddresses(
  scope: FastifyInstance,
  { options }: HttpContext,
): Promise<void> {
  const { discoveryPerMinute = DEFAULT_REQUESTS_PER_MINUTE } = options;
  const rate = { max: () => discoveryPerMinute, what: () => 'requests of this kind' };
  await scope.register(rateLimit, addressRate(rate));
  // The body is there: what reads it would lose the share.
  scope.addHook('preHandler', ({ ip }, _reply, done) => inTurnOf(ip, done));
}
