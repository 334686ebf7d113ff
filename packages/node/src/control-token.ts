/** Writes the secret that a laboratory or an open node wants for its controls (docs/decisions/114-the-laboratory.md). */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { replaceFile } from '@netd/engine/durable-file';
import { ServeError } from './serve-error.ts';

export interface ControlToken {
  token: string;
  /** The file that holds it, readable by its owner only. */
  path: string;
}

/** What a header can carry as it is, and nobody guesses. */
const USABLE = /^[\x21-\x7e]{16,256}$/;

/**
 * Writes the token into a data directory in place of the last one, so that a leaked token is worth nothing after a restart.
 * @param given the operator's own token; without it a random one
 * @throws ServeError if the given token is too short, too long, or no header can carry it
 */
export function writeControlToken(dataDir: string, given?: string): ControlToken {
  if (given !== undefined && !USABLE.test(given)) {
    throw new ServeError(
      'NET_CONTROL_TOKEN must have 16 to 256 visible ASCII characters without blanks: use for example openssl rand -hex 32',
    );
  }
  const path = join(dataDir, 'keys', 'control');
  const token = given ?? randomBytes(32).toString('hex');
  replaceFile(path, `${token}\n`, 0o600);
  return { token, path };
}
