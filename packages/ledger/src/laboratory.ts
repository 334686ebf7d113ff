import type { ChainRecord } from './chain-records.ts';

/**
 * Public key that signs for any actor of a laboratory, a test chain whose genesis says so. The private key is
 * published: it is `anybody` in vectors/lab/keys.json.
 */
export const LABORATORY_KEY =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAazGRfdElRHsc5MBDZL09xzLd/KjwfkD6QZQeiE0XNf4=\n-----END PUBLIC KEY-----\n';

export const substituteKey = ({ laboratory }: Pick<ChainRecord, 'laboratory'>): string | null =>
  laboratory === true ? LABORATORY_KEY : null;
