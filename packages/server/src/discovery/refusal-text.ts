/** What a refusal says where no HTTP paths are spoken of: the words of the error table, or those of the protocol. */
import { ERROR_TABLE, type ErrorCode } from '@netd/protocol';
import type { ApiErrorData } from '@netd/engine';

/** What to do, for the codes whose advice in the error table is for callers of the HTTP interface. */
export type OwnAdvice = Partial<Record<ErrorCode, string>>;

export function refusalText(code: ErrorCode, data: ApiErrorData, own: OwnAdvice): string {
  const { title, advice } = ERROR_TABLE[code];
  const what = data.message === undefined ? '' : ` ${data.message}.`;
  const wait = data.retryAfter === undefined ? '' : ` Wait ${data.retryAfter} s.`;
  return `${title}.${what}${wait} ${own[code] ?? advice}`;
}
