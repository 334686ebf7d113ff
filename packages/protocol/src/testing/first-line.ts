import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * The first line that a program prints on its standard output, which is how it says that it is ready.
 * @throws Error with how it ended, where it ends before that
 */
export function firstLine(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (!child.stdout) throw new TypeError('its output is not piped');
  child.once('error', reject);
  child.once('exit', (code, signal) => {
    // What it has printed may still be on its way.
    child.stdout?.once('close', () => {
      reject(new Error(`${child.spawnargs.join(' ')} ended with ${String(code ?? signal)}`));
    });
  });
  createInterface({ input: child.stdout }).once('line', resolve);
  return promise;
}
