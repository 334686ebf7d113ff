/** Deletes what netd wrote into a folder and nothing else, because people keep other files there too. */
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirError } from './data-dir-error.ts';

/**
 * Entries that netd writes into a folder. A name alone means a file, `'document'` a JSON file with one of our
 * schemas, a list a folder with these entries.
 */
export type WrittenEntries = readonly (readonly [RegExp, ('document' | WrittenEntries)?])[];

export const DATABASE_ENTRIES: WrittenEntries = [[/^(data|lock)\.mdb$/]];

/** Returns true if the file is a JSON object with a schema of ours. */
export function isOurDocument(path: string): boolean {
  try {
    const { schema } = JSON.parse(readFileSync(path, 'utf8')) as { schema?: unknown };
    return typeof schema === 'string' && schema.startsWith('NET-');
  } catch {
    return false;
  }
}

/**
 * Deletes netd's entries, and the folder if it is then empty.
 * @returns the paths of all other entries
 */
export function removeWritten(folder: string, entries: WrittenEntries): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') return [folder];
    throw error;
  }
  const left = names.flatMap((name) => removeEntry(folder, name, entries));
  // An operator may have put the folder on another disk: keep a link to it.
  if (left.length === 0 && !lstatSync(folder).isSymbolicLink()) rmdirSync(folder);
  return left;
}

/**
 * Deletes one entry if it is listed.
 * @returns the paths that were not deleted
 */
export function removeEntry(folder: string, name: string, entries: WrittenEntries): string[] {
  const path = join(folder, name);
  const entry = entries.find(([pattern]) => pattern.test(name));
  if (!entry) return [path];
  const [, kind] = entry;
  if (typeof kind === 'object') return removeWritten(path, kind);
  const isOurs =
    statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true &&
    (kind === undefined || isOurDocument(path));
  if (!isOurs) return [path];
  rmSync(path, { force: true });
  return [];
}

/**
 * Removes netd's files from a folder that is about to be replaced.
 * @throws DataDirError if it holds other files
 */
export function clearPlace(folder: string, entries: WrittenEntries): void {
  const left = removeWritten(folder, entries);
  if (left.length === 0) return;
  throw new DataDirError(
    `${left.slice(0, 3).join(', ')} is not netd's, and is in the way: move it somewhere else`,
  );
}
