/**
 * Servers on other ports of this host can write cookies too, so a cookie counts only with this process's seal
 * (docs/decisions/110).
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from './same-secret.ts';

/** packages/explorer/src/chain/named-origins.ts reads this cookie. */
const COOKIE = 'netd_origins';
const MOST_ORIGINS = 8;
const YEAR_SECONDS = 31_536_000;
/** A restart invalidates all cookies. The page then requests a new one. */
const key = randomBytes(32);

const seal = (origins: string): string =>
  createHmac('sha256', key).update(origins).digest('hex').slice(0, 32);

/**
 * Returns the cookie for these origins. An empty list removes it.
 * @param body `{"origins": ["https://node.example"]}`
 * @returns null if another page sent the request, or the body is no list of at most eight origins
 */
export function originsCookie(headers: IncomingHttpHeaders, body: unknown): string | null {
  const origins = originsOf(body);
  if (!isFromOwnPage(headers) || !Array.isArray(origins)) return null;
  if (origins.length > MOST_ORIGINS || !origins.every(isOrigin)) return null;
  const list = encodeURIComponent(origins.join(' '));
  const maxAge = origins.length === 0 ? 0 : YEAR_SECONDS;
  // Without Path, the browser uses the folder of this address, also behind a proxy's path.
  return `${COOKIE}=${seal(list)}.${list}; SameSite=Strict; Max-Age=${maxAge}`;
}

export function namedOrigins(cookies: string | undefined): string[] {
  const pair = cookies?.split(/;\s*/).find((one) => one.startsWith(`${COOKIE}=`));
  const [given = '', list = ''] = pair?.slice(COOKIE.length + 1).split(/\.(.*)/s) ?? [];
  if (!isSameSecret(given, seal(list))) return [];
  return decodeURIComponent(list).split(' ');
}

/** Browsers send Sec-Fetch-Site over https and on this machine, and otherwise at least Origin. */
export function isFromOwnPage({ host, origin, ...headers }: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

function originsOf(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    return (JSON.parse(body.toString('utf8')) as { origins?: unknown } | null)?.origins;
  } catch {
    return undefined;
  }
}

function isOrigin(text: unknown): text is string {
  if (typeof text !== 'string' || !/^https?:\/\/[a-z0-9.:[\]-]+$/.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}
