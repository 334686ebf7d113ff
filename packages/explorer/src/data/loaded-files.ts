/** Which files of the page run in this tab: watched from its first line on, and therefore apart from what hashes them. */
import { rootUrl } from './root-url.ts';

const loaded = new Set<string>();

/**
 * Notes each file of the page as the browser loads it. Not read from the browser's list when it is asked for: that ends after 250 entries,
 * with every document that the page reads among them, so that a wallet opened after a while would not be on it.
 */
export function watchLoadedFiles(): void {
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) {
      const path = name.startsWith(`${rootUrl}/`) ? name.slice(rootUrl.length + 1) : '';
      if (/^explorer\/[^?#]+\.(js|css)$/.test(path)) loaded.add(path);
    }
  }).observe({ type: 'resource', buffered: true });
}

/** Returns the paths of what this page has loaded so far, as its manifest names them. */
export const loadedFiles = (): string[] => [...loaded].toSorted();
