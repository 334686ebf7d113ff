/** What only a laboratory allows: a chain for tests, whose genesis says that it is one. */
import type { ChainRecord } from './chain-records.ts';

/**
 * Signs intents of any actor of a laboratory, and nothing on any other chain. Its private key is known to all: it is that of
 * the name `anybody` among the keys of laboratories (vectors/lab/keys.json).
 */
export const LABORATORY_KEY =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAazGRfdElRHsc5MBDZL09xzLd/KjwfkD6QZQeiE0XNf4=\n-----END PUBLIC KEY-----\n';

/** The key that stands for that of an actor; null on every chain that is no laboratory. */
export const substituteKey = ({ laboratory }: Pick<ChainRecord, 'laboratory'>): string | null =>
  laboratory === true ? LABORATORY_KEY : null;
