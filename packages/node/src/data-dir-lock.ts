/**
 * The kernel holds the lock, so it works across containers and ends with the process. Node has no file locks,
 * so SQLite takes it (docs/decisions/021-data-directories-and-clock.md).
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { asDataDirError, DataDirError } from '@netd/engine';
import { isOfLock, markFolder, requireOwnFolder, type FolderKind } from './own-folder.ts';

/** Never open this file elsewhere in this process: closing any handle of a file releases all its locks. */
const LOCK = 'node.lock';
const HOLDER = 'node.json';

const sqlite = loadSqlite();

/** Node 22 warns that SQLite is experimental. */
function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

interface Holder {
  pid: number;
  /** Host name, or a container's id. */
  host: string;
}

/** Keeps the locks from garbage collection, which would release them. */
const held = new Set<DatabaseSync>();

/**
 * Creates, locks and marks the folder. The returned function unlocks it and removes unused folders.
 * @throws DataDirError if the folder is not ours, another process holds it, or the disk refuses
 */
export function lockDataDir(path: string, kind: FolderKind = 'node'): () => void {
  const root = resolve(path);
  const made = makeDirectory(root);
  requireOwnFolder(root, kind);
  const lock = takeLock(root);
  held.add(lock);
  let unmark: () => void;
  try {
    unmark = markFolder(root, kind);
  } catch (error) {
    held.delete(lock);
    removeUnused(root, made);
    lock.close();
    throw asDataDirError(root, error);
  }
  const holder = join(root, HOLDER);
  try {
    writeFileSync(holder, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
  } catch {
    // A full disk must not prevent a start, but must not name an earlier holder either.
    rmSync(holder, { force: true });
  }
  return () => {
    if (!held.delete(lock)) return;
    rmSync(holder, { force: true });
    // No other process has begun anything here before the unlock.
    unmark();
    removeUnused(root, made);
    lock.close();
  };
}

function removeUnused(root: string, made: readonly string[]): void {
  if (made.at(-1) !== root) return;
  try {
    const names = readdirSync(root);
    if (names.some((name) => !isOfLock(name))) return;
    for (const name of names) rmSync(join(root, name), { force: true });
    for (const path of made.toReversed()) rmdirSync(path);
  } catch {}
}

function makeDirectory(path: string): string[] {
  const made: string[] = [];
  try {
    makeDirectories(path, made);
    // SQLite does not say why it cannot open a file.
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return made;
  } catch (error) {
    throw asDataDirError(path, error);
  }
}

/** Node's recursive mkdir reports ENOENT for a read-only disk, and never returns below /proc. */
function makeDirectories(path: string, made: string[]): void {
  const parent = dirname(path);
  try {
    if (!existsSync(parent)) makeDirectories(parent, made);
    mkdirSync(path, { mode: 0o700 });
    made.push(path);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!isThere || !statSync(path).isDirectory()) throw error;
  }
}

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

function takeLock(path: string): DatabaseSync {
  let lock: DatabaseSync | null = null;
  try {
    lock = new sqlite.DatabaseSync(join(path, LOCK), { timeout: 0 });
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    // The last holder may have just deleted the file. Then no other process would see this lock.
    if (!existsSync(join(path, LOCK))) throw new Error('it has just been removed');
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode === SQLITE_FULL) {
      const full = Object.assign(new Error(message), { code: 'ENOSPC' });
      throw asDataDirError(path, full);
    }
    if (errcode === SQLITE_BUSY) {
      throw new DataDirError(
        `another netd ${whoHolds(path)} is running on ${path}; stop it first, or choose another --data-dir`,
      );
    }
    throw new DataDirError(
      `${join(path, LOCK)} cannot be locked (${message}): put the data directory on a disk that can be written to and knows file locks`,
    );
  }
}

function whoHolds(path: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(join(path, HOLDER), 'utf8')) as Holder;
    return `(process ${pid} on ${host})`;
  } catch {
    return '(which has not said yet who it is)';
  }
}
