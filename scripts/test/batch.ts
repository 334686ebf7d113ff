/**
 * Runs several test files in one process, each in its own suite, so that shared modules load once.
 * `--test-isolation=none` would run each file's top-level hooks around all files.
 * node scripts/test/batch.ts <file>…
 */
import { resolve } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  void describe(file, async () => {
    await import(pathToFileURL(resolve(file)).href);
  });
}
