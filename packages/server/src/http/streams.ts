/** Answers without an end: how many there may be, and how one is begun and ended. */
import { addressShare, AddressShares } from '@netd/client-limits';
import { ApiError } from '@netd/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_HEADERS } from './answer.ts';
import type { HttpLimits } from './limits.ts';

/** Between two signs of life, for whatever stands between the node and its reader. */
const HEARTBEAT_MILLISECONDS = 15_000;
const RETRY_SECONDS = 30;

export class Streams {
  private readonly limits: HttpLimits;
  private readonly shares = new AddressShares();
  private readonly open = new Set<FastifyReply>();

  constructor(limits: HttpLimits) {
    this.limits = limits;
  }

  /**
   * Takes a slot until the connection closes.
   * @throws ApiError OVERLOADED where all are taken, RATE_LIMITED where this address has all of its own
   */
  enter({ ip }: FastifyRequest, reply: FastifyReply): void {
    const { shares, open, limits } = this;
    const share = addressShare(ip);
    if (shares.isFull(share, limits.streamsPerAddress)) {
      const message = `${share} has ${shares.of(share)} streams open, and an address may have ${limits.streamsPerAddress}: close one first`;
      throw new ApiError('RATE_LIMITED', { message, retryAfter: RETRY_SECONDS });
    }
    if (open.size >= limits.streams)
      throw new ApiError('OVERLOADED', { retryAfter: RETRY_SECONDS });
    shares.add(share);
    open.add(reply);
    reply.raw.once('close', () => {
      open.delete(reply);
      shares.remove(share);
    });
  }

  /** Ends all there are: the node stops. */
  end(): void {
    for (const reply of this.open) reply.raw.end();
  }
}

/** Sends the head of server-sent events (HTML Living Standard section 9.2), and a sign of life each `beat` milliseconds. */
export function beginEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  beat = HEARTBEAT_MILLISECONDS,
): FastifyReply['raw'] {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...COMMON_HEADERS,
    'x-request-id': request.id,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const heartbeat = setInterval(() => raw.write(': alive\n\n'), beat);
  raw.once('close', () => clearInterval(heartbeat));
  return raw;
}
