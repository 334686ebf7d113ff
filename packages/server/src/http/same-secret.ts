import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares hashes, because timingSafeEqual throws unless both texts have the same number of bytes. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(hashOf(given), hashOf(secret));

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
