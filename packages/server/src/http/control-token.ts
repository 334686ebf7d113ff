import { ApiError } from '@netd/engine';
import { CONTROL_HEADER } from '@netd/protocol';
import type { FastifyRequest } from 'fastify';
import type { HttpContext } from './context.ts';
import { isSameSecret } from './same-secret.ts';

/**
 * Requires the secret. A loopback address proves nothing, because a reverse proxy on this machine has one
 * too.
 * @throws ApiError CONTROL_TOKEN_REQUIRED
 */
export function requireControlToken({ options }: HttpContext, { headers }: FastifyRequest): void {
  const given = headers[CONTROL_HEADER];
  const { controlToken } = options;
  const isRight =
    controlToken !== undefined && typeof given === 'string' && isSameSecret(given, controlToken);
  if (isRight) return;
  throw new ApiError('CONTROL_TOKEN_REQUIRED', {
    message:
      given === undefined
        ? `The request has no header ${CONTROL_HEADER}. The secret is in keys/control of the node's data directory, whose path is controlPath in dev.json`
        : `The header ${CONTROL_HEADER} does not hold this node's secret. Read keys/control of its data directory again: every start writes a new one unless NET_CONTROL_TOKEN is set`,
  });
}
