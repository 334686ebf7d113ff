/** Which files of the page run in this tab: watched from its first line on, and therefore apart from what hashes them. */
const loaded = new Set<string>();

/**
 * Notes each file of the page as the browser loads it. Not read from the browser's list when it is asked for: that ends after 250 entries,
 * with every document that the page reads among them, so that a wallet opened after a while would not be on it.
 */
export function watchLoadedFiles(): void {
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) {
      const { pathname, origin } = new URL(name);
      if (origin === location.origin && /^\/explorer\/.+\.(js|css)$/.test(pathname)) {
        loaded.add(pathname);
      }
    }
  }).observe({ type: 'resource', buffered: true });
}

/** Paths of what this page has loaded so far. */
export const loadedFiles = (): string[] => [...loaded].toSorted();
