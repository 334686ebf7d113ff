import { tmpdir } from 'node:os';
import { printableUrl } from '@netd/protocol/printable-url';
import { EXIT, type ExitName } from './exit-codes.ts';
import { printable } from './printable.ts';

export class CommandError extends Error {
  override name = 'CommandError';
  readonly exit: ExitName;
  readonly code: string;

  constructor(message: string, code = 'FAILED', exit: ExitName = 'failed') {
    super(message);
    this.code = code;
    this.exit = exit;
  }
}

/** Reports a mistyped command. Nothing has happened yet. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, 'USAGE', 'usage');
  }
}

export class UnreachableError extends CommandError {
  constructor(message: string) {
    super(message, 'UNREACHABLE', 'unreachable');
  }
}

/** Names of errors that have a sentence for the user. Other errors are defects and show their stack. */
const KNOWN_ERRORS = new Set([
  'AgentError',
  'BlobServiceError',
  'DataDirError',
  'CometbftHomeError',
  'EngineAddressError',
  'EngineBinaryError',
  'FormatError',
  'KeyFileError',
  'LostAnswerError',
  'ServeError',
  'ServeExplorerError',
  'ServeBlobsError',
  'FollowError',
  'ForkPointError',
  'StoreError',
  'NetError',
  'VerificationError',
  'StaleStateError',
  'CommandError',
  'UnexpectedHeadError',
  'UnknownRulesError',
]);

/** What to do if the system refuses a file that a command reads or writes. */
const FILE_REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'make it, or name another one',
  ENOTDIR: 'a part of this path is a file; name another one',
  EISDIR: 'name a file, not a directory',
  EACCES: 'change its owner, or name another one',
  EPERM: 'change its owner, or name another one',
  EROFS: 'this disk is read-only; name a file on another one',
  ENOSPC: 'the disk is full; make room, and run the command again',
  EDQUOT: 'the quota of the disk is used up; make room, and run the command again',
  EIO: 'the disk cannot be read or written; look into the system log',
};

const isOfFile = (syscall: unknown): boolean =>
  typeof syscall === 'string' && !/^(?:bind|connect|listen|spawn)/.test(syscall);

export function explained(error: unknown): unknown {
  const { code, url, syscall } = error as { code?: unknown; url?: unknown; syscall?: unknown };
  if (code === 'ERR_MODULE_NOT_FOUND' && String(url).includes('/generated/')) {
    return new CommandError(
      'This checkout is not built: run npm run build in it, or npm ci.',
      'NOT_BUILT',
    );
  }
  if (error instanceof Error && error.message.startsWith('MDB_')) {
    return new CommandError(
      `the database file cannot be read (${error.message}), so it is damaged: put chain/ back from a backup (netd restore), or get its blocks from followers (netd recover)`,
      'DATABASE_DAMAGED',
    );
  }
  if (syscall === 'mkdtemp') {
    return new CommandError(
      `no temporary folder can be made in ${tmpdir()} (${String(code)}): make it, or name another one with TMPDIR`,
      'NO_TEMPORARY_FOLDER',
    );
  }
  if (syscall === 'uv_cwd') {
    return new CommandError(
      'The working directory was deleted: change to another.',
      'WORKING_DIRECTORY_GONE',
    );
  }
  const remedy = FILE_REMEDIES[String(code)];
  if (error instanceof Error && remedy !== undefined && isOfFile(syscall)) {
    return new CommandError(`${error.message}: ${remedy}`, 'FILE_REFUSED');
  }
  return error;
}

export function isKnownError(error: unknown): error is Error {
  return error instanceof Error && (error instanceof CommandError || KNOWN_ERRORS.has(error.name));
}

/** Returns the sentence of a known error, otherwise null. */
export function sentenceOf(error: unknown): string | null {
  // A node chose this text, so it must not contain control characters.
  return isKnownError(error) ? printable(printableUrl(error.message)) : null;
}

export function reportError(error: unknown): void {
  const sentence = sentenceOf(error);
  console.error(sentence === null ? error : `netd: ${sentence}`);
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return EXIT[error.exit];
  if (isLostAnswer(error)) return EXIT.unreachable;
  if (lacksRules(error)) return EXIT.outdated;
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (code === 'USAGE' || code === 'URL_INVALID') return EXIT.usage;
  if (code === 'NODE_UNREACHABLE') return EXIT.unreachable;
  if (status === 429 || status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  return isConnectionError(error) ? EXIT.unreachable : EXIT.failed;
}

const isLostAnswer = (error: unknown): boolean =>
  error instanceof Error && error.name === 'LostAnswerError';

/** Compare the name, because an error from another thread has lost its class. */
const lacksRules = (error: unknown): boolean =>
  error instanceof Error && error.name === 'UnknownRulesError';

/** Returns true if the node did not answer a request of the SDK or of this program. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof CommandError) return false;
  return (
    (error as { code?: unknown }).code === 'UNREACHABLE' ||
    error.name === 'TimeoutError' ||
    (error.name === 'TypeError' && error.message === 'fetch failed')
  );
}

/** Returns the error as --json prints it, in the form of a problem document (RFC 9457). */
export function problemOf(error: unknown): Record<string, unknown> {
  const { problem, code, message } = error as {
    problem?: Record<string, unknown> | null;
    code?: unknown;
    message?: unknown;
  };
  if (problem) return problem;
  return {
    title: printableUrl(typeof message === 'string' ? message : String(error)),
    code: typeof code === 'string' ? code : codeBy(error),
  };
}

function codeBy(error: unknown): string {
  if (isLostAnswer(error)) return 'ANSWER_LOST';
  if (lacksRules(error)) return 'RULES_UNKNOWN';
  return isConnectionError(error) ? 'UNREACHABLE' : 'FAILED';
}
