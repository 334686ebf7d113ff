import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asDataDirError, DataDirError, writeOnce } from '@netd/engine';
import { beginRecord, readRecord, requireSigningPlace } from '@netd/engine/cometbft';
import { genesisHash, type Genesis } from '@netd/protocol';
import {
  FOLLOWER_FACTS,
  GENESIS_FILE,
  placesIn,
  readGenesis,
  RETIRED,
  sweepLeftovers,
  type DataDir,
} from './data-dir.ts';
import { defaultEngineHome, signsHerePath, validatorKeyPath } from './founders.ts';
import { readKeyFile, type KeyFile } from './keys.ts';

export interface CometDir extends DataDir {
  /** Null on a full node, or if a remote signer has the key. */
  validator: KeyFile | null;
  /** Address to which the signer connects: `tcp://host:port` or `unix://path`. */
  remoteSigner: string | null;
  engineHome: string;
}

export interface CometDirOptions {
  genesisFile?: string | undefined;
  /** Default: in the data directory. */
  engineHome?: string | undefined;
  onlyHere?: boolean | undefined;
  fullNode?: boolean | undefined;
  /** Address to which the signer connects: `tcp://host:port` or `unix://path`. */
  remoteSigner?: string | undefined;
}

/**
 * Opens the directory, or initializes it from the given genesis. The caller holds the lock.
 * @throws DataDirError, KeyFileError, CometbftHomeError
 */
export function openCometDir(path: string, options: CometDirOptions): CometDir {
  const root = resolve(path);
  try {
    return open(root, options);
  } catch (error) {
    throw asDataDirError(root, error);
  }
}

function open(
  root: string,
  { genesisFile, engineHome, onlyHere = false, fullNode = false, remoteSigner }: CometDirOptions,
): CometDir {
  sweepLeftovers(root);
  const { genesis, isNew, validator } = requireCometDir(root, {
    genesisFile,
    fullNode,
    remoteSigner,
  });
  const home = resolve(engineHome ?? defaultEngineHome(root));
  const signing = { root, home, onlyHere };
  if (remoteSigner !== undefined) leaveSigning(signing);
  else if (validator) takeSigning(signing);
  // Write genesis last, so that a refused start leaves no chain.
  const text = `${JSON.stringify(genesis, null, 2)}\n`;
  if (isNew) writeOnce(join(root, GENESIS_FILE), text, 0o644);
  return {
    ...placesIn(root),
    genesis,
    validator,
    remoteSigner: remoteSigner ?? null,
    engineHome: home,
  };
}

/**
 * Returns what a start would read, and writes nothing. The record of signatures is for the start to check.
 * @throws DataDirError, KeyFileError if the directory cannot serve this role
 */
export function requireCometDir(
  root: string,
  {
    genesisFile,
    fullNode = false,
    remoteSigner,
  }: Pick<CometDirOptions, 'genesisFile' | 'fullNode' | 'remoteSigner'>,
): { genesis: Genesis; isNew: boolean; validator: KeyFile | null } {
  if (existsSync(join(root, FOLLOWER_FACTS))) {
    throw new DataDirError(
      `${root} belongs to a follower: go on with netd follow, or choose another --data-dir`,
    );
  }
  if (existsSync(join(root, 'keys', RETIRED))) {
    throw new DataDirError(
      `a follower has taken the place of the writer in ${root} (keys/${RETIRED} says so): choose another --data-dir`,
    );
  }
  if (existsSync(join(root, 'keys', 'last-signed.json'))) {
    throw new DataDirError(
      `the chain in ${root} is that of a single validator, and goes on with netd dev only`,
    );
  }
  const known = genesisFor(root, genesisFile);
  const key = validatorKeyPath(root);
  if (remoteSigner !== undefined && existsSync(key)) {
    throw new DataDirError(
      `${key} is here, and --remote-signer says that a signer elsewhere has the key. In two places it would sign twice, and that is punished: take the file away, or leave --remote-signer away`,
    );
  }
  const signs = !fullNode && remoteSigner === undefined;
  return { ...known, validator: signs ? validatorOf(root, known.genesis) : null };
}

interface Signing {
  root: string;
  home: string;
  onlyHere: boolean;
}

/** Exists while a remote signer has the key and the record of signatures. */
export const signsElsewhereFile = (root: string): string =>
  join(root, 'keys', 'signs-elsewhere.json');
const recordIn = (home: string): string => join(home, 'data', 'priv_validator_state.json');

/** @throws DataDirError if this directory could sign besides the remote signer */
function leaveSigning({ root, home, onlyHere }: Signing): void {
  if (existsSync(signsHerePath(root)) && !onlyHere) {
    const height = readRecord(home, true);
    if (height > 0) {
      throw new DataDirError(
        `a key has signed here up to height ${height} of CometBFT: hand ${recordIn(home)} to the signer with the key, then say --only-here once`,
      );
    }
    // An empty record proves that nothing was signed, unless it is a copy: the original may have signed since.
    requireSigningPlace(signsHerePath(root), home, false);
  }
  const text = `${JSON.stringify({ schema: 'NET-SIGNS-ELSEWHERE/1' })}\n`;
  writeOnce(signsElsewhereFile(root), text, 0o600);
  if (!existsSync(signsHerePath(root))) return;
  if (existsSync(recordIn(home))) renameSync(recordIn(home), `${recordIn(home)}.handed-over`);
  beginRecord(home);
  rmSync(signsHerePath(root), { force: true });
}

/** @throws DataDirError if a remote signer has signed and its record is not here */
function takeSigning({ root, home, onlyHere }: Signing): void {
  const elsewhere = signsElsewhereFile(root);
  if (existsSync(elsewhere)) {
    if (!onlyHere || readRecord(home, true) === 0) {
      throw new DataDirError(
        `a signer elsewhere has signed for this node: stop it for good, put its record of what it signed last to ${recordIn(home)}, then say --only-here once`,
      );
    }
  }
  requireSigningPlace(signsHerePath(root), home, onlyHere);
  rmSync(elsewhere, { force: true });
}

export function genesisFor(
  root: string,
  file: string | undefined,
): { genesis: Genesis; isNew: boolean } {
  const known = readGenesis(join(root, GENESIS_FILE));
  const given = file === undefined ? null : readGenesis(resolve(file));
  if (file !== undefined && given === null) {
    throw new DataDirError(`there is no ${file}: name the genesis that all validators share`);
  }
  if (known && given && genesisHash(known) !== genesisHash(given)) {
    throw new DataDirError(
      `${root} holds the chain ${known.chainId} (genesis ${genesisHash(known)}), and ${file} is another genesis (${given.chainId}, ${genesisHash(given)}): choose another --data-dir, or leave --genesis away`,
    );
  }
  const genesis = known ?? given;
  if (!genesis) {
    throw new DataDirError(
      `there is no chain in ${root}: name the genesis that all validators share with --genesis (netd genesis new --validators makes it)`,
    );
  }
  if (genesis.laboratory === true) {
    throw new DataDirError(
      `${genesis.chainId} is a laboratory, which is for one machine: go on with netd dev --lab`,
    );
  }
  return { genesis, isNew: known === null };
}

export function validatorOf(root: string, { chainId, validators, policy }: Genesis): KeyFile {
  const path = validatorKeyPath(root);
  if (!existsSync(path)) {
    throw new DataDirError(
      `${path} is missing: put the key of this validator back, or say --full-node to take part without one`,
    );
  }
  const key = readKeyFile(path);
  const named = validators.find(({ validatorId }) => validatorId === key.actorId);
  if (named?.consensusPublicKey === key.publicKey) return key;
  // A validator that joined later is in no genesis. It has no vote until the chain grants one.
  if (!named && key.chainId === chainId && policy.validatorSet !== undefined) return key;
  throw new DataDirError(
    named
      ? `${path} is not the key that the genesis of ${chainId} names for ${key.actorId}: no other validator would count its votes; put the right one back`
      : `${path} is the key of ${key.actorId}, and the genesis of ${chainId} names ${validators.map(({ validatorId }) => validatorId).join(', ')}: it is another chain's genesis, or another validator's key`,
  );
}
