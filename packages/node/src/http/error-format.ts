/** Refusals in the words of whoever is asked: most paths answer problems, some speak a protocol with errors of its own. */
import type { ErrorCode } from '@netd/protocol';
import type { FastifyReply } from 'fastify';
import type { ApiErrorData } from '../chain/api-error.ts';
import { sendProblem } from './problem.ts';

export interface ErrorFormat {
  /** It is spoken at this path and everywhere below it. */
  prefix: string;
  send: (reply: FastifyReply, code: ErrorCode, data: ApiErrorData) => FastifyReply;
}

/** The format of a URL; null where problems are spoken. */
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
  if (!format) return sendProblem(reply, code, data);
  if (data.retryAfter !== undefined) reply.header('retry-after', String(data.retryAfter));
  return format.send(reply, code, data);
}
