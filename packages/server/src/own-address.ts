/** Puts this node's address, as configured by its operator, into texts. */
import { isIP } from 'node:net';

/** Address of a node of `npm start`, as in the repository's texts. */
export const DEV_URL = 'http://127.0.0.1:8420';

/** Replaces the address in a text. Never use a request's Host header: its sender would choose where readers go. */
export function atThisNode(text: string, publicUrl: string): string {
  // It may be in programs, inside quotes.
  const url = publicUrl.replaceAll("'", '%27').replaceAll('"', '%22').replaceAll('\\', '%5C');
  return text.replaceAll(DEV_URL, () => url);
}

/**
 * Returns a path of this node as the client of a request can use it. If the public URL has a path, a proxy
 * serves this node below it, and only the whole address leads back here. Without one it is the path itself.
 * @param path with a slash at its beginning, or empty
 */
export function linkTo(publicUrl: string, path: string): string {
  const { href, pathname } = new URL(publicUrl);
  return pathname === '/' ? path : href.replace(/\/+$/, '') + path;
}

/** Returns the host of the public URL for identifiers of other formats, which separate parts by colons. */
export function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-');
}

/** Returns com.example.www for www.example.com; an IP address unchanged. */
export function reversedHost(publicUrl: string): string {
  const host = hostOf(publicUrl);
  return isIP(host) === 0 ? host.split('.').toReversed().join('.') : host;
}
