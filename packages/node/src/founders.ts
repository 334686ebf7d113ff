import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataDirError, writeOnce } from '@netd/engine';
import { nodeId } from '@netd/engine/cometbft';
import { devnetGenesis, validateGenesis } from '@netd/ledger';
import type { Genesis, GenesisPolicy } from '@netd/protocol';
import { GENESIS_FILE, isPlausibleTime } from './data-dir.ts';
import { ensureKeyFile, type KeyFile } from './keys.ts';

export interface ValidatorCard {
  schema: 'NET-VALIDATOR-CARD/1';
  chainId: string;
  validatorId: string;
  /** SPKI PEM. */
  consensusPublicKey: string;
  /** A place or provider. Validators that share it may fail together. */
  faultDomain: string;
  /** `id@host:port`. */
  peer: string;
}

type Founder = Pick<ValidatorCard, 'validatorId' | 'consensusPublicKey' | 'faultDomain'>;

export const validatorKeyPath = (root: string): string => join(root, 'keys', 'validator.json');
export const defaultEngineHome = (root: string): string => join(root, 'cometbft');

/**
 * Keeps existing keys. The caller holds the lock.
 * @throws DataDirError if they belong to another validator
 */
export function makeValidatorKeys(
  path: string,
  {
    chainId,
    validatorId,
    faultDomain,
    address,
  }: Pick<ValidatorCard, 'chainId' | 'validatorId' | 'faultDomain'> & { address: string },
): ValidatorCard {
  const root = resolve(path);
  const key = ensureKeyFile(validatorKeyPath(root), chainId, validatorId);
  if (key.chainId !== chainId || key.actorId !== validatorId) {
    throw new DataDirError(
      `${validatorKeyPath(root)} is the key of ${key.actorId} of ${key.chainId}: name another --data-dir`,
    );
  }
  return {
    schema: 'NET-VALIDATOR-CARD/1',
    chainId,
    validatorId,
    consensusPublicKey: key.publicKey,
    faultDomain,
    peer: `${nodeId(defaultEngineHome(root))}@${address}`,
  };
}

/** @throws DataDirError if `netd engine init` did not print the card */
export function readValidatorCard(path: string): ValidatorCard {
  try {
    const card = JSON.parse(readFileSync(path, 'utf8')) as ValidatorCard;
    const members = [card.chainId, card.validatorId, card.consensusPublicKey, card.faultDomain];
    if (
      card.schema === 'NET-VALIDATOR-CARD/1' &&
      members.every((member) => typeof member === 'string')
    ) {
      return card;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new DataDirError(`there is no ${path}`, { cause: error });
    }
  }
  throw new DataDirError(`${path} is not what netd engine init prints with --json`);
}

/** With one vote each, CometBFT's rounding would keep one of four validators from fetching missed blocks. */
const FOUNDER_POWER = 1_000;

export function genesisOfMany(
  founders: readonly Founder[],
  {
    operator,
    ...options
  }: { chainId: string; genesisTime: string; operator: KeyFile; policy?: GenesisPolicy },
): Genesis {
  const [first] = founders;
  if (!first) throw new RangeError('a chain has at least one validator');
  const { actorId, publicKey } = operator;
  const genesis = devnetGenesis({ ...options, operator: { actorId, publicKey }, validator: first });
  const validators = founders.map(({ validatorId, consensusPublicKey, faultDomain }) => ({
    validatorId,
    consensusPublicKey,
    votingPower: FOUNDER_POWER,
    faultDomain,
  }));
  return { ...genesis, validators };
}

/**
 * The caller holds the lock.
 * @throws DataDirError if the cards do not match, or there is already a chain
 */
export function beginChainOfMany(
  path: string,
  cards: readonly ValidatorCard[],
  { now, policy }: { now: number; policy?: GenesisPolicy },
): { genesis: Genesis; operatorKeyPath: string } {
  const root = resolve(path);
  const genesisPath = join(root, GENESIS_FILE);
  if (existsSync(genesisPath)) throw new DataDirError(`${genesisPath} is there already`);
  const [chainId = '', ...others] = new Set(cards.map((card) => card.chainId));
  if (others.length > 0) {
    throw new DataDirError(
      `these validators are of several chains (${[chainId, ...others].join(', ')}): run netd engine init for one`,
    );
  }
  if (!isPlausibleTime(now)) {
    throw new DataDirError(
      `the clock of this machine says ${new Date(now).toISOString()}, which cannot be right, and a new chain would be dated by it for good; set the clock, and start again`,
    );
  }
  const operatorKeyPath = join(root, 'keys', 'operator.json');
  const operator = ensureKeyFile(operatorKeyPath, chainId, 'operator');
  const genesisTime = new Date(now).toISOString();
  const genesis = genesisOfMany(cards, {
    chainId,
    genesisTime,
    operator,
    ...(policy ? { policy } : {}),
  });
  const fault = validateGenesis(genesis);
  if (fault) throw new DataDirError(`these validators make no genesis: ${fault}`);
  writeOnce(genesisPath, `${JSON.stringify(genesis, null, 2)}\n`, 0o644);
  return { genesis, operatorKeyPath };
}
