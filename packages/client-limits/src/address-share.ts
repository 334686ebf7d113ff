/** Which address a client counts as: an IPv6 host has 2^64 addresses of its own. */
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Some proxies append the port of the connection: 192.0.2.7:50123, [2001:db8::1]:50123. Each would be a client of its own. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

/** The key of a limit by address: an IPv4 address, mapped into IPv6 or not, or the /64 of an IPv6 host. */
export function rateLimitKey(peer: string): string {
  const { v4 = '', v6 = '' } = WITH_PORT.exec(peer)?.groups ?? {};
  const address = isIPv4(v4) ? v4 : isIPv6(v6) ? v6 : peer;
  if (isIPv4(address) || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!('parts' in parsed)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** What is taken by each address, by its key. */
export class AddressShares {
  private readonly taken = new Map<string, number>();

  of(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  add(key: string): void {
    this.taken.set(key, this.of(key) + 1);
  }

  remove(key: string): void {
    const left = this.of(key) - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
  }
}
