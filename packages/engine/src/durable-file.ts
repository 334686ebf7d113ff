/** Files that are on disk when a function returns, most of them whole or not at all. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Whether a file of this name is one that `writeOnce` has not ended, or that its process died over. */
export const isDraft = (name: string): boolean => /^\.\d+\.[a-z0-9]+\.draft$/.test(name);

/** Writes a file durably and all at once; one that is there already stays as it is. */
export function writeOnce(path: string, text: string, mode: number): void {
  const draft = writeDraft(path, text, mode);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(dirname(path));
}

/**
 * Writes a file durably and all at once, in the place of the one that was there: at no moment there is none.
 * @param content made with its descriptor where it depends on which file it is
 */
export function replaceFile(
  path: string,
  content: string | ((file: number) => Buffer),
  mode: number,
): void {
  const draft = writeDraft(path, content, mode);
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** @returns the path of a file beside this one, which is on disk */
function writeDraft(
  path: string,
  content: string | ((file: number) => Buffer),
  mode: number,
): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.${process.pid}.${randomBytes(6).toString('hex')}.draft`);
  const file = openSync(draft, 'wx', mode);
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content(file);
    writeSync(file, bytes);
    fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return draft;
}

/** Writes a file that is of no use before something else names it, readable by its owner alone: it may be there in part. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the content of a file durable that others have written. */
export function syncFile(path: string): void {
  sync(path, 'r+');
}

/** Makes what was linked, renamed or removed in a directory durable. */
export function syncDirectory(path: string): void {
  sync(path, 'r');
}

function sync(path: string, flags: string): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
