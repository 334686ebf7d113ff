/** A data directory: genesis, keys, database, checkpoints, and the lock that keeps two nodes apart. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { devnetGenesis, validateGenesis } from '@netd/ledger';
import type { Genesis } from '@netd/protocol';
import { ensureKeyFile, writeOnce, type KeyFile } from './keys.ts';

export const DEFAULT_CHAIN_ID = 'net-devnet-1';

export class DataDirError extends Error {
  override name = 'DataDirError';
}

export interface DataDir {
  path: string;
  genesis: Genesis;
  operator: KeyFile;
  operatorKeyPath: string;
  validator: KeyFile;
  storePath: string;
  checkpointsPath: string;
}

/**
 * Opens a data directory, or makes a new one with fresh keys and a genesis of its own.
 * @throws DataDirError where the files contradict each other or the request
 */
export function openDataDir(
  path: string,
  options: { chainId?: string; open?: boolean; now: () => number },
): DataDir {
  const root = resolve(path);
  const genesisPath = join(root, 'genesis.json');
  const known = readGenesis(genesisPath);
  const chainId = known?.chainId ?? options.chainId ?? DEFAULT_CHAIN_ID;
  if (known && options.chainId !== undefined && known.chainId !== options.chainId) {
    throw new DataDirError(
      `${root} holds the chain ${known.chainId}, not ${options.chainId}; choose another --data-dir`,
    );
  }
  if (known && options.open === true && !known.open) {
    throw new DataDirError(
      `${root} holds a chain in secure mode; open mode is a property of a chain's genesis: choose another --data-dir`,
    );
  }
  const operatorKeyPath = join(root, 'keys', 'operator.json');
  // Keys first, genesis last: a stop in between leaves keys that the next start uses.
  const operator = ensureKeyFile(operatorKeyPath, chainId, 'operator');
  const validator = ensureKeyFile(join(root, 'keys', 'validator.json'), chainId, 'validator-1');
  if (known && !isValidatorOf(known, validator)) {
    throw new DataDirError(
      `${join(root, 'keys', 'validator.json')} is not the key of a validator in ${genesisPath}: nothing it signs would be final; put the old key back`,
    );
  }
  if (!known) {
    const genesis = devnetGenesis({
      chainId,
      genesisTime: new Date(options.now()).toISOString(),
      operator: { actorId: operator.actorId, publicKey: operator.publicKey },
      validator: { validatorId: validator.actorId, consensusPublicKey: validator.publicKey },
      open: options.open ?? false,
    });
    writeOnce(genesisPath, `${JSON.stringify(genesis, null, 2)}\n`, 0o644);
  }
  const genesis = known ?? readGenesis(genesisPath);
  if (!genesis) throw new DataDirError(`${genesisPath} could not be written`);
  return {
    path: root,
    genesis,
    operator,
    operatorKeyPath,
    validator,
    storePath: join(root, 'chain'),
    checkpointsPath: join(root, 'checkpoints'),
  };
}

function isValidatorOf(genesis: Genesis, { actorId, publicKey }: KeyFile): boolean {
  return genesis.validators.some(
    (validator) => validator.validatorId === actorId && validator.consensusPublicKey === publicKey,
  );
}

function readGenesis(path: string): Genesis | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  let genesis: unknown;
  try {
    genesis = JSON.parse(text);
  } catch {
    throw new DataDirError(`${path} is not JSON`);
  }
  const fault = validateGenesis(genesis);
  if (fault) throw new DataDirError(`${path} is not a valid genesis document: ${fault}`);
  return genesis as Genesis;
}

/** Who holds a lock: a process id alone may have been given to somebody else since. */
interface Holder {
  pid: number;
  /** When the process started, in the clock ticks of its kernel; '' where that cannot be told. */
  started: string;
}

/**
 * Takes the lock of a data directory; the result gives it back.
 * @throws DataDirError where a living process holds it
 */
export function lockDataDir(path: string): () => void {
  const lock = join(path, 'lock');
  const me: Holder = { pid: process.pid, started: startOf(process.pid) };
  // Written elsewhere and linked into place: nobody ever sees a lock without its holder in it.
  const draft = `${lock}.${process.pid}.draft`;
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        writeFileSync(draft, JSON.stringify(me), { mode: 0o600 });
        linkSync(draft, lock);
        return () => rmSync(lock, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(lock);
      if (holder && isAlive(holder)) {
        throw new DataDirError(
          `another netd (process ${holder.pid}) is running on ${path}; stop it first, or choose another --data-dir`,
        );
      }
      removeStaleLock(lock, holder);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new DataDirError(`the lock ${lock} could not be taken`);
}

/** Removes the lock of a process that was killed, and no other: two starters may have found the same stale one. */
function removeStaleLock(lock: string, stale: Holder | null): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readHolder(aside);
  if (JSON.stringify(taken) !== JSON.stringify(stale)) linkSync(aside, lock);
  rmSync(aside, { force: true });
}

function readHolder(lock: string): Holder | null {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const started = startOf(holder.pid);
  return started === '' || holder.started === '' || started === holder.started;
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The 22nd field; the second, the command in parentheses, may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
