/** If clients held every file, the node could not start a thread or read a page. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The process, its database, its own requests, and threads: one and a half per core. */
export const RESERVED_FILES = 112 + 16 * availableParallelism();
/** Fewer are useless. */
const MIN_CONNECTIONS = 64;

export class OpenFilesError extends Error {
  override name = 'OpenFilesError';
}

/**
 * Infinity if the system does not report its limit as Linux does.
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

/** The soft limit, which Node raises to the hard one. Infinity if the system does not report it as Linux does. */
export function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
