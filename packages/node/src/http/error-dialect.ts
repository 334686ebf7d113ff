/** Refusals in the words of whoever is asked: most paths answer problems, some speak a protocol with errors of its own. */
import type { ErrorCode } from '@netd/protocol';
import type { FastifyReply } from 'fastify';
import type { RefusalData } from '../chain/refusal.ts';
import { a2aErrors } from '../discovery/a2a-errors.ts';
import { mcpErrors } from '../discovery/mcp-errors.ts';
import { sendProblem } from './problem.ts';

export interface ErrorDialect {
  /** It is spoken at this path and everywhere below it. */
  prefix: string;
  send: (reply: FastifyReply, code: ErrorCode, data: RefusalData) => FastifyReply;
}

const DIALECTS: readonly ErrorDialect[] = [mcpErrors, a2aErrors];

/** The dialect of a URL; null where problems are spoken. */
export function dialectAt(url: string): ErrorDialect | null {
  const path = url.split('?')[0] ?? '';
  return DIALECTS.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? null;
}

export function sendRefusal(
  reply: FastifyReply,
  code: ErrorCode,
  data: RefusalData = {},
): FastifyReply {
  const dialect = dialectAt(reply.request.url);
  if (!dialect) return sendProblem(reply, code, data);
  if (data.retryAfter !== undefined) reply.header('retry-after', String(data.retryAfter));
  return dialect.send(reply, code, data);
}
