/** Decides how a store is asked, and whether it may be asked at all if a stranger names it (docs/decisions/189). */
import { mayStrangerName } from '@netd/client-limits/strangers';
import { wayToStranger } from '#way';
import { DIRECT, hostOf, isAddress, isLocalName, type Way } from './way.ts';

/**
 * Finds the way to an origin; null if it must not be asked.
 * @throws Error if its name cannot be resolved now
 */
export type Reach = (origin: string) => Promise<Way | null>;

export interface ReachOptions {
  /** Base address of the node: strangers may name addresses of its private network. */
  nodeUrl: string;
  /** Origins chosen by the user or operator, asked at any address. */
  trusted: readonly string[];
}

/** Asks every origin: the caller has chosen them. */
export const reachAll: Reach = async () => DIRECT;

/** Asks trusted origins directly, and others only if a stranger may name their address. */
export function reachFor({ nodeUrl, trusted }: ReachOptions): Reach {
  const own = new Set([nodeUrl, ...trusted].map((url) => new URL(url).origin));
  return async (origin) => {
    const url = new URL(origin);
    return own.has(url.origin) ? DIRECT : wayToStranger(url, new URL(nodeUrl));
  };
}

/**
 * Returns true if an origin has a literal address that a stranger may not name. The addresses of a name are
 * checked when it is asked.
 */
export function isRefusedAsWritten(origin: string, nodeUrl: string): boolean {
  const [host, node] = [hostOf(new URL(origin)), hostOf(new URL(nodeUrl))];
  if (isLocalName(host)) return true;
  // A node's network is unknown until its name is resolved.
  return isAddress(host) && !mayStrangerName(host, [isAddress(node) ? node : host]);
}
