export interface Way {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** If true, any answer but the blob counts as its absence, so that a stranger cannot probe the address. */
  isHidden: boolean;
}

export const DIRECT: Way = { fetch: (url, init) => fetch(url, init), isHidden: false };

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** True for a name of this machine (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** Expects a host from the URL parser, which normalizes decimal, octal and hexadecimal forms. */
export const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);
