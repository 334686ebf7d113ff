/**
 * Origins beside the node's own that the reader has named. They are kept in a cookie, because the node has to read it: the header
 * that it serves this page with allows the page to ask these and no others (docs/decisions/110).
 */

const COOKIE = 'netd_origins';
export const MOST_ORIGINS = 8;

/** @throws RangeError for what is no origin, with a sentence for the reader */
export function originOf(text: string): string {
  const typed = text.trim();
  try {
    const { origin, protocol } = new URL(typed.includes('://') ? typed : `https://${typed}`);
    if (protocol === 'https:' || protocol === 'http:') return origin;
  } catch {
    // Said below.
  }
  throw new RangeError('An origin looks like https://node.example or http://127.0.0.1:8421.');
}

/** Whether a text is an origin and nothing else, as the node asks before it names one in a header. */
function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) || !URL.canParse(text)) return false;
  return new URL(text).origin === text;
}

/** Cookies of other servers on this host, whatever their port, come along: only origins are taken. */
export function readOrigins(cookies: string): string[] {
  const pair = cookies.split('; ').find((one) => one.startsWith(`${COOKIE}=`));
  if (pair === undefined) return [];
  try {
    return decodeURIComponent(pair.slice(COOKIE.length + 1))
      .split(' ')
      .filter(isOrigin)
      .slice(0, MOST_ORIGINS);
  } catch {
    return [];
  }
}

export function originsCookie(origins: readonly string[]): string {
  const value = encodeURIComponent(
    [...new Set(origins.filter(isOrigin))].slice(0, MOST_ORIGINS).join(' '),
  );
  return `${COOKIE}=${value}; path=/; samesite=strict; max-age=${origins.length === 0 ? 0 : 31_536_000}`;
}
