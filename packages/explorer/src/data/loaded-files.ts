/** Those that run in this tab. Separate from hashing: it must begin with the page. */
import { rootUrl } from './root-url.ts';

const loaded = new Set<string>();

/** The browser's own list ends after 250 entries, so it would miss a wallet opened later. */
export function watchLoadedFiles(): void {
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) {
      const path = name.startsWith(`${rootUrl}/`) ? name.slice(rootUrl.length + 1) : '';
      if (/^explorer\/[^?#]+\.(js|css)$/.test(path)) loaded.add(path);
    }
  }).observe({ type: 'resource', buffered: true });
}

/** Paths as in the manifest. */
export const loadedFiles = (): string[] => [...loaded].toSorted();
