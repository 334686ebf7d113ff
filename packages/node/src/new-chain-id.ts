import { randomInt } from 'node:crypto';

/** Letters and digits that are not taken for one another, read aloud or copied by hand. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 8;

/** An id that no chain bears yet: what is signed for a chain is then good on no other. */
export function newChainId(): string {
  const drawn = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `net-devnet-${drawn.join('')}`;
}
