/** Cards with the public keys of a chain's founders. Private keys stay on their machines. */
import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DataDirError } from '@netd/engine';
import {
  ActorId,
  bytesToSign,
  ChainId,
  compileSchema,
  isSignedBy,
  nameOf,
  PublicKeyPem,
  rawKeyFromPem,
  UNET_PER_NET,
  validatePublicKey,
  Validator,
  type Genesis,
} from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import type { KeyFile } from './keys.ts';

const Signature = Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' });

const ValidatorCard = Type.Object(
  {
    schema: Type.Literal('NET-VALIDATOR-CARD/2'),
    chainId: ChainId,
    validatorId: ActorId,
    consensusPublicKey: PublicKeyPem,
    ownerPublicKey: PublicKeyPem,
    /** In unet. */
    bond: Type.Integer({ minimum: UNET_PER_NET, maximum: Number.MAX_SAFE_INTEGER }),
    /** A place or provider. Validators that share it may fail together. */
    faultDomain: Validator.properties.faultDomain,
    /** `id@host:port`. */
    peer: Type.String({ pattern: String.raw`^[0-9a-f]{40}@\S+:\d{1,5}$`, maxLength: 300 }),
    consensusSignature: Signature,
    ownerSignature: Signature,
  },
  { additionalProperties: false },
);
export type ValidatorCard = Static<typeof ValidatorCard>;

const OperatorCard = Type.Object(
  {
    schema: Type.Literal('NET-OPERATOR-CARD/1'),
    chainId: ChainId,
    actorId: ActorId,
    publicKey: PublicKeyPem,
    signature: Signature,
  },
  { additionalProperties: false },
);
export type OperatorCard = Static<typeof OperatorCard>;

/** A card and its file, which refusals name. */
export interface CardFile<Card> {
  file: string;
  card: Card;
}

const CARDS = {
  'NET-VALIDATOR-CARD/2': compileSchema(ValidatorCard),
  'NET-OPERATOR-CARD/1': compileSchema(OperatorCard),
};

const signatureOf = (statement: object, { privateKey }: Pick<KeyFile, 'privateKey'>): string =>
  sign(null, bytesToSign(statement), privateKey).toString('base64');

export function signValidatorCard(
  facts: Pick<ValidatorCard, 'faultDomain' | 'peer' | 'bond'>,
  { consensus, owner }: { consensus: KeyFile; owner: KeyFile },
): ValidatorCard {
  const statement = {
    schema: 'NET-VALIDATOR-CARD/2' as const,
    chainId: consensus.chainId,
    validatorId: consensus.actorId,
    consensusPublicKey: consensus.publicKey,
    ownerPublicKey: owner.publicKey,
    ...facts,
  };
  return {
    ...statement,
    consensusSignature: signatureOf(statement, consensus),
    ownerSignature: signatureOf(statement, owner),
  };
}

export function signOperatorCard(key: KeyFile): OperatorCard {
  const { chainId, actorId, publicKey } = key;
  const statement = { schema: 'NET-OPERATOR-CARD/1' as const, chainId, actorId, publicKey };
  return { ...statement, signature: signatureOf(statement, key) };
}

/** @throws DataDirError naming the member if the file is no card, or a signature does not verify */
export function readCard(file: string): CardFile<ValidatorCard | OperatorCard> {
  let card: Partial<ValidatorCard | OperatorCard> | null;
  try {
    card = JSON.parse(readFileSync(file, 'utf8')) as typeof card;
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new DataDirError(`there is no ${file}`, { cause: error });
    }
    throw new DataDirError(
      `${file} is not JSON: ask for the file again that netd engine init wrote`,
    );
  }
  const schema = card?.schema;
  if (schema === undefined || !Object.hasOwn(CARDS, schema)) {
    throw fault(
      file,
      'schema',
      `is ${JSON.stringify(schema)}, and netd engine init of this version writes NET-VALIDATOR-CARD/2: run it again with the same --data-dir, which keeps the keys`,
    );
  }
  const [violation] = CARDS[schema](card) ?? [];
  if (violation) throw fault(file, violation.path.slice(1), violation.message);
  const whole = card as ValidatorCard | OperatorCard;
  if ('bond' in whole && whole.bond % UNET_PER_NET !== 0) {
    throw fault(file, 'bond', 'is not a whole number of NET');
  }
  requireSignatures(file, whole);
  return { file, card: whole };
}

/** @throws DataDirError if it is not a validator's card */
export function readValidatorCard(file: string): CardFile<ValidatorCard> {
  const { card } = readCard(file);
  if (card.schema === 'NET-VALIDATOR-CARD/2') return { file, card };
  throw fault(file, 'schema', 'is that of an operator: name it with --operator');
}

/** @throws DataDirError if it is not an operator's card */
export function readOperatorCard(file: string): CardFile<OperatorCard> {
  const { card } = readCard(file);
  if (card.schema === 'NET-OPERATOR-CARD/1') return { file, card };
  throw fault(file, 'schema', 'is that of a validator: name it with --validators');
}

function requireSignatures(file: string, card: ValidatorCard | OperatorCard): void {
  const require = (member: string, statement: object, key: string, signature: string): void => {
    const isUsable = validatePublicKey(key) === null;
    if (isUsable && isSignedBy(key, bytesToSign(statement), signature)) return;
    throw fault(
      file,
      member,
      'does not verify: the card was changed after it was signed. Ask for it again',
    );
  };
  if (card.schema === 'NET-OPERATOR-CARD/1') {
    require('signature', card, card.publicKey, card.signature);
    return;
  }
  const { consensusSignature, ownerSignature, ...statement } = card;
  require('consensusSignature', statement, card.consensusPublicKey, consensusSignature);
  require('ownerSignature', statement, card.ownerPublicKey, ownerSignature);
}

/** @throws DataDirError naming file and member, if two cards conflict */
export function requireTogether(
  cards: readonly CardFile<ValidatorCard>[],
  operator: CardFile<OperatorCard> | undefined,
): void {
  const seen = new Map<string, string>();
  const once = (file: string, member: string, kind: string, value: string): void => {
    const key = `${kind} ${value}`;
    const first = seen.get(key);
    if (first !== undefined) {
      throw fault(file, member, `is in ${first} too: each founder needs a card of their own`);
    }
    seen.set(key, `${file} (${member})`);
  };
  const all = operator ? [operator, ...cards] : cards;
  for (const { file, card } of all) {
    const [first = { file, card }] = all;
    if (card.chainId !== first.card.chainId) {
      throw fault(
        file,
        'chainId',
        `is ${card.chainId}, and that of ${first.file} is ${first.card.chainId}: make the card again, for one id and in an empty --data-dir`,
      );
    }
    if (card.schema === 'NET-OPERATOR-CARD/1') {
      once(file, 'actorId', 'name', nameOf(card.actorId));
      once(file, 'publicKey', 'key', rawKey(card.publicKey));
      continue;
    }
    once(file, 'validatorId', 'name', nameOf(card.validatorId));
    once(file, 'consensusPublicKey', 'key', rawKey(card.consensusPublicKey));
    once(file, 'ownerPublicKey', 'key', rawKey(card.ownerPublicKey));
    const [id = '', address = ''] = card.peer.split('@');
    once(file, 'peer', 'id of a peer', id);
    once(file, 'peer', 'address', address);
  }
}

const rawKey = (pem: string): string => String(rawKeyFromPem(pem));

/** Returns a sentence for each member of the card that differs from the genesis. */
export function cardFaults(genesis: Genesis, card: ValidatorCard | OperatorCard): string[] {
  const faults: string[] = [];
  const compare = (member: string, found: unknown, own: unknown): void => {
    if (found === own) return;
    const has = found === undefined ? 'none' : JSON.stringify(found);
    faults.push(`${member}: the genesis has ${has}, and the card ${JSON.stringify(own)}`);
  };
  compare('chainId', genesis.chainId, card.chainId);
  if (card.schema === 'NET-OPERATOR-CARD/1') {
    const found = genesis.operators.find(({ actorId }) => actorId === card.actorId);
    compare('actorId', found?.actorId, card.actorId);
    compare('publicKey', found?.publicKey, card.publicKey);
    return faults;
  }
  const { validatorId } = card;
  const found = genesis.validators.find((each) => each.validatorId === validatorId);
  const owner = genesis.owners?.find((each) => each.validatorId === validatorId);
  compare('validatorId', found?.validatorId, validatorId);
  compare('consensusPublicKey', found?.consensusPublicKey, card.consensusPublicKey);
  compare('ownerPublicKey', owner?.publicKey, card.ownerPublicKey);
  compare('faultDomain', found?.faultDomain, card.faultDomain);
  compare('bond', found && found.votingPower * UNET_PER_NET, card.bond);
  return faults;
}

export const fault = (file: string, member: string, message: string): DataDirError =>
  new DataDirError(`${file}: ${member} ${message}`);
