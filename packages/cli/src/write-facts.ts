import { dirname } from 'node:path';
import { asDataDirError } from '@netd/engine';
import { replaceFile } from '@netd/engine/durable-file';

/**
 * Replaces a file of facts for scripts, such as `dev.json`.
 * @throws DataDirError if the disk refuses
 */
export function writeFacts(path: string, facts: object): void {
  try {
    replaceFile(path, `${JSON.stringify(facts, null, 2)}\n`, 0o644);
  } catch (error) {
    throw asDataDirError(dirname(path), error);
  }
}
