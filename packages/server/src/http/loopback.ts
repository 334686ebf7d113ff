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
 * Returns true if a request that arrives from this machine was passed on by a proxy: it says so, it asks for a name that is not this
 * machine's, or it speaks HTTP/1.0, as nginx does without a word about whom it asks for.
 */
export const isPassedOn = (headers: IncomingHttpHeaders, httpVersion: string): boolean =>
  forwardingHeader(headers) !== undefined ||
  !isLoopbackHost(headers.host ?? '') ||
  httpVersion === '1.0';

function isLoopbackHost(header: string): boolean {
  const name = /^(?:\[([0-9a-f:]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(header);
  return isLoopback((name?.[1] ?? name?.[2] ?? '').toLowerCase());
}

/**
 * Returns why a request may serve another site, or null. It may come from that site's page in a local browser,
 * from a name that resolves to this machine, or through a proxy.
 */
export function validateLoopback(headers: IncomingHttpHeaders): string | null {
  const { host = '', origin } = headers;
  if (!isLoopbackHost(host)) return 'Host is not loopback';
  if (origin !== undefined && origin !== `http://${host}`) return 'Origin is foreign';
  const forwarding = forwardingHeader(headers);
  return forwarding === undefined ? null : `the request was forwarded (${forwarding})`;
}
