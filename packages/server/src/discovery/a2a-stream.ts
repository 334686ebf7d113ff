/** Streams of A2A: server-sent events, each of them one JSON object, in either binding. */
import { formatSSEEvent } from '@a2a-js/sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../http/context.ts';
import { beginEvents } from '../http/streams.ts';

/** The official Python client gives a stream up that is silent for five seconds, the default of its HTTP library. */
const HEARTBEAT_MILLISECONDS = 2_000;

/** @returns a signal that aborts when the client is gone */
export function closedSignal(reply: FastifyReply): AbortSignal {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  return closed.signal;
}

/**
 * Sends all of them. Before the first is there nothing is sent: what refuses the stream is an answer of its own.
 * @throws what the first of them throws; ApiError OVERLOADED, RATE_LIMITED
 */
export async function sendStream(
  context: HttpContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  events: AsyncGenerator<object, void, undefined>,
): Promise<FastifyReply> {
  let next = await events.next();
  try {
    context.streams.enter(request, reply);
  } catch (error) {
    await events.return();
    throw error;
  }
  const raw = beginEvents(request, reply, HEARTBEAT_MILLISECONDS);
  // It has no end that its reader could reach in time; how far that one may be behind is said below.
  if (raw.socket) context.slowReaders.exempt(raw.socket);
  try {
    for (; next.done !== true && !raw.destroyed; next = await events.next()) {
      raw.write(formatSSEEvent(next.value));
      if (raw.writableLength > context.limits.streamBacklog) raw.destroy();
    }
    raw.end();
  } catch (error) {
    // The head is sent: all that can be said is that the stream has broken off.
    request.log.error({ err: error, requestId: request.id }, 'a stream of A2A broke off');
    raw.destroy();
  } finally {
    await events.return();
  }
  return reply;
}
