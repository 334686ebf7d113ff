/** The anchor of this node in this browser, for everyone who shows or checks something. */
import { useSyncExternalStore } from 'react';
import { meet, pin, readAnchor, type Anchor } from './anchor-rules.ts';
import { nodeUrl } from './client.ts';
import { remember, remembered } from './stored.ts';

const KEY = `anchor:${nodeUrl}`;
const listeners = new Set<() => void>();
let anchor = readAnchor(remembered(KEY));

export const currentAnchor = (): Anchor | null => anchor;

export function useAnchor(): Anchor | null {
  return useSyncExternalStore(subscribe, currentAnchor);
}

/** The node has named its genesis. */
export function metGenesis(told: string): void {
  if (anchor === null) set(meet(anchor, told, Date.now()));
}

/** @throws RangeError for what is no hash */
export function pinGenesis(text: string): void {
  set(pin(text, Date.now()));
}

/** Takes whatever the node says from here on, as at a first visit. */
export function trustAnew(told: string): void {
  set(meet(null, told, Date.now()));
}

function set(next: Anchor): void {
  anchor = next;
  remember(KEY, next);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
