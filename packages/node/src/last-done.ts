/** Records when the chain of a data directory was last backed up and verified, for the metrics of its node. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { replaceFile } from '@netd/engine';

export type Task = 'backup' | 'verify';

export const LAST_DONE = 'last-done.json';
const SCHEMA = 'NET-LAST-DONE/1';

interface Done {
  /** ISO 8601. */
  at: string;
  height: number;
}

type LastDone = Partial<Record<Task, Done>>;

/** @returns why the record could not be written; null on success */
export function noteDone(dataDir: string, task: Task, done: Done): string | null {
  const path = join(resolve(dataDir), LAST_DONE);
  const record = { schema: SCHEMA, ...read(path), [task]: done };
  try {
    replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, 0o600);
    return null;
  } catch (error) {
    return `${path} could not be written, so the node goes on reporting the ${task} before this one: ${(error as Error).message}`;
  }
}

/** @returns milliseconds since 1970; null if nothing readable is recorded */
export function lastDone(dataDir: string, task: Task): number | null {
  const at = Date.parse(read(join(dataDir, LAST_DONE))[task]?.at ?? '');
  return Number.isNaN(at) ? null : at;
}

function read(path: string): LastDone {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as LastDone & { schema?: unknown };
    return found.schema === SCHEMA ? found : {};
  } catch {
    return {};
  }
}
