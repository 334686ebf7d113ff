/** Records files that this tab loaded. Must be loaded with the page itself. */
import { rootUrl } from './root-url.ts';

const loaded = new Set<string>();

/** Observes files, because the browser's own list ends after 250 entries and might miss the wallet. */
export function watchLoadedFiles(): void {
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) {
      const path = name.startsWith(`${rootUrl}/`) ? name.slice(rootUrl.length + 1) : '';
      if (/^explorer\/[^?#]+\.(js|css)$/.test(path)) loaded.add(path);
    }
  }).observe({ type: 'resource', buffered: true });
}

export const loadedFiles = (): string[] => [...loaded].toSorted();
