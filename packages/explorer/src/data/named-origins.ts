/**
 * More nodes and stores, named by the reader (docs/decisions/110). The node makes a sealed cookie of their origins,
 * because its header must allow them. The page keeps its own copy: a server on another port of this host can write
 * cookies, but not there.
 */
import { remember, remembered } from './stored.ts';

const KEY = 'origins';
const COOKIE = 'netd_origins';
const MOST_ORIGINS = 8;

interface Named {
  /** Addresses; a proxy may serve a node below a path. */
  origins: string[];
  /** As the node made it. */
  cookie: string;
}

/**
 * Returns the address of a node that the reader has typed, without query and fragment.
 * @throws RangeError if it is none, with a sentence for the reader
 */
export function addressOf(text: string): string {
  const typed = text.trim();
  try {
    const url = new URL(typed.includes('://') ? typed : `https://${typed}`);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    if (isWeb) return url.origin + url.pathname.replace(/\/+$/, '');
  } catch {
    // Thrown below.
  }
  throw new RangeError('An origin looks like https://node.example or http://127.0.0.1:8421.');
}

function stored(): Named {
  const { origins, cookie } = (remembered(KEY) ?? {}) as Partial<Named>;
  const isList = Array.isArray(origins) && origins.every((one) => typeof one === 'string');
  return { origins: isList ? origins : [], cookie: typeof cookie === 'string' ? cookie : '' };
}

const cookieNow = (): string =>
  document.cookie.split('; ').find((one) => one.startsWith(`${COOKIE}=`)) ?? '';

let allowed: readonly string[] | undefined;

/** When the page was loaded. */
export function allowedOrigins(): readonly string[] {
  allowed ??= stored().cookie === cookieNow() ? stored().origins : [];
  return allowed;
}

/**
 * Reloads the page, because the policy comes with its header.
 * @throws Error if the node refuses
 */
export async function nameOrigins(wanted: readonly string[]): Promise<void> {
  const addresses = [...new Set(wanted)].slice(0, MOST_ORIGINS);
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))];
  // The browser derives the cookie's path from this address: all pages of the node, and nothing else on its host.
  const response = await fetch('explorer-origins', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ origins }),
  });
  if (!response.ok) throw new Error('The node does not take these origins. Reload and try again.');
  remember(KEY, { origins: addresses, cookie: cookieNow() } satisfies Named);
  location.reload();
}

/**
 * Repeats the origins after a restart of the node, which voids its cookies. Once per tab, since the node may
 * always refuse.
 */
export function restoreOrigins(): void {
  const { origins, cookie } = stored();
  if (origins.length === 0 || allowedOrigins().length > 0) return;
  const mark = `netd:restored ${cookie}`;
  if (sessionStorage.getItem(mark) !== null) return;
  sessionStorage.setItem(mark, '1');
  void nameOrigins(origins).catch(() => undefined);
}
