import { useSyncExternalStore } from 'react';
import { remember, remembered } from './stored.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();
let theme: Theme = THEMES.find((known) => known === remembered('theme')) ?? 'auto';
show(theme);

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
}

export function setTheme(next: Theme): void {
  theme = next;
  remember('theme', next);
  show(next);
  for (const listener of listeners) listener();
}

function show(next: Theme): void {
  const { dataset } = document.documentElement;
  if (next === 'auto') delete dataset['theme'];
  else dataset['theme'] = next;
}
