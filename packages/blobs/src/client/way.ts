/** Shared by both ways to a stranger's store. */

export interface Way {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * True if the address is not public. Then everything but the blob itself counts as its absence, because the
   * stranger who named the address must not learn whether anything answers there.
   */
  isHidden: boolean;
}

export const DIRECT: Way = { fetch: (url, init) => fetch(url, init), isHidden: false };

/** Returns the host of a URL, an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Returns true for names of this machine (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** Returns true for an address from the URL parser, which normalizes decimal, octal and hexadecimal forms. */
export const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);
