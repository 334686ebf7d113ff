/** Checks a database file before LMDB maps it, because LMDB crashes the process if the file is damaged. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

export const DATABASE_FILE = 'data.mdb';

/** `MDB_meta` in mdb.c of lmdb-js, after the page header. */
const MAGIC = { at: 24, value: 0xbeef_c0de };
const PAGE_SIZE_AT = 48;
/** `MDB_db` of the free pages and of the tables. */
const TREES_AT = [48, 96];
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_LENGTH = 160;
const PAGE_HEADER_LENGTH = 24;
const NO_ROOT = 0xffff_ffff_ffff_ffffn;
const [BRANCH, LEAF] = [1, 2];
/** The last pages may be free and unwritten: at most this many, and at most an eighth of the file. */
const PAGES_UNWRITTEN = 64;

/**
 * @returns false if there is no database file
 * @throws StoreError if the file is not a valid database; Error if it cannot be read
 */
export function checkDatabaseFile(path: string): boolean {
  const file = join(path, DATABASE_FILE);
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
  try {
    // Another process may reuse the newest pages meanwhile, so a fault must repeat.
    for (;;) {
      const [newest, fault] = faultIn(file, descriptor);
      if (fault === null) return true;
      if (newest === faultIn(file, descriptor)[0]) throw new StoreError(`${fault}: ${WHAT_TO_DO}`);
    }
  } finally {
    closeSync(descriptor);
  }
}

function faultIn(file: string, descriptor: number): [transaction: bigint, fault: string | null] {
  if (fstatSync(descriptor).size === 0) return [0n, null];
  const first = metaAt(descriptor, 0);
  const second = first && metaAt(descriptor, first.pageSize);
  if (!first || !second) {
    return [0n, `${file} is no database, or its first pages are damaged`];
  }
  const newest = first.transaction > second.transaction ? first : second;
  // Read the size last, because a writer may lengthen the file meanwhile.
  const { size } = fstatSync(descriptor);
  const pages = 1 + Math.max(first.lastPage, second.lastPage);
  if (size < (pages - Math.min(PAGES_UNWRITTEN, pages / 8)) * first.pageSize) {
    return [newest.transaction, `${file} is cut short, it had ${pages} pages`];
  }
  // LMDB follows these page numbers without checking them.
  const isSound = newest.trees.every((tree) => isTree(descriptor, tree, newest));
  return [newest.transaction, isSound ? null : `the first pages of ${file} are damaged`];
}

export const WHAT_TO_DO =
  'put chain/ back from a backup that was made with the node stopped, or start a new chain in another --data-dir';

interface Tree {
  depth: number;
  entries: bigint;
  root: bigint;
}

interface Meta {
  pageSize: number;
  trees: Tree[];
  lastPage: number;
  transaction: bigint;
}

function metaAt(descriptor: number, position: number): Meta | null {
  const bytes = bytesAt(descriptor, position, META_LENGTH);
  if (bytes === null || bytes.readUInt32LE(MAGIC.at) !== MAGIC.value) return null;
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (pageSize < 512 || pageSize > 65_536) return null;
  return {
    pageSize,
    trees: TREES_AT.map((at) => ({
      depth: bytes.readUInt16LE(at + 6),
      entries: bytes.readBigUInt64LE(at + 32),
      root: bytes.readBigUInt64LE(at + 40),
    })),
    lastPage: Number(bytes.readBigUInt64LE(LAST_PAGE_AT)),
    transaction: bytes.readBigUInt64LE(TRANSACTION_AT),
  };
}

function isTree(descriptor: number, { depth, entries, root }: Tree, meta: Meta): boolean {
  if (root === NO_ROOT) return depth === 0 && entries === 0n;
  if (root > BigInt(meta.lastPage)) return false;
  const page = bytesAt(descriptor, Number(root) * meta.pageSize, PAGE_HEADER_LENGTH);
  if (page === null || page.readBigUInt64LE(0) !== root) return false;
  const kind = page.readUInt16LE(18) & (BRANCH | LEAF);
  if (depth > 1) return kind === BRANCH;
  return kind === LEAF && BigInt(page.readUInt16LE(20)) === 2n * entries;
}

function bytesAt(descriptor: number, position: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length);
  return readSync(descriptor, bytes, 0, length, position) === length ? bytes : null;
}
