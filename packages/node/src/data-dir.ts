import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { devnetGenesis, validateGenesis } from '@netd/ledger';
import type { Genesis, GenesisFork, GenesisPolicy } from '@netd/protocol';
import {
  asDataDirError,
  DataDirError,
  isDraft,
  isOurDocument,
  requireFreeSpace,
  StoreError,
  WHAT_TO_DO,
  writeOnce,
} from '@netd/engine';
import { ensureKeyFile, readKeyFile, type KeyFile } from './keys.ts';
import { type ChosenId, chosenIdFault, isChosenId, newChainId } from './chain-ids.ts';
import { isPlausibleTime } from './plausible-time.ts';

export const GENESIS_FILE = 'genesis.json';
export const FOLLOWER_FACTS = 'follow.json';
/** In `keys/`: the record of a writer that a follower replaced. That writer never signs again. */
export const RETIRED = 'last-signed.retired.json';

export interface DataDir {
  path: string;
  genesis: Genesis;
  storePath: string;
  checkpointsPath: string;
}

export interface ValidatorDir extends DataDir {
  operator: KeyFile;
  operatorKeyPath: string;
  validator: KeyFile;
  lastSignedPath: string;
}

export interface ForkStart {
  point: GenesisFork;
  epoch: number;
  operatorId: string;
  policy: GenesisPolicy;
  /** Milliseconds since 1970; the fork's time continues from there. */
  notBefore: number;
}

interface DataDirOptions extends ChosenId {
  open?: boolean;
  laboratory?: boolean;
  /** Policy of a new chain; default: a devnet's. */
  policy?: GenesisPolicy;
  fork?: ForkStart | undefined;
  now: () => number;
}

/**
 * Opens the directory, or creates it with new keys and a genesis. The caller holds the lock.
 * @throws DataDirError if the files contradict each other or the request, or the disk refuses; KeyFileError
 */
export function openDataDir(path: string, options: DataDirOptions): ValidatorDir {
  const root = resolve(path);
  try {
    return open(root, options);
  } catch (error) {
    throw asDataDirError(root, error);
  }
}

const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));

function open(root: string, options: DataDirOptions): ValidatorDir {
  const genesisPath = join(root, GENESIS_FILE);
  const known = readGenesis(genesisPath);
  if (known && !isChosenId(known.chainId, options)) {
    const suffix = options.unique === true ? ' with a random suffix' : '';
    throw new DataDirError(
      `${root} holds the chain ${known.chainId}, not ${options.chainId}${suffix}; choose another --data-dir`,
    );
  }
  const idFault = known ? null : chosenIdFault(options);
  if (idFault !== null) throw new DataDirError(idFault);
  if (known && options.open === true && !known.open) {
    throw new DataDirError(
      `${root} holds a chain in secure mode; open mode is a property of a chain's genesis: choose another --data-dir`,
    );
  }
  if (known && options.laboratory !== undefined) {
    const isLaboratory = known.laboratory === true;
    if (isLaboratory !== options.laboratory) {
      throw new DataDirError(
        isLaboratory
          ? `${root} holds the chain of a laboratory: go on with netd dev --lab, or choose another --data-dir`
          : `${root} holds a chain that is no laboratory, and none becomes one: choose another --data-dir`,
      );
    }
  }
  const { fork } = options;
  const now = options.now();
  if (!known && !isPlausibleTime(now)) {
    throw new DataDirError(
      `the clock of this machine says ${new Date(now).toISOString()}, which cannot be right, and a new chain would be dated by it for good; set the clock, and start again`,
    );
  }
  const genesisTime = Math.max(now, fork?.notBefore ?? 0);
  sweepLeftovers(root);
  if (existsSync(join(root, FOLLOWER_FACTS))) {
    throw new DataDirError(
      `${root} belongs to a follower, which holds no validator's key: go on with netd follow, or choose another --data-dir`,
    );
  }
  const operatorKeyPath = join(root, 'keys', 'operator.json');
  const validatorKeyPath = join(root, 'keys', 'validator.json');
  const lastSignedPath = join(root, 'keys', 'last-signed.json');
  if (existsSync(join(root, 'keys', RETIRED))) {
    throw new DataDirError(
      `a follower has taken the place of the writer in ${root} (keys/${RETIRED} says so), and to sign with its key here again would fork the chain: follow the new writer, with netd follow and another --data-dir`,
    );
  }
  if (!known && existsSync(lastSignedPath)) {
    throw new DataDirError(
      `${genesisPath} is missing, and the keys in ${join(root, 'keys')} are those of a chain: put it back, or move keys/ away for a new chain`,
    );
  }
  // Write no keys and genesis without space for the first block.
  if (!known) requireFreeSpace(nearestFolder(root));
  // Write genesis last: after a crash, the next start uses these keys and their chain id.
  const chainId = known?.chainId ?? idOfNewChain(options, chainOf(operatorKeyPath));
  const keyFile = (keyPath: string, actorId: string): KeyFile =>
    known ? requireKeyFile(keyPath, genesisPath) : ensureKeyFile(keyPath, chainId, actorId);
  const operatorId = fork?.operatorId ?? known?.operators[0]?.actorId ?? 'operator';
  const operator = keyFile(operatorKeyPath, operatorId);
  const validator = keyFile(validatorKeyPath, 'validator-1');
  // The key may have been rotated; the actor id stays.
  if (known?.operators.every(({ actorId }) => actorId !== operator.actorId) === true) {
    throw new DataDirError(
      `${operatorKeyPath} is the key of ${operator.actorId}, which is no operator in ${genesisPath}; put the operator's key back`,
    );
  }
  if (known && !isValidatorOf(known, validator)) {
    throw new DataDirError(
      `${validatorKeyPath} is not the key of a validator in ${genesisPath} (an older one, or another chain's): no node would take a block that it signs, and a chain of one validator cannot give it another key; put the old key back`,
    );
  }
  if (!known) {
    const genesis = devnetGenesis({
      chainId,
      genesisTime: new Date(genesisTime).toISOString(),
      operator: { actorId: operator.actorId, publicKey: operator.publicKey },
      validator: { validatorId: validator.actorId, consensusPublicKey: validator.publicKey },
      open: options.open ?? false,
      laboratory: options.laboratory ?? false,
      ...(fork
        ? { policy: fork.policy, fork: { point: fork.point, epoch: fork.epoch } }
        : options.policy
          ? { policy: options.policy }
          : {}),
    });
    writeOnce(genesisPath, `${JSON.stringify(genesis, null, 2)}\n`, 0o644);
  }
  const genesis = known ?? readGenesis(genesisPath);
  if (!genesis) throw new DataDirError(`${genesisPath} could not be written`);
  return { ...placesIn(root), genesis, operator, operatorKeyPath, validator, lastSignedPath };
}

export function asForkDirError(path: string, error: unknown): unknown {
  const { name, message } = error as Error;
  if (name !== 'WrongStateError' && name !== 'ChunkLostError') return error;
  return new DataDirError(`${path} is damaged (${message}): put it back from a backup`);
}

export function placesIn(root: string): Omit<DataDir, 'genesis'> {
  return { path: root, storePath: join(root, 'chain'), checkpointsPath: join(root, 'checkpoints') };
}

/** Removes what a killed process leaves: its address file, and drafts, which may hold keys. */
export function sweepLeftovers(root: string): void {
  for (const folder of [root, join(root, 'keys')]) {
    for (const name of namesIn(folder)) {
      if (isDraft(name)) rmSync(join(folder, name), { force: true });
    }
  }
  const facts = join(root, 'dev.json');
  if (isOurDocument(facts)) rmSync(facts, { force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function idOfNewChain({ chainId, unique = false }: ChosenId, begun: string | null): string {
  if (chainId !== undefined && !unique) return chainId;
  return begun !== null &&
    isChosenId(begun, { ...(chainId === undefined ? {} : { chainId }), unique })
    ? begun
    : newChainId(chainId);
}

function chainOf(keyPath: string): string | null {
  return existsSync(keyPath) ? readKeyFile(keyPath).chainId : null;
}

function requireKeyFile(path: string, genesisPath: string): KeyFile {
  try {
    return readKeyFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new DataDirError(
      `${path} is missing, and a new key would not be one of ${genesisPath}: put the old one back, or choose another --data-dir for a new chain`,
    );
  }
}

function isValidatorOf(genesis: Genesis, { actorId, publicKey }: KeyFile): boolean {
  return genesis.validators.some(
    (validator) => validator.validatorId === actorId && validator.consensusPublicKey === publicKey,
  );
}

/**
 * Returns null if there is no genesis.
 * @throws DataDirError if it is invalid
 */
export function readGenesis(path: string): Genesis | null {
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

/** Replaces an error of the database by a sentence for the operator. */
export function asDatabaseError(dataDir: string, error: unknown): unknown {
  const { name, code, message } = error as { name: string; code?: unknown; message: string };
  // LMDB's own errors have negative numbers. SyntaxError comes from a damaged text.
  if (name !== 'SyntaxError' && !(typeof code === 'number' && code < 0)) return error;
  return new StoreError(
    `the database in ${resolve(dataDir)} cannot be read (${message}): ${WHAT_TO_DO}`,
    { cause: error },
  );
}
