/** The opened keys. They are only in memory, so they end with the tab. */
import { useSyncExternalStore } from 'react';
import type { OpenedKeys } from './key-files.ts';

export interface Holder extends OpenedKeys {
  /** The chain that was shown when the key was opened. The wallet signs for no other. */
  genesisHash: string;
}

const LOCKS_AFTER = 10 * 60_000;
const LOOK_EVERY = 5_000;
const TOUCHES = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

let holder: Holder | null = null;
/** Compared with the clock, because timers stop while a tab sleeps. */
let touchedAt = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

export const heldNow = (): Holder | null => holder;

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
  // Lock now, because the back/forward cache would keep the keys in memory.
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

/** Locks first if the time is over, because input must not reopen an expired wallet. */
function touch(): void {
  lockWhenLeft();
  touchedAt = Date.now();
}

/** Locks, too, if the clock was set back, because the time without input is unknown then. */
function lockWhenLeft(): void {
  if (holder !== null && Math.abs(Date.now() - touchedAt) >= LOCKS_AFTER) lock();
}

function tell(): void {
  for (const listener of listeners) listener();
}
