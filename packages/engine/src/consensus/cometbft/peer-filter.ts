/**
 * Decides which connections CometBFT keeps, because CometBFT counts sockets only in total: one address could
 * hold them all.
 */
import { isIPv6 } from 'node:net';
import type { Clock } from '../../chain/clock.ts';

export interface ConnectedPeer {
  id: string;
  address: string;
}

interface FilterOptions {
  /** `id@host:port` each. */
  peers: readonly string[];
  /** Refuses every other node: a validator behind its sentries. */
  peersOnly?: boolean | undefined;
  clock: Clock;
  /** Returns the peers of CometBFT; rejects while it does not answer. */
  connected: () => Promise<readonly ConnectedPeer[]>;
}

/** Counts open connections of one address, and those of the last 20 seconds, so that a new one counts twice. */
const MOST_OF_ADDRESS = 10;
/** Most peers that are not in `peers`. CometBFT has 40 places for them. */
const MOST_STRANGERS = 30;
/** CometBFT ends a connection that has not shaken hands after 20 seconds. */
const HANDSHAKE_MILLISECONDS = 20_000;
const KNOWN_MILLISECONDS = 1_000;
const MOST_ADDRESSES = 10_000;

export class PeerFilter {
  private readonly options: FilterOptions;
  private readonly own: ReadonlySet<string>;
  /** Times of recent connections by address; the least recent address is first. */
  private readonly recent = new Map<string, number[]>();
  private known: { at: number; peers: Promise<readonly ConnectedPeer[]> } | null = null;

  constructor(options: FilterOptions) {
    this.options = options;
    this.own = new Set(options.peers.map((peer) => peer.split('@')[0] ?? ''));
  }

  /**
   * Judges a query of CometBFT about a connection.
   * @returns why the connection must end; null to keep it, and for other queries
   */
  async refusal(path: string): Promise<string | null> {
    const [, kind, subject = ''] = /^\/p2p\/filter\/(addr|id)\/(.+)$/.exec(path) ?? [];
    if (kind === 'addr') return this.refusalOfAddress(subject);
    return kind === 'id' ? this.refusalOfId(subject) : null;
  }

  private async refusalOfAddress(place: string): Promise<string | null> {
    const address = place.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '');
    if (isLoopback(address)) return null;
    const key = networkOf(address);
    const now = this.options.clock.elapsed();
    const times = (this.recent.get(key) ?? []).filter((at) => now - at < HANDSHAKE_MILLISECONDS);
    const open = (await this.peers()).filter((peer) => networkOf(peer.address) === key).length;
    if (times.length + open >= MOST_OF_ADDRESS) {
      return `${address} has ${times.length + open} connections, at most ${MOST_OF_ADDRESS}`;
    }
    this.recent.delete(key);
    this.recent.set(key, [...times, now]);
    const [oldest] = this.recent.keys();
    if (this.recent.size > MOST_ADDRESSES && oldest !== undefined) this.recent.delete(oldest);
    return null;
  }

  private async refusalOfId(id: string): Promise<string | null> {
    if (this.own.has(id)) return null;
    if (this.options.peersOnly === true) return `${id} is not in --peers, and --peers-only is set`;
    const strangers = (await this.peers()).filter((peer) => !this.own.has(peer.id)).length;
    return strangers < MOST_STRANGERS ? null : `${strangers} peers that are not in --peers`;
  }

  private peers(): Promise<readonly ConnectedPeer[]> {
    const now = this.options.clock.elapsed();
    if (!this.known || now - this.known.at >= KNOWN_MILLISECONDS) {
      this.known = { at: now, peers: this.options.connected().catch(() => []) };
    }
    return this.known.peers;
  }
}

const isLoopback = (address: string): boolean =>
  /^(::ffff:)?127\./.test(address) || address === '::1';

/** Returns the address, or its /64 of IPv6, because one machine has a whole /64. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace('::ffff:', '');
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = address.includes('::') ? 8 - groups.length - after.length : 0;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...after];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
