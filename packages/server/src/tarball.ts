/** A package as npm installs it: a gzipped tar whose bytes depend on nothing but its files, whatever machine or Node made it. */
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'fflate';
import { pack } from 'tar-stream';

/** The time that npm gives all files of a package. */
const TIME = new Date('1985-10-26T08:15:00.000Z');
/** Where gzip says on which system it ran (RFC 1952 section 2.3.1), and how it says that it does not. */
const SYSTEM_AT = 9;
const UNKNOWN_SYSTEM = 255;
/** What a program begins with that its system runs. */
const PROGRAM = Buffer.from('#!');

/**
 * Compressed in JavaScript: what zlib makes of the same bytes differs with its version and with the processor.
 * @param files by their paths in the package
 */
export async function makeTarball(
  files: Readonly<Record<string, string | Uint8Array>>,
  { folder = 'package' }: { folder?: string } = {},
): Promise<Buffer> {
  const tar = pack();
  for (const name of Object.keys(files).toSorted()) {
    const content = files[name] ?? '';
    const bytes = Buffer.from(content);
    const mode = bytes.subarray(0, PROGRAM.length).equals(PROGRAM) ? 0o755 : 0o644;
    tar.entry({ name: `${folder}/${name}`, mode, mtime: TIME }, bytes);
  }
  tar.finalize();
  const bytes = Buffer.from(gzipSync(await buffer(tar), { level: 9, mtime: 0 }));
  bytes[SYSTEM_AT] = UNKNOWN_SYSTEM;
  return bytes;
}
