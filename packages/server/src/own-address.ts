/** What a node hands out names that node, by the address that its operator has given it. */
import { isIP } from 'node:net';

/** Where a node of `npm start` is: as the repository writes it, for its readers. */
export const DEV_URL = 'http://127.0.0.1:8420';

/**
 * A text of the repository with the address of this node in it. Never that of a request: the sender of the header Host would
 * choose where others go.
 */
export function atThisNode(text: string, publicUrl: string): string {
  // It stands in programs, between quotes of either kind.
  const url = publicUrl.replaceAll("'", '%27').replaceAll('"', '%22').replaceAll('\\', '%5C');
  return text.replaceAll(DEV_URL, () => url);
}

/**
 * Returns a path of this node as the client of a request can use it. If the public URL has a path, a proxy serves this node below it, and
 * only the whole address leads back here. Without one it is the path itself.
 * @param path with a slash at its beginning, or empty
 */
export function linkTo(publicUrl: string, path: string): string {
  const { href, pathname } = new URL(publicUrl);
  return pathname === '/' ? path : href.replace(/\/+$/, '') + path;
}

/** A name that stands in identifiers of other formats: the host of the public URL; colons separate their parts. */
export function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-');
}

/** com.example.www of www.example.com; of an address, the address. */
export function reversedHost(publicUrl: string): string {
  const host = hostOf(publicUrl);
  return isIP(host) === 0 ? host.split('.').toReversed().join('.') : host;
}
