/** Deletes only files that netd wrote, because people keep other files there too. */
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirError } from './data-dir-error.ts';

/**
 * A name alone means a file, `'document'` a JSON file with one of our schemas, a list a folder with these
 * entries.
 */
export type WrittenEntries = readonly (readonly [RegExp, ('document' | WrittenEntries)?])[];

const DATABASE_FILES: WrittenEntries = [[/^(data|lock)\.mdb$/]];

export const UPGRADE = 'upgrade';
export const UPGRADE_ENTRIES: WrittenEntries = [
  [/^(copy|next|before)$/, DATABASE_FILES],
  [/^leaves$/, [[/^\d+$/]]],
  [/^(node\.(json|lock(-journal)?)|\.netd-folder\.json)$/],
];

export const DATABASE_ENTRIES: WrittenEntries = [
  ...DATABASE_FILES,
  [new RegExp(`^${UPGRADE}$`), UPGRADE_ENTRIES],
];

export function isOurDocument(path: string): boolean {
  try {
    const { schema } = JSON.parse(readFileSync(path, 'utf8')) as { schema?: unknown };
    return typeof schema === 'string' && schema.startsWith('NET-');
  } catch {
    return false;
  }
}

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
  // An operator may have put the folder on another disk, so keep a link to it.
  if (left.length === 0 && !lstatSync(folder).isSymbolicLink()) rmdirSync(folder);
  return left;
}

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

/** @throws DataDirError if the folder holds other files */
export function clearPlace(folder: string, entries: WrittenEntries): void {
  const left = removeWritten(folder, entries);
  if (left.length === 0) return;
  throw new DataDirError(
    `${left.slice(0, 3).join(', ')} is not netd's, and is in the way: move it somewhere else`,
  );
}
