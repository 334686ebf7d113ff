import assert from 'node:assert/strict';
import { FormatError, type FormatErrorCode } from '../errors.ts';

/** @param path checked if given */
export async function refuses(
  code: FormatErrorCode,
  work: () => unknown,
  path?: string,
): Promise<void> {
  await assert.rejects(
    async () => work(),
    (error) => {
      assert.ok(error instanceof FormatError, String(error));
      assert.deepEqual([error.code, path === undefined ? '' : error.path], [code, path ?? '']);
      return true;
    },
  );
}
