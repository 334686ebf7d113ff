/**
 * One data directory, one process. The kernel keeps the lock, so it holds across containers that share a volume and
 * goes with its process however that ends; SQLite takes it, because Node brings it along and has no file lock of its
 * own (docs/decisions/021-lock-and-clock.md).
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { asDataDirError, DataDirError } from './data-dir-error.ts';

/** Stays empty. Nobody else may open it: when a process closes a file, it loses all its locks on it. */
const LOCK = 'node.lock';
/** Who holds the lock, for people; it decides nothing. */
const HOLDER = 'node.json';

interface Holder {
  pid: number;
  /** In a container, its id. */
  host: string;
}

/** Referenced from here, or the garbage collector would close them. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock of a data directory, which is made where it is not there; the result gives it back.
 * @throws DataDirError where another process holds it, or the disk refuses
 */
export function lockDataDir(path: string): () => void {
  const root = resolve(path);
  makeDirectory(root);
  const lock = takeLock(root);
  held.add(lock);
  const holder = join(root, HOLDER);
  try {
    writeFileSync(holder, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
  } catch {
    // A full disk keeps no node from starting, but nobody is to read of an earlier holder.
    rmSync(holder, { force: true });
  }
  return () => {
    if (!held.delete(lock)) return;
    rmSync(holder, { force: true });
    lock.close();
  };
}

function makeDirectory(path: string): void {
  try {
    makeDirectories(path);
    // SQLite does not say why it cannot open a file.
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw asDataDirError(path, error);
  }
}

/** One at a time: Node's recursive mkdir says ENOENT of a read-only disk, and never returns from below /proc. */
function makeDirectories(path: string): void {
  const parent = dirname(path);
  try {
    if (!existsSync(parent)) makeDirectories(parent);
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!isThere || !statSync(path).isDirectory()) throw error;
  }
}

const SQLITE_BUSY = 5;

function takeLock(path: string): DatabaseSync {
  let lock: DatabaseSync | null = null;
  try {
    lock = new DatabaseSync(join(path, LOCK), { timeout: 0 });
    // No journal: nothing is ever written.
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) {
      throw new DataDirError(
        `another netd ${whoHolds(path)} is running on ${path}; stop it first, or choose another --data-dir`,
      );
    }
    throw new DataDirError(
      `${join(path, LOCK)} cannot be locked (${(error as Error).message}): put the data directory on a disk that can be written to and knows file locks`,
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
