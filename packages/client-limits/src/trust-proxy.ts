/**
 * Which reverse proxies are believed. X-Forwarded-For is read from its end, as Fastify reads it: each proxy appends the address
 * that it has seen. What stands before the first address that no believed proxy has put there is the client's own invention.
 */
import { isIP } from 'node:net';
import { compile } from '@fastify/proxy-addr';

/** How many proxies stand before a service; or their addresses, ranges, `loopback`, `linklocal`, `uniquelocal`. */
export type TrustProxy = number | string[];

const MAX_HOPS = 16;

/**
 * @param text a number of proxies, or addresses and ranges with commas between them
 * @throws TypeError with a sentence
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

/** Whether it is an address, a range of them that is not everything, or a kind. */
function isAddress(text: string): boolean {
  if (KINDS.includes(text)) return true;
  // The library takes 1.5 for an address, as some programs do.
  if (isIP(text.split('/', 1)[0] ?? '') === 0) return false;
  try {
    compile(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether an address is that of a believed proxy; `hop` counts from the peer of the connection on, which is 0. */
export type IsProxy = (address: string, hop: number) => boolean;

const isNear = compile(KINDS);

/**
 * Where proxies are only counted, the nearest has to be on this machine or in its private network: from anywhere else a client
 * that finds the port itself would be taken for one, and be whichever address it likes.
 */
export function proxyTest(trust: TrustProxy | undefined): IsProxy {
  if (trust === undefined) return () => false;
  if (typeof trust !== 'number') return compile(trust);
  return (address, hop) => hop < trust && (hop > 0 || isNear(address, hop));
}
