/**
 * Builds the published SDK into packages/sdk/dist, from where a node serves it. `npm ci` runs it last
 * (docs/decisions/120). Builds are reproducible.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSdk } from './build/package.ts';

export const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

/** Writes changed files atomically, because a node may be reading. */
export async function writeSdk(directory: string = DIST): Promise<void> {
  const files = await buildSdk();
  mkdirSync(directory, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(directory, name);
    if (isWritten(path, bytes)) continue;
    const temporary = join(directory, `.${randomUUID()}.tmp`);
    try {
      writeFileSync(temporary, bytes);
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
  }
}

function isWritten(path: string, bytes: Buffer): boolean {
  try {
    return readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}

if (import.meta.main) await writeSdk();
