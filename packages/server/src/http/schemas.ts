import { Problem } from '@netd/protocol';
import type { TSchema } from '@netd/protocol/type';

export const statusText: Record<number, string> = {
  400: 'The request, a parameter or the envelope is malformed.',
  403: 'A signed intent is required here, or this node is a follower and takes no writes.',
  404: 'There is nothing of this name.',
  405: 'The path does not answer this method.',
  406: 'The path does not answer in this media type.',
  408: 'The request did not arrive in time.',
  409: 'A rule of the ledger refuses the envelope.',
  412: 'If-Match names another representation than the current one.',
  413: 'The body is too large.',
  415: 'The content type is not supported.',
  416: 'The file has no such bytes.',
  429: 'Too many requests from this address.',
  431: 'The headers are too large.',
  500: 'Something unexpected went wrong.',
  503: 'The node is not ready, overloaded, or cannot write.',
};

export function problems(...statuses: number[]): Record<number, TSchema> {
  const all = [...new Set([400, 405, 408, 412, 431, 500, 503, ...statuses])].sort((a, b) => a - b);
  return errorsOf(all, Problem, ['application/problem+json']);
}

export function errorsOf(
  statuses: readonly number[],
  schema: TSchema,
  mediaTypes: readonly string[] = ['application/json'],
): Record<number, TSchema> {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: statusText[status] ?? 'A problem.', content },
    ]),
  );
}

export const writeProblems = (): Record<number, TSchema> => problems(403, 409, 413, 415, 429);
