import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'fflate';
import { pack } from 'tar-stream';

/** npm uses this time for all files. */
const TIME = new Date('1985-10-26T08:15:00.000Z');
/** Byte for the operating system (RFC 1952 section 2.3.1), set to unknown. */
const SYSTEM_AT = 9;
const UNKNOWN_SYSTEM = 255;
const PROGRAM = Buffer.from('#!');

/**
 * Compresses in JavaScript, because zlib's output differs by version and processor.
 * @param files by path in the package
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
