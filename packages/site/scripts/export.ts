/**
 * The documentation as static files, for any web server:
 *
 *   npm run docs:export -- <directory> --url https://node.example
 *
 * Each page is `<path>/index.html` and `<path>.md`. Samples use the node at `--url`; links to what only a
 * node has lead there. The directory must be empty or new.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { DocsBuild } from '@netd/server/docs-build';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string', default: 'http://127.0.0.1:8420' } },
});
const [directory] = positionals;
const url = URL.canParse(values.url) ? values.url.replace(/\/$/, '') : null;
if (directory === undefined || url === null) {
  console.error('usage: npm run docs:export -- <directory> --url <address of the node>');
  process.exit(2);
}
const build = DocsBuild.read();
if (!build) {
  console.error('The documentation has not been built: npm run build');
  process.exit(1);
}
mkdirSync(directory, { recursive: true });
if (readdirSync(directory).length > 0) {
  console.error(`${directory} is not empty: name another one, or empty it.`);
  process.exit(1);
}

function write(path: string, content: string | Buffer): void {
  const target = join(directory ?? '', path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}

const paths = Object.keys(build.manifest.pages);
for (const path of paths) {
  const html = (await build.page(path, 'html', url)) ?? '';
  write(`${path}/index.html`, html.replaceAll(/ href="(?=\/(?!docs[/"]))/g, ` href="${url}`));
  write(`${path}.md`, (await build.page(path, 'markdown', url)) ?? '');
}
for (const name of Object.keys(build.manifest.files)) {
  const file = await build.file(name);
  if (file) write(`/docs/assets/${name}`, file.bytes);
}
console.log(`${paths.length} pages are in ${directory}; serve it as the root of a site.`);
