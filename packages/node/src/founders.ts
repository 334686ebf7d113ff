import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataDirError, writeOnce } from '@netd/engine';
import { beginSigningPlace, nodeId } from '@netd/engine/cometbft';
import {
  DEVNET_POLICY,
  DEVNET_VALIDATOR_SET,
  devnetGenesis,
  GENESIS_SHARES,
  validateGenesis,
  withChangingSet,
} from '@netd/ledger';
import {
  netText,
  TOTAL_SUPPLY,
  type Genesis,
  type GenesisPolicy,
  type ValidatorSetPolicy,
} from '@netd/protocol';
import {
  fault,
  requireTogether,
  signOperatorCard,
  signValidatorCard,
  type CardFile,
  type OperatorCard,
  type ValidatorCard,
} from './cards.ts';
import { GENESIS_FILE } from './data-dir.ts';
import { ensureKeyFile, type KeyFile } from './keys.ts';
import { isPlausibleTime } from './plausible-time.ts';

export {
  cardFaults,
  readCard,
  readOperatorCard,
  readValidatorCard,
  type CardFile,
  type OperatorCard,
  type ValidatorCard,
} from './cards.ts';

export const validatorKeyPath = (root: string): string => join(root, 'keys', 'validator.json');
export const ownerKeyPath = (root: string): string => join(root, 'keys', 'owner.json');
export const operatorKeyPath = (root: string): string => join(root, 'keys', 'operator.json');
export const signsHerePath = (root: string): string => join(root, 'keys', 'signs-here.json');
export const defaultEngineHome = (root: string): string => join(root, 'cometbft');

/** Makes the key with an empty record of signatures. Keeps an existing key, and begins no record for it. */
export function ensureValidatorKey(root: string, chainId: string, validatorId: string): KeyFile {
  const path = validatorKeyPath(root);
  // Write the record first: if the call is interrupted, the next one makes the key.
  if (!existsSync(path)) beginSigningPlace(signsHerePath(root), defaultEngineHome(root));
  return ensureKeyFile(path, chainId, validatorId);
}

/** The least bond that the policy allows, in unet. */
export const DEFAULT_BOND = DEVNET_POLICY.operators.minimumBonds.validator;

interface ValidatorFacts {
  chainId: string;
  validatorId: string;
  faultDomain: string;
  /** `host:port`. */
  address: string;
  /** In unet; default the least. */
  bond?: number | undefined;
}

/**
 * Keeps existing keys. The caller holds the lock.
 * @throws DataDirError if they belong to another validator
 */
export function makeValidatorKeys(
  path: string,
  { chainId, validatorId, faultDomain, address, bond = DEFAULT_BOND }: ValidatorFacts,
): ValidatorCard {
  const root = resolve(path);
  const consensus = ensureValidatorKey(root, chainId, validatorId);
  requireOwn(validatorKeyPath(root), consensus, chainId, validatorId);
  const owner = ensureKeyFile(ownerKeyPath(root), chainId, validatorId);
  requireOwn(ownerKeyPath(root), owner, chainId, validatorId);
  const peer = `${nodeId(defaultEngineHome(root))}@${address}`;
  return signValidatorCard({ faultDomain, peer, bond }, { consensus, owner });
}

/**
 * Keeps an existing key. The caller holds the lock.
 * @throws DataDirError if it belongs to another operator or chain
 */
export function makeOperatorKey(path: string, chainId: string, actorId: string): OperatorCard {
  const file = operatorKeyPath(resolve(path));
  const key = ensureKeyFile(file, chainId, actorId);
  requireOwn(file, key, chainId, actorId);
  return signOperatorCard(key);
}

function requireOwn(file: string, key: KeyFile, chainId: string, actorId: string): void {
  if (key.chainId === chainId && key.actorId === actorId) return;
  throw new DataDirError(
    `${file} is the key of ${key.actorId} of ${key.chainId}: name another --data-dir`,
  );
}

interface BeginOptions {
  now: number;
  policy?: GenesisPolicy;
  /** Default: the key of the operator is made in the data directory. */
  operator?: CardFile<OperatorCard> | undefined;
  set?: Partial<Pick<ValidatorSetPolicy, 'termHeights' | 'maximum'>>;
}

/**
 * Makes the genesis of a chain from the cards of its founders. The caller holds the lock.
 * @throws DataDirError if cards conflict, or there is already a chain
 */
export function beginChainOfMany(
  path: string,
  cards: readonly CardFile<ValidatorCard>[],
  { now, policy = DEVNET_POLICY, operator: given, set }: BeginOptions,
): Genesis {
  const root = resolve(path);
  const genesisPath = join(root, GENESIS_FILE);
  if (existsSync(genesisPath)) throw new DataDirError(`${genesisPath} is there already`);
  const [first] = cards;
  if (!first) throw new RangeError('a chain has at least one validator');
  if (!isPlausibleTime(now)) {
    throw new DataDirError(
      `the clock of this machine says ${new Date(now).toISOString()}, which cannot be right, and a new chain would be dated by it for good; set the clock, and start again`,
    );
  }
  const { chainId } = first.card;
  const rules = { ...DEVNET_VALIDATOR_SET, ...set };
  requireBonds(cards, policy);
  if (cards.length > rules.maximum) {
    throw new DataDirError(
      `${cards.length} validators are more than the ${rules.maximum} that may sign: name a higher --maximum`,
    );
  }
  requireTogether(cards, given);
  const operator = given?.card ?? makeOperatorKey(root, chainId, 'operator');
  const { validatorId, consensusPublicKey } = first.card;
  const { actorId, publicKey } = operator;
  const genesis = withChangingSet(
    devnetGenesis({
      chainId,
      genesisTime: new Date(now).toISOString(),
      operator: { actorId, publicKey },
      validator: { validatorId, consensusPublicKey },
      policy,
    }),
    cards.map(({ card }) => card),
    rules,
  );
  const invalid = validateGenesis(genesis);
  if (invalid !== null) throw new DataDirError(`these validators make no genesis: ${invalid}`);
  writeOnce(genesisPath, `${JSON.stringify(genesis, null, 2)}\n`, 0o644);
  return genesis;
}

function requireBonds(cards: readonly CardFile<ValidatorCard>[], policy: GenesisPolicy): void {
  const least = policy.operators.minimumBonds.validator;
  let left = TOTAL_SUPPLY - Object.values(GENESIS_SHARES).reduce((sum, share) => sum + share, 0);
  for (const { file, card } of cards) {
    if (card.bond < least) {
      throw fault(
        file,
        'bond',
        `is ${netText(card.bond)}, and a validator needs ${netText(least)}`,
      );
    }
    left -= card.bond;
    if (left < 0) throw fault(file, 'bond', 'and those before it are more than the treasury has');
  }
}
