import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { replaceFile } from '@netd/engine/durable-file';
import { ServeError } from './serve-error.ts';

export interface ControlToken {
  token: string;
  path: string;
}

/** Valid in a header, and long enough not to be guessed. */
const USABLE = /^[\x21-\x7e]{16,256}$/;

/**
 * Writes a token. A random one expires with a restart.
 * @param given the operator's own; random by default
 * @throws ServeError if its length or characters are invalid
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
