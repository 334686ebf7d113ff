export interface Way {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * If true, any answer but the blob counts as its absence: the stranger who named the address must not learn
   * whether anything answers there.
   */
  isHidden: boolean;
}

export const DIRECT: Way = { fetch: (url, init) => fetch(url, init), isHidden: false };

/** Returns IPv6 addresses without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** True for a name of this machine (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** Expects a host from the URL parser, which normalizes decimal, octal and hexadecimal forms. */
export const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);
