/**
 * Builds the documentation into packages/site/dist: `pages.br` with all pages as HTML and Markdown, their
 * assets, and `manifest.json`. The build is reproducible.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { VERSION } from '@netd/protocol/version';
import type { DocsManifest } from '@netd/server/docs-build';
import { renderedPages } from '../src/rendered-pages.ts';

const DIST = join(import.meta.dirname, '../dist');

const { pages, assets } = await renderedPages();
rmSync(DIST, { recursive: true, force: true });
mkdirSync(join(DIST, 'assets'), { recursive: true });

const parts: Buffer[] = [];
let length = 0;
function place(text: string): [offset: number, length: number] {
  const bytes = Buffer.from(text);
  const at = length;
  parts.push(bytes);
  length += bytes.length;
  return [at, bytes.length];
}
const places = pages.map(({ path, title, html, markdown }) => [
  path,
  { title, html: place(html), markdown: place(markdown) },
]);
// Compressed together, because pages share much.
writeFileSync(join(DIST, 'pages.br'), compress(Buffer.concat(parts)));
for (const { name, bytes } of assets) {
  writeFileSync(join(DIST, 'assets', `${name}.br`), compress(bytes));
}
const manifest: DocsManifest = {
  schema: 'netd-docs-build/1',
  version: VERSION,
  pages: Object.fromEntries(places) as DocsManifest['pages'],
  files: Object.fromEntries(assets.map(({ name, sha256 }) => [name, sha256])),
};
// Written last, so that a node sees a whole build or none.
writeFileSync(join(DIST, 'manifest.json'), `${JSON.stringify(manifest)}\n`);

function compress(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
