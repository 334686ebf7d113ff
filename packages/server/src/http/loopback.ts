import type { IncomingHttpHeaders } from 'node:http';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const FORWARDING = new Set(['forwarded', 'via', 'x-real-ip']);

const forwardingHeader = (headers: IncomingHttpHeaders): string | undefined =>
  Object.keys(headers).find(
    (header) => FORWARDING.has(header) || header.startsWith('x-forwarded-'),
  );

/**
 * Returns true if a proxy on this machine forwarded the request: it has such headers, names another host, or
 * speaks HTTP/1.0, as nginx does by default.
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
 * Returns why another site may have caused the request, or null. Guards against foreign pages, DNS rebinding
 * and proxies.
 */
export function validateLoopback(headers: IncomingHttpHeaders): string | null {
  const { host = '', origin } = headers;
  if (!isLoopbackHost(host)) return 'Host is not loopback';
  if (origin !== undefined && origin !== `http://${host}`) return 'Origin is foreign';
  const forwarding = forwardingHeader(headers);
  return forwarding === undefined ? null : `the request was forwarded (${forwarding})`;
}
