/** The roles of a node. Each option table makes the help of a command, the checks of a file and docs/configuration.md. */
import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { ServiceManager } from './service-manager.ts';
import type { Terminal } from './terminal.ts';

/** Parts of a running service that SIGHUP needs. */
interface Live<Options> {
  log: Logger;
  manager: ServiceManager;
  /** Applies the live options, except the log level. */
  apply: (options: Options) => Promise<void> | void;
}

export type OnLive<Options> = (live: Live<Options>) => () => void;

/** Facts of a start, besides the options. */
export interface Starting<Options> {
  terminal: Terminal;
  json?: boolean | undefined;
  onlyHere?: boolean | undefined;
  /** Set if the options come from a file. */
  onLive?: OnLive<Options> | undefined;
}

export interface Role<Options = never> {
  addOptions(command: Command): Command;
  /** Options of the command that a file may not have, each with the alternative. */
  notHere: Readonly<Record<string, string>>;
  /** Defaults that differ from those of the command. */
  defaults?: Readonly<Record<string, unknown>>;
  dataDirIs: string;
  /** Other options that name files, relative to the configuration's folder. */
  paths?: readonly string[];
  /** Options that SIGHUP applies. */
  live: readonly string[];
  /** @throws CommandError if a start would be refused */
  requireStartable(options: Options): Promise<void> | void;
  run(options: Options, starting: Starting<Options>): Promise<void>;
}

interface RoleEntry {
  is: string;
  /** The command that is a short form of this role. */
  command: string;
  load: () => Promise<Role>;
}

export const ROLES = {
  writer: {
    is: 'makes the blocks of a chain with one validator',
    command: 'netd dev',
    load: async () => (await import('./commands/dev.ts')).WRITER,
  },
  validator: {
    is: 'signs the blocks of a chain with several validators',
    command: 'netd start',
    load: async () => (await import('./commands/start.ts')).VALIDATOR,
  },
  'full-node': {
    is: 'takes part in the network of validators without a key: a sentry, for example',
    command: 'netd start --full-node',
    load: async () => (await import('./commands/start.ts')).FULL_NODE,
  },
  follower: {
    is: 'verifies the blocks of other nodes, and serves every read',
    command: 'netd follow',
    load: async () => (await import('./commands/follow.ts')).FOLLOWER,
  },
  'blob-store': {
    is: 'keeps the bytes behind the hashes of the chain',
    command: 'netd blobs',
    load: async () => (await import('./commands/blobs.ts')).BLOB_STORE,
  },
} as const satisfies Record<string, RoleEntry>;

export type RoleName = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as RoleName[];

export const isRoleName = (name: unknown): name is RoleName =>
  typeof name === 'string' && Object.hasOwn(ROLES, name);
