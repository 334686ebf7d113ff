import { useSyncExternalStore } from 'react';
import { meet, needsConsent, pin, readAnchor, type Anchor } from './anchor-rules.ts';
import { nodeUrl } from './client.ts';
import { remember, remembered } from './stored.ts';

const KEY = `anchor:${nodeUrl}`;
const listeners = new Set<() => void>();
let anchor = readAnchor(remembered(KEY));
let proposed: Anchor | null = null;

export const currentAnchor = (): Anchor | null => anchor;
const currentProposal = (): Anchor | null => proposed;

/** Returns how proofs are called: only a pinned genesis cannot be made up. */
export const provenWord = (): 'proven here' | 'checked here' =>
  anchor?.source === 'pinned' ? 'proven here' : 'checked here';

export function useAnchor(): Anchor | null {
  return useSyncExternalStore(subscribe, currentAnchor);
}

export function metGenesis(told: string): void {
  if (anchor === null) set(meet(anchor, told, Date.now()));
}

export function useProposedAnchor(): Anchor | null {
  return useSyncExternalStore(subscribe, currentProposal);
}

export function pinGenesis(text: string): void {
  propose(pin(text, Date.now()));
}

export function trustAnew(told: string): void {
  propose(meet(null, told, Date.now()));
}

export function decideProposal(isAgreed: boolean): void {
  const next = proposed;
  proposed = null;
  if (isAgreed && next !== null) set(next);
  else tell();
}

function propose(next: Anchor): void {
  if (!needsConsent(anchor, next)) return set(next);
  proposed = next;
  tell();
}

function set(next: Anchor): void {
  anchor = next;
  proposed = null;
  remember(KEY, next);
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
