/** Decides if and how to ask a store that a stranger names (docs/decisions/189). */
import { mayStrangerName } from '@netd/client-limits/strangers';
import { wayToStranger } from '#way';
import { DIRECT, hostOf, isAddress, isLocalName, type Way } from './way.ts';

/**
 * Returns how to ask a store; null if it must not be asked.
 * @throws Error if its name cannot be resolved now
 */
export type Reach = (origin: string) => Promise<Way | null>;

export interface ReachOptions {
  /** Strangers may name addresses in this node's private network. */
  nodeUrl: string;
  /** URLs that may be asked at any address. */
  trusted: readonly string[];
}

export const reachAll: Reach = async () => DIRECT;

/** Accepts the node and trusted stores, and others only if a stranger may name their address. */
export function reachFor({ nodeUrl, trusted }: ReachOptions): Reach {
  const own = new Set([nodeUrl, ...trusted].map((url) => new URL(url).origin));
  return async (origin) => {
    const url = new URL(origin);
    return own.has(url.origin) ? DIRECT : wayToStranger(url, new URL(nodeUrl));
  };
}

/** True for a literal address that a stranger may not name. Names are checked when asked. */
export function isRefusedAsWritten(origin: string, nodeUrl: string): boolean {
  const [host, node] = [hostOf(new URL(origin)), hostOf(new URL(nodeUrl))];
  if (isLocalName(host)) return true;
  // The address of a node's name is unknown until it is resolved.
  return isAddress(host) && !mayStrangerName(host, [isAddress(node) ? node : host]);
}
