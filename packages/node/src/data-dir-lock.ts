/**
 * One data directory, one process. The kernel keeps the lock, so it holds across containers that share a volume and
 * goes with its process however that ends; SQLite takes it, because Node brings it along and has no file lock of its
 * own (docs/decisions/021-data-directories-and-clock.md).
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

/** Stays empty. It must not be opened elsewhere in this process: when a process closes a file, it loses all its locks on it. */
const LOCK = 'node.lock';
/** Who holds the lock, for people; it decides nothing. */
const HOLDER = 'node.json';

const sqlite = loadSqlite();

/** Node 22 calls it experimental, on the terminal of every operator. What is used of it is a file lock. */
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
  /** In a container, its id. */
  host: string;
}

/** Referenced from here, or the garbage collector would close them. */
const held = new Set<DatabaseSync>();

/**
 * Takes a folder for netd: makes it if it is missing, locks it and marks it as ours. The result gives the lock back, and removes
 * folders that were made here and not used: a command that was refused leaves nothing behind.
 * @throws DataDirError if the folder is not ours, another process holds it, or the disk refuses
 */
export function lockDataDir(path: string, kind: FolderKind = 'node'): () => void {
  const root = resolve(path);
  const made = makeDirectory(root);
  requireOwnFolder(root, kind);
  const lock = takeLock(root);
  held.add(lock);
  const unmark = markFolder(root, kind);
  const holder = join(root, HOLDER);
  try {
    writeFileSync(holder, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
  } catch {
    // A full disk keeps no node from starting, but no earlier holder is to be named.
    rmSync(holder, { force: true });
  }
  return () => {
    if (!held.delete(lock)) return;
    rmSync(holder, { force: true });
    // While it is held: no other process has begun anything here.
    unmark();
    removeUnused(root, made);
    lock.close();
  };
}

/** @param made the innermost last */
function removeUnused(root: string, made: readonly string[]): void {
  if (made.at(-1) !== root) return;
  try {
    // SQLite keeps an empty journal beside it.
    const names = readdirSync(root);
    if (names.some((name) => !isOfLock(name))) return;
    for (const name of names) rmSync(join(root, name), { force: true });
    for (const path of made.toReversed()) rmdirSync(path);
  } catch {
    // Something was put there meanwhile, or the disk refuses: it stays.
  }
}

/** @returns the directories that were not there, the innermost last */
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

/** One at a time: Node's recursive mkdir says ENOENT of a read-only disk, and never returns from below /proc. */
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
    // No journal: nothing is ever written.
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    // Its holder of before may have taken the file away between the two: then no other process would see this lock.
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
