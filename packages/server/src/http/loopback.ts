import type { IncomingHttpHeaders } from 'node:http';

/** No port, IPv6 without brackets. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const FORWARDING = new Set(['forwarded', 'via', 'x-real-ip']);

/** Proxies add it. Undefined if a request has none. */
const forwardingHeader = (headers: IncomingHttpHeaders): string | undefined =>
  Object.keys(headers).find(
    (header) => FORWARDING.has(header) || header.startsWith('x-forwarded-'),
  );

/**
 * Returns true if a proxy forwarded a local request: its headers say so, it asks for another name, or it
 * speaks HTTP/1.0, as nginx does without naming the host.
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
 * Returns why a request may serve another site, or null. Guards against foreign pages, DNS rebinding and
 * proxies.
 */
export function validateLoopback(headers: IncomingHttpHeaders): string | null {
  const { host = '', origin } = headers;
  if (!isLoopbackHost(host)) return 'Host is not loopback';
  if (origin !== undefined && origin !== `http://${host}`) return 'Origin is foreign';
  const forwarding = forwardingHeader(headers);
  return forwarding === undefined ? null : `the request was forwarded (${forwarding})`;
}
