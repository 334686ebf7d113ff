/**
 * Checks that native modules load and the database opens, in a child process that a damaged file may crash.
 */
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '@netd/engine';
import { timestampToMs } from '@netd/protocol';
import { explained } from '../command-error.ts';
import { fault, type Finding, good, warning } from './finding.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/netd.mjs', import.meta.url));

interface Probed {
  chainId: string | null;
  height: number | null;
  /**
   * Milliseconds since 1970; null without a chain, and in a laboratory, whose time differs from real time.
   */
  lastBlockTime: number | null;
  entries: number;
  read: number;
  error: string | null;
  complaint: string | null;
}

const READ_OF_A_TABLE = 20_000;
const JSON_TABLES = new Set(['blocks', 'transitions', 'events', 'state']);

const NOTHING: Probed = {
  chainId: null,
  height: null,
  lastBlockTime: null,
  entries: 0,
  read: 0,
  error: null,
  complaint: null,
};

export async function nativeParts(): Promise<Finding> {
  const scratch = mkdtempSync(join(tmpdir(), 'netd-doctor-'));
  try {
    const { error, complaint } = await probeElsewhere(scratch, 'scratch');
    const todo = 'Install netd again here, with the npm of this Node: binaries are for one system.';
    if (error !== null) return fault('native parts', error, todo);
    if (complaint !== null) return warning('native parts', complaint, todo);
    return good('native parts', 'lmdb and libsodium load and work');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @returns the finding, and the time of the last block; null if it cannot show the clock's error */
export async function database(
  dataDir: string,
): Promise<{ finding: Finding; lastBlockTime: number | null }> {
  const path = join(dataDir, 'chain');
  if (!existsSync(path)) {
    const finding = good('database', `none in ${dataDir} yet: the first start makes it`);
    return { finding, lastBlockTime: null };
  }
  const { chainId, height, lastBlockTime, entries, read, error } = await probeElsewhere(
    path,
    'read',
  );
  if (error !== null) {
    const todo =
      'netd verify names the damage; docs/operations.md says how to get blocks back from a follower or a backup.';
    return { finding: fault('database', error, todo), lastBlockTime: null };
  }
  const found = `${chainId ?? 'no chain'} up to height ${height ?? 0}; read ${read} of ${entries} entries, but no hash and no signature: netd verify checks them all`;
  return { finding: good('database', found), lastBlockTime };
}

async function probeElsewhere(path: string, how: 'scratch' | 'read'): Promise<Probed> {
  const child = fork(LAUNCHER, ['doctor', '--probe', how, '--data-dir', path], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise((resolve) => {
    let probed: Probed | null = null;
    child.once('message', (message: Probed) => (probed = message));
    // Wait for `close`, because `exit` can come before the message.
    child.once('close', (code, signal) => {
      const end = `reading ${path} ended the process (${signal ?? code})`;
      resolve(probed ?? { ...NOTHING, error: end });
    });
  });
}

function timeOfHead(store: Store): number {
  const snapshot = store.snapshot();
  try {
    return timestampToMs(snapshot.block.header.timestamp);
  } finally {
    snapshot.close();
  }
}

function requireJson(table: string, text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw new Error(`an entry of the table ${table} is damaged`);
  }
}

/**
 * Reads the first entries of each table, because damage shows only on reading.
 * @throws Error if an entry is unreadable
 */
function readEntries(store: Store): { entries: number; read: number } {
  const snapshot = store.snapshot();
  let [entries, read] = [0, 0];
  try {
    for (const name of Object.keys(store.tables) as (keyof Store['tables'])[]) {
      entries += (store.tables[name].getStats() as { entryCount: number }).entryCount;
      let left = READ_OF_A_TABLE;
      for (const { value } of snapshot.entries(name)) {
        if (JSON_TABLES.has(name)) requireJson(name, String(value));
        read += 1;
        if (--left === 0) break;
      }
    }
    return { entries, read };
  } finally {
    snapshot.close();
  }
}

export async function probe(path: string, how: string): Promise<void> {
  const tell = (probed: Probed): void =>
    void process.send?.(probed, () => {
      if (process.connected) process.disconnect();
    });
  try {
    const { loadSignatureCheck, Store } = await import('@netd/engine');
    let complaint: string | null = null;
    await loadSignatureCheck((sentence) => (complaint = sentence));
    const store = Store.open(path, how === 'scratch' ? { scratch: true } : { readOnly: true });
    const genesis = store.genesis();
    const height = store.headHeight();
    const isDated = height !== null && genesis?.laboratory !== true;
    const lastBlockTime = isDated ? timeOfHead(store) : null;
    const counts = height === null ? {} : readEntries(store);
    await store.close();
    const chainId = genesis?.chainId ?? null;
    tell({ ...NOTHING, chainId, height, lastBlockTime, ...counts, complaint });
  } catch (error) {
    tell({ ...NOTHING, error: (explained(error) as Error).message });
  }
}
