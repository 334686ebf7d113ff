import type { ChainRecord } from './chain-records.ts';

/**
 * Signs intents of any actor of a laboratory, a test chain whose genesis says so. It is useless on any other
 * chain. The private key is public: the name `anybody` in vectors/lab/keys.json.
 */
export const LABORATORY_KEY =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAazGRfdElRHsc5MBDZL09xzLd/KjwfkD6QZQeiE0XNf4=\n-----END PUBLIC KEY-----\n';

/** Returns the key that may sign for every actor of a laboratory; null on other chains. */
export const substituteKey = ({ laboratory }: Pick<ChainRecord, 'laboratory'>): string | null =>
  laboratory === true ? LABORATORY_KEY : null;
