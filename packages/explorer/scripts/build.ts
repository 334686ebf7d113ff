/**
 * Builds the page into packages/explorer/dist, from which nodes serve it: `files/` as browsers get them,
 * `compressed/` in brotli and gzip, and `manifest.json` with hashes and page paths. `npm ci` runs it at its
 * end. Reproducible from the same sources.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { MADE_ON } from '@netd/protocol/version';
import { build } from 'vite';
import { PAGE_PREFIXES } from '../src/app/page-prefixes.ts';

const PACKAGE = join(import.meta.dirname, '..');
const DIST = join(PACKAGE, 'dist');
const FILES = join(DIST, 'files');
const COMPRESSED = join(DIST, 'compressed');

const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
  version: string;
};

rmSync(DIST, { recursive: true, force: true });
await build({ configFile: join(PACKAGE, 'vite.config.ts'), logLevel: 'warn' });

const files = globSync('**/*.*', { cwd: FILES })
  .toSorted()
  .map((path) => {
    const bytes = readFileSync(join(FILES, path));
    compress(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { path, sha256, bytes: bytes.length };
  });
// Must be written last: a node sees a whole build, or none.
writeFileSync(
  join(DIST, 'manifest.json'),
  `${JSON.stringify({ schema: 'netd-explorer-build/1', version, madeOn: MADE_ON, pages: PAGE_PREFIXES, files }, null, 2)}\n`,
);

function compress(path: string, bytes: Buffer): void {
  const target = join(COMPRESSED, path);
  mkdirSync(dirname(target), { recursive: true });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(`${target}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${target}.gz`, gzipSync(bytes, { level: 9 }));
}
