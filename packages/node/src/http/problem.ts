/** Refusals as RFC 9457 problem details: a stable code, the places, and a sentence that says what to do. */
import { ERROR_TABLE, type ErrorCode, type Problem } from '@netd/protocol';
import type { FastifyReply } from 'fastify';
import type { ApiErrorData } from '../chain/api-error.ts';

export function makeProblem(code: ErrorCode, requestId: string, data: ApiErrorData = {}): Problem {
  const { status, title, advice } = ERROR_TABLE[code];
  const what = data.message === undefined ? '' : `${data.message}. `;
  return {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail: `${what}${advice}`,
    code,
    requestId,
    ...(data.errors ? { errors: data.errors } : {}),
    ...(data.receipt ? { receipt: data.receipt } : {}),
  };
}

export function sendProblem(
  reply: FastifyReply,
  code: ErrorCode,
  data: ApiErrorData = {},
): FastifyReply {
  const problem = makeProblem(code, reply.request.id, data);
  if (data.retryAfter !== undefined) reply.header('retry-after', String(data.retryAfter));
  return (
    reply
      .code(problem.status)
      .header('cache-control', 'no-store')
      .type('application/problem+json')
      // As bytes: to a text the framework would add a charset, which this media type does not have.
      .send(Buffer.from(JSON.stringify(problem)))
  );
}
