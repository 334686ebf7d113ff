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

/** Networks of 2^16 such hosts that are known at once: those that asked longest ago are forgotten first. */
const MAX_NETWORKS = 4_096;
/** Hosts of a network that count by themselves, as those of many customers of one provider may. */
const HOSTS_OF_A_NETWORK = 8;
/** How long a host belongs to them after its last request. */
const HOST_MILLISECONDS = 600_000;

/**
 * Whose share an address counts against. A machine that has an IPv6 network for itself (a /48, as tunnels and sites get) is 65,536
 * hosts if it likes: where more than a few /64s of one have asked of late, the whole /48 is one.
 */
export class AddressKeys {
  /** By the /48: when each of its /64s asked last, the latest at the end. */
  private readonly networks = new Map<string, Map<string, number>>();
  private readonly now: () => number;

  /** @param now milliseconds, of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  of(peer: string): string {
    const key = rateLimitKey(peer);
    if (!key.endsWith('::/64')) return key;
    const network = networkOf(key);
    const now = this.now();
    const hosts = this.networks.get(network) ?? new Map<string, number>();
    this.networks.delete(network);
    this.networks.set(network, hosts);
    if (this.networks.size > MAX_NETWORKS) {
      for (const [oldest] of this.networks) {
        this.networks.delete(oldest);
        break;
      }
    }
    hosts.delete(key);
    hosts.set(key, now);
    for (const [host, at] of hosts) {
      if (hosts.size <= HOSTS_OF_A_NETWORK + 1 && now - at < HOST_MILLISECONDS) break;
      hosts.delete(host);
    }
    return hosts.size > HOSTS_OF_A_NETWORK ? network : key;
  }
}

const keys = new AddressKeys();

/** The same, of all that this process serves: an address asks a node over one port and its stores over others. */
export const addressShare = (peer: string): string => keys.of(peer);

/** The /48 that a /64 is of; every other key is a network by itself. */
const networkOf = (key: string): string =>
  key.endsWith('::/64') ? `${key.split(':').slice(0, 3).join(':')}::/48` : key;

/** What is taken by each address, by its key, and by each IPv6 network. */
export class AddressShares {
  private readonly taken = new Map<string, number>();

  /** Of a network: with what its hosts took while they counted by themselves. */
  of(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  /**
   * Whether an address has its share, or its network has what so many hosts may have: what is held for long would otherwise add
   * up, with other hosts each time.
   */
  isFull(key: string, share: number): boolean {
    return this.of(key) >= share || this.of(networkOf(key)) >= share * HOSTS_OF_A_NETWORK;
  }

  add(key: string): void {
    for (const each of new Set([key, networkOf(key)])) this.taken.set(each, this.of(each) + 1);
  }

  remove(key: string): void {
    for (const each of new Set([key, networkOf(key)])) {
      const left = this.of(each) - 1;
      if (left > 0) this.taken.set(each, left);
      else this.taken.delete(each);
    }
  }
}
