/** The key that this tab holds, while it holds one: in memory only, so that it goes with the tab. */
import { useSyncExternalStore } from 'react';
import type { OpenedKeys } from './key-files.ts';

export interface Holder extends OpenedKeys {
  /** The chain that the person was shown when the key was opened: nothing is signed for another. */
  genesisHash: string;
}

/** Milliseconds without a touch after which the wallet locks. */
const LOCKS_AFTER = 10 * 60_000;
const LOOK_EVERY = 5_000;
const TOUCHES = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

let holder: Holder | null = null;
/** The time of the last touch, in milliseconds. The clock is compared, because timers of a sleeping tab rest. */
let touchedAt = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

export const heldNow = (): Holder | null => holder;

/** @returns what ends it */
export function onHolder(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useHolder(): Holder | null {
  return useSyncExternalStore(onHolder, heldNow);
}

export function hold(next: Holder): void {
  holder = next;
  touchedAt = Date.now();
  timer ??= setInterval(lockWhenLeft, LOOK_EVERY);
  for (const type of TOUCHES) addEventListener(type, touch, { passive: true, capture: true });
  document.addEventListener('visibilitychange', lockWhenLeft);
  // Pages that are kept for the way back keep their memory, too.
  addEventListener('pagehide', lock);
  tell();
}

export function lock(): void {
  holder = null;
  clearInterval(timer);
  timer = undefined;
  for (const type of TOUCHES) removeEventListener(type, touch, { capture: true });
  document.removeEventListener('visibilitychange', lockWhenLeft);
  removeEventListener('pagehide', lock);
  tell();
}

/** A touch that comes too late does not open what should have been locked before it. */
function touch(): void {
  lockWhenLeft();
  touchedAt = Date.now();
}

function lockWhenLeft(): void {
  if (holder !== null && Date.now() - touchedAt >= LOCKS_AFTER) lock();
}

function tell(): void {
  for (const listener of listeners) listener();
}
