/** Deletes what netd wrote into a folder and nothing else, because people keep other files there too. */
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirError } from './data-dir-error.ts';

/**
 * The entries that netd writes into a folder. A name alone stands for a file, `'document'` for a JSON file of one of our schemas,
 * a list for a folder that holds these entries.
 */
export type WrittenEntries = readonly (readonly [RegExp, ('document' | WrittenEntries)?])[];

/** A database, as LMDB lays it out. */
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
 * Deletes the entries of a folder that netd wrote, and the folder if nothing is left in it.
 * @returns the paths of all other entries, which stay
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
  // An operator may have put the folder on another disk: a link to it stays.
  if (left.length === 0 && !lstatSync(folder).isSymbolicLink()) rmdirSync(folder);
  return left;
}

/**
 * Deletes one entry of a folder if it is listed.
 * @returns the paths in it that stay, or its own
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
 * Makes room for a folder that is about to be put there.
 * @throws DataDirError if the folder holds files that netd did not write
 */
export function clearPlace(folder: string, entries: WrittenEntries): void {
  const left = removeWritten(folder, entries);
  if (left.length === 0) return;
  throw new DataDirError(
    `${left.slice(0, 3).join(', ')} is not netd's, and is in the way: move it somewhere else`,
  );
}
