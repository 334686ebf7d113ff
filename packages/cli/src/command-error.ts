/** Something the person at the terminal can put right; the message says how. */
export class CommandError extends Error {
  override name = 'CommandError';
}
