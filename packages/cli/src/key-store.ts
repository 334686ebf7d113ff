/** Finds the keys that `netd join` created: `<key dir>/<chain id>/<actor id>.json`. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withoutByteOrderMark } from '@netd/protocol/visible-text';

export function defaultKeyDir(): string {
  const home = process.env['NET_HOME'];
  return home === undefined || home === '' ? join(homedir(), '.netd', 'keys') : home;
}

export const keyPath = (keyDir: string, chainId: string, actorId: string): string =>
  join(keyDir, chainId, `${actorId}.json`);

/**
 * Returns true if other users may read or write the file; always false on Windows, which has no such modes.
 */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

export interface KeyEntry {
  chainId: string;
  actorId: string;
  path: string;
  /** The node at which the agent was registered; null if unknown. */
  url: string | null;
  publicKey: string;
  publicKeyHash: string;
  /** The session of the key; null if the key is the agent's own. */
  sessionId: string | null;
  sealed: boolean;
}

export function listKeys(keyDir: string): KeyEntry[] {
  return namesIn(keyDir).flatMap((chain) =>
    namesIn(join(keyDir, chain))
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => entryOf(join(keyDir, chain, name)) ?? []),
  );
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => !name.startsWith('.'))
      .sort();
  } catch {
    return [];
  }
}

const SCHEMAS = new Set(['NET-AGENT-KEY/1', 'NET-SESSION-FILE/1']);

function entryOf(path: string): KeyEntry | null {
  try {
    const text = withoutByteOrderMark(readFileSync(path, 'utf8'));
    const file = JSON.parse(text) as Record<string, unknown>;
    const member = (name: string): string | null =>
      typeof file[name] === 'string' ? file[name] : null;
    const [chainId, actorId, publicKey, publicKeyHash] = [
      member('chainId'),
      member('actorId'),
      member('publicKey'),
      member('publicKeyHash'),
    ];
    if (
      !SCHEMAS.has(String(file['schema'])) ||
      !chainId ||
      !actorId ||
      !publicKey ||
      !publicKeyHash
    )
      return null;
    const [url, sessionId] = [member('url'), member('sessionId')];
    const sealed = member('privateKey') === null;
    return { chainId, actorId, path, url, publicKey, publicKeyHash, sessionId, sealed };
  } catch {
    return null;
  }
}
