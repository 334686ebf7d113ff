/** In memory only, so it ends with the tab. */
import { useSyncExternalStore } from 'react';
import type { OpenedKeys } from './key-files.ts';

export interface Holder extends OpenedKeys {
  /** Shown when the key was opened. Nothing is signed for another chain. */
  genesisHash: string;
}

/** Milliseconds without input. */
const LOCKS_AFTER = 10 * 60_000;
const LOOK_EVERY = 5_000;
const TOUCHES = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

let holder: Holder | null = null;
/** Compared with the clock, because a sleeping tab's timers stop. */
let touchedAt = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

export const heldNow = (): Holder | null => holder;

/** @returns a function that unsubscribes */
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
  // The back/forward cache keeps memory.
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

/** Late input must not keep an expired wallet open. */
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
