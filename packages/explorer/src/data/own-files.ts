/** The files of this page, fetched again and hashed in it. */
import { sha256Hex } from '@netd/protocol';

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
