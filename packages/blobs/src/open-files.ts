/** Limits that leave a service the files it needs: connections, downloads and uploads each are open files. */
import type { BlobLimits } from './limits.ts';

/** @param openFiles what the process may open; Infinity if unknown */
export function fitLimits(limits: BlobLimits, openFiles: number): BlobLimits {
  const share = (wanted: number, part: number): number =>
    Math.min(wanted, Math.max(1, Math.floor(openFiles * part)));
  return {
    ...limits,
    connections: share(limits.connections, 1 / 2),
    downloads: share(limits.downloads, 1 / 4),
    uploads: share(limits.uploads, 1 / 16),
  };
}
