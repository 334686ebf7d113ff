import { sha256Hex } from '@netd/protocol';

export interface BuildManifest {
  version: string;
  /** The day of the build, YYYY-MM-DD. */
  madeOn: string;
  files: { path: string; sha256: string; bytes: number }[];
}

export async function readBuildManifest(): Promise<BuildManifest | null> {
  const answer = await fetch('explorer/manifest.json');
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`explorer/manifest.json answers ${answer.status}`);
  return (await answer.json()) as BuildManifest;
}

export interface OwnFile {
  path: string;
  sha256: string;
  isNamed: boolean;
}

export async function hashOwnFile(path: string, named: string | undefined): Promise<OwnFile> {
  // The browser's cache has the bytes that run, not those served now.
  const bytes = await (await fetch(path, { cache: 'force-cache' })).arrayBuffer();
  // Don't use crypto.subtle, which is missing on plain http from other machines.
  const sha256 = sha256Hex(new Uint8Array(bytes));
  return { path, sha256, isNamed: sha256 === named };
}
