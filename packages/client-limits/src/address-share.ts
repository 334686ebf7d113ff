import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Some proxies append the port, for example 192.0.2.7:50123 or [2001:db8::1]:50123. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

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

/** Known /48 networks; beyond that, the least recent is dropped. */
const MAX_NETWORKS = 4_096;
const HOSTS_OF_A_NETWORK = 8;
/** Milliseconds after which a silent host no longer counts. */
const HOST_MILLISECONDS = 600_000;

/**
 * The owner of an IPv6 /48 can pose as 65,536 hosts. If many of its /64s ask within a short time, the /48
 * counts as one.
 */
export class AddressKeys {
  /** By /48: the last request of each /64, the latest at the end. */
  private readonly networks = new Map<string, Map<string, number>>();
  private readonly now: () => number;

  /** @param now milliseconds of a monotonic clock */
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

/** Returns the key of an address, for shares in the whole process. */
export const addressShare = (peer: string): string => keys.of(peer);

const networkOf = (key: string): string =>
  key.endsWith('::/64') ? `${key.split(':').slice(0, 3).join(':')}::/48` : key;

export class AddressShares {
  private readonly taken = new Map<string, number>();

  /**
   * Returns the places taken. For a network, this includes places that its hosts took before they counted as
   * one.
   */
  of(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  /**
   * True if the address or its network has no place left. Long-held places would otherwise add up over new
   * hosts.
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
