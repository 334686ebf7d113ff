/** Lowers limits to the process's open files. Each connection, download and upload takes one. */
import type { BlobLimits } from './limits.ts';

export function fitLimits(limits: BlobLimits, openFiles: number): BlobLimits {
  const share = (wanted: number, part: number): number =>
    Math.min(wanted, Math.max(1, Math.floor(openFiles * part)));
  const connections = share(limits.connections, 1 / 2);
  const downloads = share(limits.downloads, 1 / 4);
  const uploads = share(limits.uploads, 1 / 16);
  // One address gets at most half of a lowered total.
  const half = (wanted: number, all: number, wantedOfAll: number): number =>
    all === wantedOfAll ? wanted : Math.min(wanted, Math.ceil(all / 2));
  return {
    ...limits,
    connections,
    connectionsPerAddress: half(limits.connectionsPerAddress, connections, limits.connections),
    downloads,
    downloadsOfAddress: half(limits.downloadsOfAddress, downloads, limits.downloads),
    uploads,
    uploadsOfAddress: half(limits.uploadsOfAddress, uploads, limits.uploads),
  };
}
