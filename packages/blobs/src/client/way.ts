export interface Way {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Then anything but the blob counts as its absence: the stranger who named the address must not learn
   * whether anything answers there.
   */
  isHidden: boolean;
}

export const DIRECT: Way = { fetch: (url, init) => fetch(url, init), isHidden: false };

/** IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Of this machine (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** The URL parser normalizes decimal, octal and hexadecimal forms. */
export const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);
