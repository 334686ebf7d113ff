/** LMDB crashes the process if a mapped file is truncated or no database. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

/** `MDB_meta` in mdb.c of lmdb-js, behind the page header. */
const MAGIC = { at: 24, value: 0xbeef_c0de };
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const META_LENGTH = 152;
/** The last pages may be free and unwritten: up to this many, or an eighth of a small file. */
const PAGES_UNWRITTEN = 64;

/**
 * @returns false if there is none
 * @throws StoreError if the file is no database; Error if it cannot be read
 */
export function checkDatabaseFile(path: string): boolean {
  const file = join(path, 'data.mdb');
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
  try {
    const { size } = fstatSync(descriptor);
    // Left by a first start that was killed.
    if (size === 0) return true;
    const first = metaAt(descriptor, 0);
    const second = first && metaAt(descriptor, first.pageSize);
    if (!first || !second) {
      throw new StoreError(`${file} is no database, or its first pages are damaged: ${WHAT_TO_DO}`);
    }
    const pages = 1 + Math.max(first.lastPage, second.lastPage);
    if (size < (pages - Math.min(PAGES_UNWRITTEN, pages / 8)) * first.pageSize) {
      throw new StoreError(`${file} is cut short, it had ${pages} pages: ${WHAT_TO_DO}`);
    }
    return true;
  } finally {
    closeSync(descriptor);
  }
}

export const WHAT_TO_DO =
  'put chain/ back from a backup that was made with the node stopped, or start a new chain in another --data-dir';

function metaAt(
  descriptor: number,
  position: number,
): { pageSize: number; lastPage: number } | null {
  const bytes = Buffer.alloc(META_LENGTH);
  if (readSync(descriptor, bytes, 0, META_LENGTH, position) < META_LENGTH) return null;
  if (bytes.readUInt32LE(MAGIC.at) !== MAGIC.value) return null;
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (pageSize < 512 || pageSize > 65_536) return null;
  return { pageSize, lastPage: Number(bytes.readBigUInt64LE(LAST_PAGE_AT)) };
}
