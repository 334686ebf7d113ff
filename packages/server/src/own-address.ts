import { isIP } from 'node:net';

export const DEV_URL = 'http://127.0.0.1:8420';

/** Never use a request's Host header: its sender would choose where readers go. */
export function atThisNode(text: string, publicUrl: string): string {
  // It may be inside quotes.
  const url = publicUrl.replaceAll("'", '%27').replaceAll('"', '%22').replaceAll('\\', '%5C');
  return text.replaceAll(DEV_URL, () => url);
}

/**
 * If the public URL has a path, a proxy serves this node below it, and only the whole address leads back here.
 * @param path with a slash at its beginning, or empty
 */
export function linkTo(publicUrl: string, path: string): string {
  const { href, pathname } = new URL(publicUrl);
  return pathname === '/' ? path : href.replace(/\/+$/, '') + path;
}

/** Other formats separate parts by colons. */
export function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-');
}

export function reversedHost(publicUrl: string): string {
  const host = hostOf(publicUrl);
  return isIP(host) === 0 ? host.split('.').toReversed().join('.') : host;
}
