/** The token of a link that `netd dev` prints. It starts the demo once. */
import { rootUrl } from './root-url.ts';

const KEY = 'netd:demo';

/** Moves the token from the address into this tab, so that nobody copies it with the link. */
export function takeDemoToken(): void {
  const token = /^#demo=([0-9a-f]{32})$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  sessionStorage.setItem(KEY, token);
  history.replaceState(history.state, '', location.pathname + location.search);
}

export const demoToken = (): string | null => sessionStorage.getItem(KEY);

/** @throws Error with the node's sentence if it refuses */
export async function startDemo(): Promise<void> {
  const response = await fetch(`${rootUrl}/explorer-demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: demoToken(),
  });
  sessionStorage.removeItem(KEY);
  if (response.ok) return;
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Error(detail ?? 'The node did not start the demo.');
}
