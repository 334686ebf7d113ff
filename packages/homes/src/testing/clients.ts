/** Clients of databases, installed on demand because only these tests need them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SharedStore } from '@netd/sdk';
import { sha256Hex } from '@netd/protocol';
import {
  cachedEnvironment,
  runToEnd,
  unlessMissing,
} from '../../../../scripts/cached-environment.ts';
import { postgresStore } from '../postgres.ts';
import { valkeyStore } from '../valkey.ts';

const PINNED = { iovalkey: '0.4.0', pg: '8.23.1' };
const MOST_TO_INSTALL = 180_000;

/** Types of packages that are not here when this is compiled. */
type Foreign = any; // oxlint-disable-line typescript/no-explicit-any

/** Returns the folder with the packages; null if they cannot be installed. */
export async function installClients(): Promise<string | null> {
  const name = `homes-${sha256Hex(JSON.stringify(PINNED)).slice(0, 12)}`;
  return unlessMissing(
    'stores of agents',
    cachedEnvironment(name, async (folder) => {
      mkdirSync(folder, { recursive: true });
      const manifest = JSON.stringify({ private: true, dependencies: PINNED });
      writeFileSync(join(folder, 'package.json'), manifest);
      const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
      const args = ['install', '--prefix', folder, '--ignore-scripts', ...quiet];
      await runToEnd('npm', args, AbortSignal.timeout(MOST_TO_INSTALL));
    }),
  );
}

/** @param clients the folder that `installClients` returned */
async function load(clients: string, name: string): Promise<Foreign> {
  const { resolve } = createRequire(join(clients, 'package.json'));
  const { default: found } = await import(pathToFileURL(resolve(name)).href);
  return found;
}

export interface Opened {
  /** Returns the store of an agent. */
  store: (agentId: string) => SharedStore;
  /** Runs a statement of SQL; in Valkey, does nothing. */
  prepare: (statement: string) => Promise<void>;
  close: () => Promise<void>;
}

export type Kind = 'postgres' | 'valkey';

/** @param socket folder or file of the server's socket */
export async function openStores(kind: Kind, socket: string, clients: string): Promise<Opened> {
  if (kind === 'postgres') {
    const { Pool } = await load(clients, 'pg');
    const pool = new Pool({ host: socket, user: 'postgres', database: 'postgres' });
    return {
      store: (agentId) => postgresStore((text, values) => pool.query(text, values), agentId),
      prepare: async (statement) => void (await pool.query(statement)),
      close: () => pool.end(),
    };
  }
  const Valkey = await load(clients, 'iovalkey');
  const client = new Valkey(socket);
  return {
    store: (agentId) => valkeyStore((args) => client.call(...args), `netd:${agentId}`),
    prepare: async () => {},
    close: async () => void (await client.quit()),
  };
}
