/** Records which files of the page run in this tab. Separate from hashing, because it must begin with the page. */
import { rootUrl } from './root-url.ts';

const loaded = new Set<string>();

/**
 * Records files as the browser loads them. The browser's own list ends after 250 entries, including every
 * document read, so it would miss a wallet opened later.
 */
export function watchLoadedFiles(): void {
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) {
      const path = name.startsWith(`${rootUrl}/`) ? name.slice(rootUrl.length + 1) : '';
      if (/^explorer\/[^?#]+\.(js|css)$/.test(path)) loaded.add(path);
    }
  }).observe({ type: 'resource', buffered: true });
}

/** Returns the loaded files by their paths in the manifest. */
export const loadedFiles = (): string[] => [...loaded].toSorted();
