/**
 * Builds the documentation into packages/site/dist, from where a node serves it: `pages.br` with every page as HTML and as Markdown, the files
 * that pages load, and `manifest.json`, which says where each lies. The same sources make the same bytes.
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
// All of them as one: what pages have in common is stored once.
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
// Written last: a node that reads meanwhile sees a whole build, or none.
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
