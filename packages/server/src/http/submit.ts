import { addressShare, rateLimitKey } from '@netd/client-limits';
import type { Submission } from '@netd/ledger';
import type { JsonObject, OpenTransition } from '@netd/protocol';
import type { FastifyRequest } from 'fastify';
import { ApiError, type CommittedEnvelope, type Newcomers } from '@netd/engine';
import type { HttpContext } from './context.ts';
import { requireControlToken } from './control-token.ts';
import { isLoopback, isPassedOn } from './loopback.ts';

/**
 * @throws ApiError NODE_NOT_READY, FOLLOWER_TAKES_NO_WRITES, CONTROL_TOKEN_REQUIRED, and as Admission.submit
 */
export async function submitEnvelope(
  context: HttpContext,
  request: FastifyRequest,
  kind: Submission['kind'],
  screen?: (envelope: JsonObject) => OpenTransition | null,
): Promise<CommittedEnvelope> {
  const { node, options } = context;
  if (!node.ready) throw new ApiError('NODE_NOT_READY', { retryAfter: 1 });
  if (node.status.writer !== null) {
    const [next = node.status.writer] = node.status.writers;
    throw new ApiError('FOLLOWER_TAKES_NO_WRITES', {
      message: `It follows ${next}, which takes them or says who does`,
    });
  }
  const startedAt = performance.now();
  const { committed, refused } = node.metrics.submits;
  const trace = options.traces?.envelope(request, kind);
  let outcome = refused;
  try {
    const bytes = bodyBytes(request);
    const answer = await node.admission.submit(kind, bytes, addressShare(request.ip), {
      screen,
      newcomers: newcomersOf(context, request)?.limits,
      // Everyone knows the substitute key. The secret shows that the sender is one of the operator's own
      // tests.
      onSubstitute: () => requireControlToken(context, request),
      onChecked: trace?.checked,
    });
    outcome = committed;
    trace?.committed(answer);
    return answer;
  } catch (error) {
    trace?.refused(error);
    throw error;
  } finally {
    outcome.observe((performance.now() - startedAt) / 1_000);
  }
}

/** Returns undefined on loopback. Clients of an untrusted proxy on this machine count as one address. */
export function newcomersOf(
  { node, options, newcomers }: HttpContext,
  { ip, headers, raw }: FastifyRequest,
): Newcomers | undefined {
  const isProxied =
    options.believesProxies !== true &&
    isLoopback(rateLimitKey(ip)) &&
    isPassedOn(headers, raw.httpVersion);
  if (isProxied) node.metrics.hasUnbelievedProxy = true;
  return options.loopback && !isProxied
    ? undefined
    : { limits: newcomers, share: addressShare(ip) };
}

export function bodyBytes(request: FastifyRequest): Uint8Array {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
