/** Forms of errors. Most paths answer with problems, but some protocols define their own. */
import { ERROR_TABLE, type ErrorCode } from '@netd/protocol';
import type { FastifyReply } from 'fastify';
import type { ApiErrorData } from '@netd/engine';
import { sendProblem, sendProblemPage } from './problem.ts';
import { wantsPage } from './request-head.ts';

export interface ErrorFormat {
  prefix: string;
  send: (reply: FastifyReply, code: ErrorCode, data: ApiErrorData) => FastifyReply;
}

/** Every refusal must go through this function, which counts it. */
export type Refuse = (reply: FastifyReply, code: ErrorCode, data?: ApiErrorData) => FastifyReply;

export function errorFormatAt(formats: readonly ErrorFormat[], url: string): ErrorFormat | null {
  const path = url.split('?')[0] ?? '';
  return formats.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? null;
}

export function sendApiError(
  formats: readonly ErrorFormat[],
  reply: FastifyReply,
  code: ErrorCode,
  data: ApiErrorData = {},
): FastifyReply {
  const format = errorFormatAt(formats, reply.request.url);
  if (!format) {
    const missing = ERROR_TABLE[code].status === 404;
    const send = missing && wantsPage(reply.request.headers) ? sendProblemPage : sendProblem;
    return send(reply, code, data);
  }
  if (data.retryAfter !== undefined) reply.header('retry-after', String(data.retryAfter));
  return format.send(reply, code, data);
}
