/**
 * Writes the files of a new action, and lists what actions still lack. Without arguments it only lists, as `npm run check` does.
 *
 *   npm run new-action -- work declineWork
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesOf } from './files.ts';
import { lacks } from './lacks.ts';

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
// What is not decided loads as an empty list, so that the rest is listed too.
Object.assign(globalThis, { DECIDE: [] });
const [domain, name] = process.argv.slice(2);
if (domain !== undefined) {
  for (const [path, text] of Object.entries(await filesOf(domain, name ?? ''))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
const missing = await lacks();
if (missing.length > 0) {
  console.error(['Actions still lack:', ...missing].join('\n  '));
  // Files that were just written lack everything.
  if (domain === undefined) process.exitCode = 1;
}
