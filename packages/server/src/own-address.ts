import { isIP } from 'node:net';

export const DEV_URL = 'http://127.0.0.1:8420';

/**
 * Puts this node's address into a text. Never use a request's Host header, because its sender would choose
 * where readers go.
 */
export function atThisNode(text: string, publicUrl: string): string {
  const url = publicUrl.replaceAll("'", '%27').replaceAll('"', '%22').replaceAll('\\', '%5C');
  return text.replaceAll(DEV_URL, () => url);
}

/**
 * Returns an absolute link if the public URL has a path, which a proxy removes, otherwise a relative one.
 * @param path begins with a slash, or is empty
 */
export function linkTo(publicUrl: string, path: string): string {
  const { href, pathname } = new URL(publicUrl);
  return pathname === '/' ? path : href.replace(/\/+$/, '') + path;
}

/** Replaces colons, which separate parts in other formats. */
export function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-');
}

export function reversedHost(publicUrl: string): string {
  const host = hostOf(publicUrl);
  return isIP(host) === 0 ? host.split('.').toReversed().join('.') : host;
}
