/** Clients of databases, installed on demand because only these tests need them. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SharedStore } from '@netd/sdk';
import { cachedPackages, unlessMissing } from '../../../../scripts/cached-environment.ts';
import { postgresStore } from '../postgres.ts';
import { valkeyStore } from '../valkey.ts';

const PINNED = { iovalkey: '0.4.0', pg: '8.23.1' };
const MOST_TO_INSTALL = 180_000;

/** Types of packages that are not here when this is compiled. */
type Foreign = any; // oxlint-disable-line typescript/no-explicit-any

/** Returns the folder with the packages; null if they cannot be installed. */
export async function installClients(): Promise<string | null> {
  const made = cachedPackages('homes', PINNED, MOST_TO_INSTALL);
  return unlessMissing('stores of agents', made);
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
    const ends: Promise<unknown>[] = [];
    pool.on('connect', (connection: Foreign) => ends.push(once(connection, 'end')));
    return {
      store: (agentId) => postgresStore((text, values) => pool.query(text, values), agentId),
      prepare: async (statement) => void (await pool.query(statement)),
      // The pool ends before its connections. If the server ended one of them, it would report an error.
      close: async () => {
        await pool.end();
        await Promise.all(ends);
      },
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
