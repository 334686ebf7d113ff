/** The secret that local clients need for laboratory calls and unsigned writes. */
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RunningNode } from '@netd/node';
import { replaceFile } from '@netd/engine/durable-file';
import type { DataDirFacts } from './data-dir-facts.ts';

/**
 * Copies the secret to `~/.netd/control/<port>`, because clients rarely know the data directory.
 * @returns a function that deletes the file
 */
export function leaveControlToken({ control, url }: RunningNode): () => void {
  if (!control) return () => {};
  const text = `${control.token}\n`;
  const path = join(homedir(), '.netd', 'control', new URL(url).port || '80');
  try {
    replaceFile(path, text, 0o600);
  } catch {
    // Without a home directory, clients must name the data directory or set NET_CONTROL_TOKEN.
    return () => {};
  }
  return () => {
    if (readControlToken(path) === control.token) rmSync(path, { force: true });
  };
}

/** Returns the node's secret; undefined if it needs none or this user may not read it. */
export function controlTokenOf(
  facts: Pick<DataDirFacts, 'controlPath'> | null,
): string | undefined {
  return facts?.controlPath ? readControlToken(facts.controlPath) : undefined;
}

function readControlToken(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
