/** Checks whether a request comes from this machine. */
import type { IncomingHttpHeaders } from 'node:http';

/** Returns true if an address or host name (no port, IPv6 without brackets) is this machine's own. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const FORWARDING = new Set(['forwarded', 'via', 'x-real-ip']);

/** Returns the name of a header that proxies add, undefined if a request has none. */
export const forwardingHeader = (headers: IncomingHttpHeaders): string | undefined =>
  Object.keys(headers).find(
    (header) => FORWARDING.has(header) || header.startsWith('x-forwarded-'),
  );

/**
 * Returns why a request may serve another site, or null. It may come from that site's page in a local browser,
 * from a name that resolves to this machine, or through a proxy.
 */
export function validateLoopback(headers: IncomingHttpHeaders): string | null {
  const { host = '', origin } = headers;
  const name = /^(?:\[([0-9a-f:]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host);
  if (!isLoopback((name?.[1] ?? name?.[2] ?? '').toLowerCase())) return 'Host is not loopback';
  if (origin !== undefined && origin !== `http://${host}`) return 'Origin is foreign';
  const forwarding = forwardingHeader(headers);
  return forwarding === undefined ? null : `the request was forwarded (${forwarding})`;
}
