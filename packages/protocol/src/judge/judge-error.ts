/**
 * `schema`: it cannot be judged. `pattern`: one is outside the grammar. `number`: a number of the value is
 * too long. `cost`: judging takes too many steps.
 */
export type JudgeErrorCode = 'schema' | 'pattern' | 'number' | 'cost';

export class JudgeError extends Error {
  override name = 'JudgeError';
  readonly code: JudgeErrorCode;
  /** JSON Pointer; '' for the whole. */
  readonly path: string;

  constructor(code: JudgeErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
