/**
 * Further nodes and stores that the reader named (docs/decisions/110). The node's sealed cookie allows their
 * origins in its header. The page keeps its own copy, because servers on other ports of this host can write
 * cookies.
 */
import { remember, remembered } from './stored.ts';

const KEY = 'origins';
const COOKIE = 'netd_origins';
const MOST_ORIGINS = 8;

interface Named {
  /** Addresses of nodes. A proxy may serve a node below a path. */
  origins: string[];
  cookie: string;
}

/**
 * Returns the node's address without query and fragment.
 * @throws RangeError with a sentence for the reader
 */
export function addressOf(text: string): string {
  const typed = text.trim();
  try {
    const url = new URL(typed.includes('://') ? typed : `https://${typed}`);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    if (isWeb) return url.origin + url.pathname.replace(/\/+$/, '');
  } catch {}
  throw new RangeError('Write an address such as https://node.example or http://127.0.0.1:8421.');
}

function stored(): Named {
  const { origins, cookie } = (remembered(KEY) ?? {}) as Partial<Named>;
  const isList = Array.isArray(origins) && origins.every((one) => typeof one === 'string');
  return { origins: isList ? origins : [], cookie: typeof cookie === 'string' ? cookie : '' };
}

const cookieNow = (): string =>
  document.cookie.split('; ').find((one) => one.startsWith(`${COOKIE}=`)) ?? '';

let allowed: readonly string[] | undefined;

export function allowedOrigins(): readonly string[] {
  allowed ??= stored().cookie === cookieNow() ? stored().origins : [];
  return allowed;
}

/**
 * Reloads the page, because only its header can allow more origins.
 * @throws Error if the node refuses
 */
export async function nameOrigins(wanted: readonly string[]): Promise<void> {
  const addresses = [...new Set(wanted)].slice(0, MOST_ORIGINS);
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))];
  // The browser limits the cookie to the path of this address, and so to this node's pages.
  const response = await fetch('explorer-origins', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ origins }),
  });
  if (!response.ok)
    throw new Error('The node refused these addresses. Reload the page and try again.');
  remember(KEY, { origins: addresses, cookie: cookieNow() } satisfies Named);
  location.reload();
}

/**
 * Names the origins again after the node's restart, which voids its cookies. Tries once per tab, because the
 * node may refuse.
 */
export function restoreOrigins(): void {
  const { origins, cookie } = stored();
  if (origins.length === 0 || allowedOrigins().length > 0) return;
  const mark = `netd:restored ${cookie}`;
  if (sessionStorage.getItem(mark) !== null) return;
  sessionStorage.setItem(mark, '1');
  void nameOrigins(origins).catch(() => undefined);
}
