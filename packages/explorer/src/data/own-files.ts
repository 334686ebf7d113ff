/** The files of this page, fetched again and hashed in it. */
import { sha256Hex } from '@netd/protocol';

/** The files that the server of this page says that it serves; null where it names no build. */
export interface BuildManifest {
  version: string;
  /** The day of this version, YYYY-MM-DD. */
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
  /** Whether this is the hash that the node names for it. */
  isNamed: boolean;
}

/** @param named what the node says that it is */
export async function hashOwnFile(path: string, named: string | undefined): Promise<OwnFile> {
  // From the browser's own store where it can be: the bytes that run, not those that would be served now.
  const bytes = await (await fetch(path, { cache: 'force-cache' })).arrayBuffer();
  // Not by crypto.subtle, which pages of plain http on other machines do not have.
  const sha256 = sha256Hex(new Uint8Array(bytes));
  return { path, sha256, isNamed: sha256 === named };
}
