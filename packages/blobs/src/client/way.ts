export interface Way {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** If true, any answer but the blob counts as its absence, so that a stranger cannot probe the address. */
  isHidden: boolean;
}

export const DIRECT: Way = { fetch: fetchHere, isHidden: false };

/**
 * Fetches, and refuses redirects itself if `redirect` is `error`, which Workers do not have.
 * @throws TypeError
 */
async function fetchHere(url: string, init: RequestInit): Promise<Response> {
  if (init.redirect !== 'error') return fetch(url, init);
  const response = await fetch(url, { ...init, redirect: 'manual' });
  // Pages hide the status of a redirect.
  const { type, status } = response;
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return response;
  await response.body?.cancel();
  throw new TypeError(`${url} is a redirect`);
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** True for a name of this machine (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** Expects a host from the URL parser, which normalizes decimal, octal and hexadecimal forms. */
export const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);
