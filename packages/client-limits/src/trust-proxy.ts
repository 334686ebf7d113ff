/**
 * Each proxy appends the address it saw to X-Forwarded-For. The client may invent everything before the first
 * untrusted address.
 */
import { isIP } from 'node:net';
import { compile } from '@fastify/proxy-addr';

/** The number of proxies, or their addresses, ranges, `loopback`, `linklocal`, `uniquelocal`. */
export type TrustProxy = number | string[];

const MAX_HOPS = 16;

/**
 * @param text a number, or addresses and ranges separated by commas
 * @throws TypeError
 */
export function parseTrustProxy(text: string): TrustProxy {
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops >= 1 && hops <= MAX_HOPS) return hops;
    throw new TypeError(`From 1 to ${MAX_HOPS} proxies can stand before it.`);
  }
  const addresses = text.split(',').map((address) => address.trim());
  if (addresses.every(isAddress)) return addresses;
  throw new TypeError(
    'The number of proxies is needed, or their addresses with commas between: 1, loopback, or 10.0.0.0/8,192.0.2.7.',
  );
}

const KINDS = ['loopback', 'linklocal', 'uniquelocal'];

/** Rejects ranges that contain everything. */
function isAddress(text: string): boolean {
  if (KINDS.includes(text)) return true;
  // The library accepts 1.5 as an address.
  if (isIP(text.split('/', 1)[0] ?? '') === 0) return false;
  try {
    compile(text);
    return true;
  } catch {
    return false;
  }
}

/** @param hop 0 for the peer of the connection */
export type IsProxy = (address: string, hop: number) => boolean;

const isNear = compile(KINDS);

/**
 * Counted proxies must start on this machine or its private network. Otherwise any client could claim an
 * address.
 */
export function proxyTest(trust: TrustProxy | undefined): IsProxy {
  if (trust === undefined) return () => false;
  if (typeof trust !== 'number') return compile(trust);
  return (address, hop) => hop < trust && (hop > 0 || isNear(address, hop));
}
