/** Forwards writes of a follower to its origins. An envelope that may have arrived is not sent again. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@netd/engine';
import { httpTransport, neverSent, type OriginAnswer, requestOrigin } from '@netd/sync';
import type { ServedNode } from './served-node.ts';
import { writeRelayed } from './answer.ts';
import type { HttpLimits } from './limits.ts';
import type { RequestTraces } from '../telemetry/request-traces.ts';
import { bodyBytes } from './submit.ts';

const MAX_ANSWER_BYTES = 1_048_576;
/** Followers that may forward a request in a row. More is probably a loop. */
const MAX_HOPS = 4;
/** In seconds. */
const RETRY_AFTER = 5;
const RELAYED_HEADERS = ['content-type', 'location', 'retry-after'];
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Name of a forwarding node in Via (RFC 9110 section 7.6.3). */
const PSEUDONYM = /\bnetd-[a-f0-9]{16}\b/g;

export class WriteForwarder {
  private readonly node: ServedNode;
  private readonly limits: HttpLimits;
  private readonly traces: RequestTraces | undefined;
  private readonly pseudonym = `netd-${randomBytes(8).toString('hex')}`;
  private inFlight = 0;

  constructor(node: ServedNode, limits: HttpLimits, traces?: RequestTraces) {
    this.node = node;
    this.limits = limits;
    this.traces = traces;
  }

  /** @throws ApiError NODE_NOT_READY, OVERLOADED, ORIGIN_UNAVAILABLE, FOLLOWER_TAKES_NO_WRITES */
  async forward(path: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { node, limits } = this;
    if (!node.ready) throw new ApiError('NODE_NOT_READY', { retryAfter: 1 });
    if (node.status.halted) {
      const message =
        'It has found two histories that the validators certified, and hands writes to neither: GET /v1/fork-evidence shows them';
      throw new ApiError('FOLLOWER_TAKES_NO_WRITES', { message });
    }
    const via = this.viaOf(request);
    if (this.inFlight >= limits.forwardedWrites)
      throw new ApiError('OVERLOADED', { retryAfter: 1 });
    this.inFlight++;
    const startedAt = performance.now();
    try {
      const headers = { via, ...this.traces?.headersFor(request) };
      const answer = await this.ask(path, bodyBytes(request), headers);
      const { committed, refused } = node.metrics.submits;
      await this.reach(answer);
      const outcome = answer.status === 201 ? committed : refused;
      outcome.observe((performance.now() - startedAt) / 1_000);
      relay(reply, answer);
    } finally {
      this.inFlight--;
    }
  }

  private viaOf({ headers }: FastifyRequest): string {
    const hops: string[] = (headers.via ?? '').match(PSEUDONYM) ?? [];
    if (hops.includes(this.pseudonym) || hops.length >= MAX_HOPS) {
      throw new ApiError('ORIGIN_UNAVAILABLE', {
        message: 'The origins of this node hand writes on in a circle; nothing has happened',
        retryAfter: RETRY_AFTER,
      });
    }
    return [...hops, this.pseudonym].map((name) => `1.1 ${name}`).join(', ');
  }

  /** Asks origins in turn, the next one only if the last has certainly done nothing. */
  private async ask(
    path: string,
    body: Uint8Array,
    about: Record<string, string>,
  ): Promise<OriginAnswer> {
    let refusal: OriginAnswer | null = null;
    // The origin in backoff may be the only one that accepts writes.
    let isOneAway = (this.node.status.following?.origins.backoff ?? 0) > 0;
    for (const url of this.node.status.writers) {
      try {
        const answer = await requestOrigin(httpTransport, url + path, {
          // Don't send X-Forwarded-For: an origin that trusted it could not limit clients.
          headers: { 'content-type': 'application/json', accept: 'application/json', ...about },
          body,
          timeout: this.limits.forwardTime,
          maxBytes: MAX_ANSWER_BYTES,
        });
        if (!isOfAFollower(answer)) return answer;
        refusal = answer;
      } catch (error) {
        if (neverSent(error)) {
          isOneAway = true;
          continue;
        }
        throw new ApiError('ORIGIN_UNAVAILABLE', {
          message: `The node ${url} has not answered whether it took the envelope`,
          retryAfter: RETRY_AFTER,
        });
      }
    }
    if (refusal && !isOneAway) return refusal;
    throw new ApiError('ORIGIN_UNAVAILABLE', {
      message: refusal
        ? 'Those that were reached are followers, which take no writes: nothing has happened'
        : 'None of them was reached: nothing has happened',
      retryAfter: RETRY_AFTER,
    });
  }

  /** Waits a limited time until this node has the block of the write. */
  private async reach({ bytes }: OriginAnswer): Promise<void> {
    const { chain } = this.node;
    const height = receiptHeight(bytes);
    if (height === null || chain.height >= height) return;
    this.node.poll();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, this.limits.readYourWrites);
      const forget = chain.onBlock((reached) => {
        if (reached >= height) end();
      });
      function end(): void {
        clearTimeout(timer);
        forget();
        resolve();
      }
    });
  }
}

function relay(reply: FastifyReply, { status, headers, bytes }: OriginAnswer): void {
  const lines = RELAYED_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [name, value];
  });
  const id = headers.get('x-request-id') ?? '';
  writeRelayed(reply, status, lines, {
    body: Buffer.from(bytes),
    requestId: REQUEST_ID.test(id) ? id : reply.request.id,
  });
}

const isOfAFollower = ({ status, bytes }: OriginAnswer): boolean =>
  status === 403 && parsed(bytes)?.code === 'FOLLOWER_TAKES_NO_WRITES';

function receiptHeight(bytes: Uint8Array): number | null {
  const height = parsed(bytes)?.receipt?.height;
  return Number.isSafeInteger(height) ? Number(height) : null;
}

function parsed(bytes: Uint8Array): { code?: unknown; receipt?: { height?: unknown } } | null {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as ReturnType<typeof parsed>;
  } catch {
    return null;
  }
}
