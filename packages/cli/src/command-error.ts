/** Something the person at the terminal can put right; the message says how. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** Errors that are sentences for the person at the terminal; anything else is a defect and shows its stack. */
const KNOWN_ERRORS = new Set([
  'DataDirError',
  'KeyFileError',
  'ServeError',
  'ServeBlobsError',
  'FollowError',
  'StoreError',
  'NetError',
  'CommandError',
  'UnexpectedHeadError',
]);

export function reportError(error: unknown): void {
  const known = error instanceof Error && KNOWN_ERRORS.has(error.name);
  console.error(known ? `netd: ${error.message}` : error);
}
