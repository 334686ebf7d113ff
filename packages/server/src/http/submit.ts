/** The way of every signed envelope from HTTP into the chain. */
import { addressShare } from '@netd/client-limits';
import type { Submission } from '@netd/ledger';
import type { JsonObject, OpenTransition } from '@netd/protocol';
import type { FastifyRequest } from 'fastify';
import { ApiError, type CommittedEnvelope } from '@netd/engine';
import type { HttpContext } from './context.ts';

/** @throws ApiError NODE_NOT_READY, FOLLOWER_TAKES_NO_WRITES, and as Admission.submit does */
export async function submitEnvelope(
  { node, options }: HttpContext,
  request: FastifyRequest,
  kind: Submission['kind'],
  screen?: (envelope: JsonObject) => OpenTransition | null,
): Promise<CommittedEnvelope> {
  if (!node.ready) throw new ApiError('NODE_NOT_READY', { retryAfter: 1 });
  if (node.status.writer !== null) {
    // The node that it follows may be a follower itself: then that one says the same of its own.
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

/** The body exactly as it arrived. */
export function bodyBytes(request: FastifyRequest): Uint8Array {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
