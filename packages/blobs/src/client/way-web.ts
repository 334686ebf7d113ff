/** In browsers: a page cannot resolve names, so only literal addresses are checked. */
import { isPublicAddress, mayStrangerName } from '@netd/client-limits/strangers';
import { DIRECT, hostOf, isAddress, isLocalName, type Way } from './way.ts';

/** @returns null if a stranger may not name the address */
export async function wayToStranger(store: URL, node: URL): Promise<Way | null> {
  const host = hostOf(store);
  if (isLocalName(host)) return null;
  if (!isAddress(host)) return DIRECT;
  if (!mayStrangerName(host, [hostOf(node)])) return null;
  return { ...DIRECT, isHidden: !isPublicAddress(host) };
}
