/**
 * How many connections a node may hold: each is an open file, and so is much of what the node needs for itself. Were they all
 * taken by clients, it could start no thread, read no module and open no page, and would end of that.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** For the process, its database, its own requests, and threads that start when they are needed, one and a half a core. */
export const RESERVED_FILES = 112 + 16 * availableParallelism();
/** Fewer are of no use. */
const MIN_CONNECTIONS = 64;

/** The process may not open the files that a node needs. */
export class OpenFilesError extends Error {
  override name = 'OpenFilesError';
}

/**
 * Connections at once that leave the node its own files. Infinity where the system does not tell its limit as Linux does.
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
 * Files that this process may open, connections among them: the soft limit, which Node raises to the hard one when it starts.
 * Infinity where the system does not tell it as Linux does.
 */
export function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
