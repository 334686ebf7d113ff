/** What both ways to a stranger's store share: through Node's sockets, and through a browser's fetch. */

/** How requests get to a store. */
export interface Way {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * True if the address is not public. Then everything but the blob itself counts as its absence, because the stranger who named the
   * address must not learn whether anything answers there.
   */
  isHidden: boolean;
}

export const DIRECT: Way = { fetch: (url, init) => fetch(url, init), isHidden: false };

/** The host of a URL, an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** True for names of this very machine (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** True for an address as the URL parser writes it, which turns decimal, octal and hexadecimal spellings into dotted ones. */
export const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);
