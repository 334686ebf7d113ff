import { formatSSEEvent } from '@a2a-js/sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../http/context.ts';
import { beginEvents } from '../http/streams.ts';

/** The official Python client gives up after five seconds of silence. */
const HEARTBEAT_MILLISECONDS = 2_000;

export function closedSignal(reply: FastifyReply): AbortSignal {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  return closed.signal;
}

/**
 * Streams events. An error before the first event is an ordinary answer.
 * @throws the first event's error; ApiError OVERLOADED, RATE_LIMITED
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
  // An endless stream is no slow answer. Its backlog is bounded below.
  if (raw.socket) context.slowReaders.exempt(raw.socket);
  try {
    for (; next.done !== true && !raw.destroyed; next = await events.next()) {
      raw.write(formatSSEEvent(next.value));
      if (raw.writableLength > context.limits.streamBacklog) raw.destroy();
    }
    raw.end();
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'a stream of A2A broke off');
    raw.destroy();
  } finally {
    await events.return();
  }
  return reply;
}
