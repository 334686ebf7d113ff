import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();

/**
 * Creates a directory that is removed after the test. Hooks run in registration order, so its users stop later and
 * may write again; such leftovers are removed when the process exits.
 * @param parent directory; default TMPDIR
 */
export function tempDir(t: { after: (remove: () => void) => void }, parent = tmpdir()): string {
  const path = mkdtempSync(join(parent, 'netd-test-'));
  if (made.size === 0) process.once('exit', () => made.forEach(remove));
  made.add(path);
  t.after(() => remove(path));
  return path;
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}
