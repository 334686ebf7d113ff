/** A package as npm installs it: a gzipped tar whose bytes depend on nothing but its files. */
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** The time that npm gives all files of a package. */
const TIME = new Date('1985-10-26T08:15:00.000Z');
/** Where gzip says on which system it ran (RFC 1952 section 2.3.1), and how it says that it does not. */
const SYSTEM_AT = 9;
const UNKNOWN_SYSTEM = 255;

/** @param files by their paths in the package */
export async function makeTarball(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const tar = pack();
  for (const name of Object.keys(files).toSorted()) {
    tar.entry({ name: `package/${name}`, mode: 0o644, mtime: TIME }, files[name] ?? '');
  }
  tar.finalize();
  const bytes = gzipSync(await buffer(tar), { level: 9 });
  bytes[SYSTEM_AT] = UNKNOWN_SYSTEM;
  return bytes;
}
