/** Several validators before there is a chain: the keys of each, what it tells the others, and the genesis that names them all. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataDirError, writeOnce } from '@netd/engine';
import { nodeId } from '@netd/engine/cometbft';
import { devnetGenesis, validateGenesis } from '@netd/ledger';
import type { Genesis, GenesisPolicy } from '@netd/protocol';
import { GENESIS_FILE, isPlausibleTime } from './data-dir.ts';
import { ensureKeyFile, type KeyFile } from './keys.ts';

/** What a validator tells the others of itself. None of it is secret. */
export interface ValidatorCard {
  schema: 'NET-VALIDATOR-CARD/1';
  chainId: string;
  validatorId: string;
  /** SPKI PEM. */
  consensusPublicKey: string;
  /** What it fails together with: a place, a provider. */
  faultDomain: string;
  /** `id@host:port`: how its engine is reached. */
  peer: string;
}

type Founder = Pick<ValidatorCard, 'validatorId' | 'consensusPublicKey' | 'faultDomain'>;

/** Where the parts of a validator's data directory lie. */
export const validatorKeyPath = (root: string): string => join(root, 'keys', 'validator.json');
export const defaultEngineHome = (root: string): string => join(root, 'cometbft');

/**
 * Makes the keys of a validator where they are not there, and says what the others need to know. The caller holds the lock.
 * @throws DataDirError where the keys there are another validator's
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

/** @throws DataDirError where it is not what `netd engine init` prints */
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

/**
 * Of each validator alike. CometBFT takes the integer third of all power for what the others cannot do without: with one vote each, one of
 * four would not fetch blocks after a time away, but vote from where it was.
 */
const FOUNDER_POWER = 1_000;

/** A genesis with one operator, and these validators with as many votes each. */
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
 * Makes the operator's key and the genesis of a chain of several validators. The caller holds the lock.
 * @throws DataDirError where the cards do not go together, or there is a chain
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
