import { ERROR_TABLE, type ErrorCode, type Problem } from '@netd/protocol';
import type { FastifyReply } from 'fastify';
import type { ApiErrorData } from '@netd/engine';
import { HTML_TYPE } from './encoded-document.ts';
import { escapeHtml, page } from './page.ts';
import { pathToRoot } from './request-head.ts';

/** First words that get a capital. Any other first word may be a name, which keeps its case. */
const OPENING = /^(?:an?|at|each|it|its|no|only|that|the|there|these|this)(?= )/;

/** Turns a fault into a sentence, for a text between a title and advice. */
export function sentence(text: string): string {
  const whole = OPENING.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
}

export function makeProblem(code: ErrorCode, requestId: string, data: ApiErrorData = {}): Problem {
  const { status, title, advice } = ERROR_TABLE[code];
  const what = data.message === undefined ? '' : `${sentence(data.message)} `;
  return {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail: `${what}${advice}`,
    code,
    requestId,
    ...(data.errors ? { errors: data.errors } : {}),
    ...(data.receipt ? { receipt: data.receipt } : {}),
    ...(data.height === undefined ? {} : { height: data.height }),
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
      // Send bytes, because the framework would add a charset to text.
      .send(Buffer.from(JSON.stringify(problem)))
  );
}

export function sendProblemPage(
  reply: FastifyReply,
  code: ErrorCode,
  data: ApiErrorData = {},
): FastifyReply {
  const { title, status, detail, type } = makeProblem(code, reply.request.id, data);
  const root = pathToRoot(reply.request.url);
  const body = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(detail)}</p>
<p><a href="${root}docs">/docs</a> lists every operation of this node. <a href="${root}${type.slice(1)}">${code}</a> explains this answer. Begin at <a href="${root}">the front page</a>.</p>`;
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('vary', 'Accept')
    .type(HTML_TYPE)
    .send(page(title, body));
}
