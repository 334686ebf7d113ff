import { ERROR_TABLE, type ErrorCode } from '@netd/protocol';
import type { ApiErrorData } from '@netd/engine';
import { sentence } from '../http/problem.ts';

export type OwnAdvice = Partial<Record<ErrorCode, string>>;

export function refusalText(code: ErrorCode, data: ApiErrorData, own: OwnAdvice): string {
  const { title, advice } = ERROR_TABLE[code];
  const what = data.message === undefined ? '' : ` ${sentence(data.message)}`;
  const wait = data.retryAfter === undefined ? '' : ` Wait ${data.retryAfter} s.`;
  return `${title}.${what}${wait} ${own[code] ?? advice}`;
}
