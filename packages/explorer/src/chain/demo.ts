/** Starts the demo, once, with the token in a link of `netd dev`. */
import { queryOptions } from '@tanstack/react-query';
import { rootUrl } from './root-url.ts';

const KEY = 'netd:demo';
/** Stored in place of the token once this tab has started the demo. */
const STARTED = 'started';
/** Milliseconds. */
const POLLS_EVERY = 2_000;

/** Used if the browser refuses storage. */
let inMemory = '';

function kept(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return inMemory;
  }
}

function keep(value: string): void {
  inMemory = value;
  try {
    sessionStorage.setItem(KEY, value);
  } catch {
    // Kept until the page is reloaded.
  }
}

/** Moves the token from the address into this tab, so that a copied link does not contain it. */
export function takeDemoToken(): void {
  const token = /^#demo=([0-9a-f]{32})$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  keep(token);
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** Returns null if this tab has neither a token nor a demo that it started. */
export function demoHere(): 'startable' | 'started' | null {
  const value = kept();
  if (value === '') return null;
  return value === STARTED ? 'started' : 'startable';
}

/** @throws Error with the node's sentence if it refuses */
export async function startDemo(): Promise<void> {
  const response = await fetch(`${rootUrl}/explorer-demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: kept(),
  });
  keep(response.ok ? STARTED : '');
  if (response.ok) return;
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Error(detail ?? 'The node did not start the demo.');
}

interface DemoProgress {
  /** `waiting` if the node has restarted since. */
  state: 'waiting' | 'running' | 'ended' | 'failed';
  reason: string | null;
}

export const demoProgress = queryOptions({
  queryKey: ['demo'],
  queryFn: async () => {
    const response = await fetch(`${rootUrl}/explorer-demo`);
    if (!response.ok) throw new Error('The node did not report the demo.');
    return (await response.json()) as DemoProgress;
  },
  refetchInterval: ({ state: { data } }) =>
    data === undefined || data.state === 'running' ? POLLS_EVERY : false,
});
