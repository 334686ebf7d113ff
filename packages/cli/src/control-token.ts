/** Local clients find the secret by the node's port. */
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RunningNode } from '@netd/node';
import { replaceFile } from '@netd/engine/durable-file';
import type { DataDirFacts } from './data-dir-facts.ts';

/**
 * Writes `~/.netd/control/<port>`, because local clients rarely know the data directory.
 * @returns a function that deletes it
 */
export function leaveControlToken({ control, url }: RunningNode): () => void {
  if (!control) return () => {};
  const text = `${control.token}\n`;
  const path = join(homedir(), '.netd', 'control', new URL(url).port || '80');
  try {
    replaceFile(path, text, 0o600);
  } catch {
    // Without a home directory, clients name the data directory or set NET_CONTROL_TOKEN.
    return () => {};
  }
  return () => {
    // Another node may have this port by now.
    if (readControlToken(path) === control.token) rmSync(path, { force: true });
  };
}

/** Returns the node's secret; undefined if it needs none, or this user may not read it. */
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
