/**
 * Limits connections, because without free file descriptors the node could not start a thread or read a page.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** File descriptors for the process, its database, its own requests, and threads. */
export const RESERVED_FILES = 112 + 16 * availableParallelism();
const MIN_CONNECTIONS = 64;

export class OpenFilesError extends Error {
  override name = 'OpenFilesError';
}

/**
 * Returns Infinity if the limit is unknown.
 * @throws OpenFilesError with a sentence for the operator
 */
export function connectionsAllowed(): number {
  const openFiles = maxOpenFiles();
  const connections = openFiles - RESERVED_FILES;
  if (connections >= MIN_CONNECTIONS) return connections;
  throw new OpenFilesError(
    `this process may open ${openFiles} files, and a node needs ${RESERVED_FILES} for itself and ${MIN_CONNECTIONS} for connections: ` +
      'allow more with ulimit -n 65536, or LimitNOFILE=65536 in a systemd unit',
  );
}

/**
 * Returns the soft limit, which Node raises to the hard one; Infinity unless the system reports it as Linux
 * does.
 */
export function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
