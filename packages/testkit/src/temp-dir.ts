import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();

/**
 * A directory of its own for one test, or a file of tests, removed afterwards. Hooks run in the order of their
 * registration, so that whatever uses the directory is stopped after its removal and may write into it once more:
 * what is there when the process ends is removed then.
 */
export function tempDir(t: { after: (remove: () => void) => void }): string {
  const path = mkdtempSync(join(tmpdir(), 'netd-test-'));
  if (made.size === 0) process.once('exit', () => made.forEach(remove));
  made.add(path);
  t.after(() => remove(path));
  return path;
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}
