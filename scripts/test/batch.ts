/**
 * Many test files in one process, each in a suite of its own: what they share (the ledger, Fastify, the database) is loaded
 * once instead of once a file, which is most of what a small file takes. `--test-isolation=none` would run the hooks at the
 * top of each file around all of them; within a suite they stay where they are.
 *
 *   node scripts/test/batch.ts <file>…
 */
import { resolve } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  void describe(file, async () => {
    await import(pathToFileURL(resolve(file)).href);
  });
}
