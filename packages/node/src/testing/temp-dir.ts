import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A directory of its own for one test, removed afterwards. */
export function tempDir(t: Pick<TestContext, 'after'>): string {
  const path = mkdtempSync(join(tmpdir(), 'netd-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
