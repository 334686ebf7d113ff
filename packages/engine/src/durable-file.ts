import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** True for an unfinished draft of `writeOnce` or `replaceFile`. */
export const isDraft = (name: string): boolean => /^\.\d+\.[a-z0-9]+\.draft$/.test(name);

/** Writes a file atomically and durably. Keeps an existing one. */
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
 * Replaces a file atomically and durably.
 * @param content a function if it depends on the file descriptor
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

function writeDraft(
  path: string,
  content: string | ((file: number) => Buffer),
  mode: number,
): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.${process.pid}.${randomBytes(6).toString('hex')}.draft`);
  const file = openSync(draft, 'wx', mode);
  try {
    // The system may write only a part if the disk becomes full.
    writeFileSync(file, typeof content === 'string' ? content : content(file));
    fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return draft;
}

/** Durable but not atomic, for files that nothing uses until another file names them. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

export function syncFile(path: string): void {
  sync(path, 'r+');
}

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

export async function hashOfFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
