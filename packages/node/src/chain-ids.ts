import { randomInt } from 'node:crypto';
import { CHAIN_ID_PATTERN } from '@netd/protocol';

/** Characters that are hard to confuse when read aloud or copied. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 8;
const SUFFIX = new RegExp(String.raw`-(?=[a-z]*\d)[${ALPHABET}]{${LENGTH}}$`);

export interface ChosenId {
  chainId?: string;
  unique?: boolean;
}

/** @param base the prefix of the id */
export function newChainId(base = 'net-devnet'): string {
  for (;;) {
    const drawn = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
    const id = `${base}-${drawn.join('')}`;
    if (SUFFIX.test(id)) return id;
  }
}

/** True if the id is the chosen one, with or without a suffix; `unique` requires a suffix. */
export function isChosenId(id: string, { chainId, unique = false }: ChosenId): boolean {
  if (chainId === undefined || (id === chainId && !unique)) return true;
  return SUFFIX.test(id) && id.replace(SUFFIX, '') === chainId;
}

export function chosenIdFault({ chainId, unique = false }: ChosenId): string | null {
  if (chainId === undefined) return null;
  const quoted = JSON.stringify(chainId);
  if (!isChainId(chainId)) {
    return `${quoted} cannot be the id of a chain: 2 to 50 letters, digits, dots, underscores or hyphens, the first a letter or digit`;
  }
  return unique && !isChainId(newChainId(chainId))
    ? `${quoted} is too long for a random suffix: choose an id of at most ${50 - 1 - LENGTH} characters`
    : null;
}

const isChainId = (id: string): boolean => new RegExp(CHAIN_ID_PATTERN).test(id);

const UNIQUE_ADVICE = '--unique adds a random suffix to the id of a new chain';

/** Warns if another chain may have the same id; null if it is random. */
export function sharedIdWarning(chainId: string, advice = UNIQUE_ADVICE): string | null {
  return SUFFIX.test(chainId)
    ? null
    : `the chain id ${chainId} has no random suffix: if another chain has the same id, whatever an agent signs there counts here too; ${advice}`;
}

export const agreedIdWarning = (chainId: string): string | null =>
  sharedIdWarning(chainId, 'netd genesis id NAME prints one with a suffix, once, for all of you');
