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
  /** With the share that each counts against, the newest at the end. */
  private readonly open = new Map<FastifyReply, string>();

  constructor(limits: HttpLimits) {
    this.limits = limits;
  }

  /**
   * Takes a slot until the connection closes. Where all are taken, the address with the most gives its newest to one that has
   * fewer: that stream is cut, and resumes where there is room.
   * @throws ApiError OVERLOADED where all are taken evenly, RATE_LIMITED where this address has all of its own
   */
  enter({ ip }: FastifyRequest, reply: FastifyReply): void {
    const { shares, open, limits } = this;
    const share = addressShare(ip);
    if (shares.isFull(share, limits.streamsPerAddress)) {
      const message = `${share} has ${shares.of(share)} streams open, and an address may have ${limits.streamsPerAddress}: close one first`;
      throw new ApiError('RATE_LIMITED', { message, retryAfter: RETRY_SECONDS });
    }
    if (open.size >= limits.streams && !this.makeRoomFor(share)) {
      throw new ApiError('OVERLOADED', { retryAfter: RETRY_SECONDS });
    }
    shares.add(share);
    open.set(reply, share);
    reply.raw.once('close', () => this.leave(reply));
  }

  private leave(reply: FastifyReply): void {
    const share = this.open.get(reply);
    if (share !== undefined && this.open.delete(reply)) this.shares.remove(share);
  }

  /** Cuts the newest stream of the address that has most, where that leaves it with no fewer than this one. */
  private makeRoomFor(share: string): boolean {
    const counts = new Map<string, number>();
    for (const each of this.open.values()) counts.set(each, (counts.get(each) ?? 0) + 1);
    const [most, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
    if (count <= (counts.get(share) ?? 0) + 1) return false;
    const newest = [...this.open].findLast(([, each]) => each === most);
    if (!newest) return false;
    this.leave(newest[0]);
    newest[0].raw.destroy();
    return true;
  }

  /** Ends all there are: the node stops. */
  end(): void {
    for (const reply of this.open.keys()) reply.raw.end();
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
