import { getSystemErrorName } from 'node:util';

export class DataDirError extends Error {
  override name = 'DataDirError';
}

/** Refusals by the file system. Other errors are defects. */
const FILE_SYSTEM_REFUSALS: Readonly<Record<string, string>> = {
  EEXIST: 'is a file: choose a directory with --data-dir',
  ENOENT: 'cannot be made there, or a file in it is gone: choose another --data-dir',
  ENOTDIR: 'lies below a file: choose a directory with --data-dir',
  EISDIR:
    'holds a directory in the place of a file: put the file back, or choose another --data-dir',
  EROFS:
    'lies on a disk that is read-only: make it writable (its file system may have met an error), or choose another --data-dir',
  EACCES:
    'may not be read and written by this user: change its owner, or choose another --data-dir',
  EPERM: 'may not be read and written by this user: change its owner, or choose another --data-dir',
  ENOSPC: 'lies on a disk that is full: make room, and start again',
  EDQUOT: 'lies on a disk whose quota is used up: make room, and start again',
  EFBIG:
    'holds a file that may grow no further: raise the limit of this user (ulimit -f) or of its file system, and start again',
  EXDEV:
    'spans two disks, and a file cannot be moved from one to the other: move it by hand, or choose another --data-dir',
  EIO: 'lies on a disk that cannot be read or written: look into the system log before you go on',
};

export function asDataDirError(path: string, error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  // LMDB's errors have the system's numbers, or negative ones of its own.
  const name = typeof code === 'number' && code > 0 ? getSystemErrorName(-code) : String(code);
  const refusal = FILE_SYSTEM_REFUSALS[name];
  if (refusal === undefined) return error;
  return new DataDirError(`the data directory ${path} ${refusal} (${String(message)})`, {
    cause: error,
  });
}
