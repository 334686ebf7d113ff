/**
 * Makes Python wheels without Python. The bytes are reproducible: sorted, compressed by fflate, and dated
 * SOURCE_DATE_EPOCH or the start of zip time.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { zipSync } from 'fflate';

/** The start of zip time, in seconds since 1970. */
const ZIP_EPOCH = 315_532_800;
/** The platform of a wheel without native parts. */
const ANY = 'any';
/** Compressed already. */
const COMPRESSED = /\.(?:br|gz|mcpb|png|tgz|whl|woff2|zip)$/;

/**
 * @param files contents by path
 * @param platform tag of the machines that can install it
 * @returns {{ name: string, bytes: Buffer }} the wheel and its file name
 */
export function makeWheel({
  name,
  version,
  platform = ANY,
  files,
  licence,
  entryPoints,
  metadata,
}) {
  const info = `${name}-${version}.dist-info`;
  const tag = `py3-none-${platform}`;
  const wheel = [
    ...[...files].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [`${info}/licenses/LICENSE`, licence],
    [`${info}/WHEEL`, Buffer.from(wheelText(tag, platform === ANY))],
    [`${info}/entry_points.txt`, Buffer.from(entryPoints)],
    [`${info}/METADATA`, Buffer.from(metadata)],
  ];
  const record = [...wheel.map(recordLine), `${info}/RECORD,,`, ''].join('\n');
  wheel.push([`${info}/RECORD`, Buffer.from(record)]);
  return { name: `${name}-${version}-${tag}.whl`, bytes: zip(wheel) };
}

const wheelText = (tag, isPure) => `Wheel-Version: 1.0
Generator: netd build-python
Root-Is-Purelib: ${isPure}
Tag: ${tag}
`;

/** @returns {[name: string, bytes: Buffer][]} by path below the folder, with slashes */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path)]);
}

/** Writes each file atomically, because a node may be reading it. */
export function writeWhole(directory, files) {
  mkdirSync(directory, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(join(directory, `.${file}.part`), content);
    renameSync(join(directory, `.${file}.part`), join(directory, file));
  }
}

function recordLine([name, bytes]) {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return `${name},sha256=${hash},${bytes.length}`;
}

/** zlib's output depends on its version and the processor; fflate's does not. */
function zip(files) {
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? ZIP_EPOCH);
  if (!Number.isInteger(seconds)) throw new Error('SOURCE_DATE_EPOCH is no number of seconds');
  const utc = new Date(Math.max(seconds, ZIP_EPOCH) * 1_000);
  // Zip has local times, and every machine must write the same bytes.
  const mtime = new Date(utc.getTime() + utc.getTimezoneOffset() * 60_000);
  const plain = { os: 3, attrs: 0o100644 << 16, mtime };
  const entries = files.map(([name, bytes]) => [
    name,
    [bytes, { ...plain, level: COMPRESSED.test(name) ? 0 : 9 }],
  ]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}
