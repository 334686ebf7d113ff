import { addressShare, AddressShares, newestOfLargest } from '@netd/client-limits';
import { ApiError } from '@netd/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_HEADERS } from './answer.ts';
import type { HttpLimits } from './limits.ts';
import { isLoopback } from './loopback.ts';

/** Comments keep proxies from closing a stream. */
const HEARTBEAT_MILLISECONDS = 15_000;
const RETRY_SECONDS = 30;

export class Streams {
  private readonly limits: HttpLimits;
  private readonly shares = new AddressShares();
  private readonly open = new Map<string, FastifyReply[]>();
  private count = 0;

  constructor(limits: HttpLimits) {
    this.limits = limits;
  }

  /**
   * Takes a slot. If all are taken, the address with the most streams loses its newest to one with fewer.
   * @throws ApiError OVERLOADED if all have equally many, RATE_LIMITED if this address has used its share
   */
  enter({ ip }: FastifyRequest, reply: FastifyReply): void {
    const { shares, open, limits } = this;
    const share = addressShare(ip);
    const most =
      isLoopback(share) || isLoopback(ip) ? limits.streamsOfLoopback : limits.streamsPerAddress;
    if (shares.isFull(share, most)) {
      const message = `${share} has ${shares.of(share)} streams open, and it may have ${most}: close one first`;
      throw new ApiError('RATE_LIMITED', { message, retryAfter: RETRY_SECONDS });
    }
    const mine = open.get(share) ?? [];
    if (this.count >= limits.streams && !this.makeRoomFor(mine.length + 1)) {
      throw new ApiError('OVERLOADED', { retryAfter: RETRY_SECONDS });
    }
    shares.add(share);
    this.count += 1;
    open.set(share, [...mine, reply]);
    reply.raw.once('close', () => this.leave(share, reply));
  }

  private leave(share: string, reply: FastifyReply): void {
    const all = this.open.get(share) ?? [];
    const left = all.filter((each) => each !== reply);
    if (left.length === all.length) return;
    if (left.length > 0) this.open.set(share, left);
    else this.open.delete(share);
    this.count -= 1;
    this.shares.remove(share);
  }

  private makeRoomFor(most: number): boolean {
    const found = newestOfLargest(this.open, most);
    if (!found) return false;
    this.leave(found.share, found.newest);
    found.newest.raw.destroy();
    return true;
  }

  end(): void {
    for (const reply of [...this.open.values()].flat()) reply.raw.end();
  }
}

/** Starts server-sent events (HTML Living Standard section 9.2), with a comment every `beat` milliseconds. */
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
