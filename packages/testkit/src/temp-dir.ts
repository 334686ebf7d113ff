import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of its own for one test, or a file of tests, removed afterwards. */
export function tempDir(t: { after: (remove: () => void) => void }): string {
  const path = mkdtempSync(join(tmpdir(), 'netd-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
