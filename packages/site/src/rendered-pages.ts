import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { framed, type Assets } from './frame.ts';
import { markdownOf, renderMarkdown } from './markdown.ts';
import { ROOT, SECTIONS } from './page.ts';
import { allPages } from './pages.ts';

export interface RenderedPage {
  path: string;
  title: string;
  html: string;
  markdown: string;
}

export interface Asset {
  /** Contains a hash of the content. */
  name: string;
  sha256: string;
  bytes: Buffer;
}

/** Styles that the explorer shares. */
const EXPLORER = join(ROOT, 'packages/explorer/src');

export async function renderedPages(): Promise<{ pages: RenderedPage[]; assets: Asset[] }> {
  const pages = allPages();
  const rendered = pages.map((page) => ({
    page,
    ...renderMarkdown(page.markdown, (name) => picture(page.path, name)),
  }));
  const entries = rendered.flatMap(({ page, html }) => {
    const section = SECTIONS[page.section];
    // Index the full text of handwritten pages; the reference by names and summaries.
    const isWritten = ['guides', 'concepts', 'more'].includes(page.section) && !page.isIndex;
    const { path, title, summary, names = [] } = page;
    return [
      { path, title, section, summary, text: isWritten ? textOf(html) : '' },
      ...names.map((one) => ({
        path: `${path}#${one.id}`,
        title: one.name,
        section,
        summary: one.summary,
        text: '',
      })),
    ];
  });
  const source = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
  const style = ['tokens', 'base'].map((name) =>
    readFileSync(join(EXPLORER, `styles/${name}.css`), 'utf8'),
  );
  const assets = {
    icon: asset('icon', 'svg', readFileSync(join(EXPLORER, 'icon.svg'), 'utf8')),
    program: asset('site', 'js', await bundled('browser/main.ts')),
    search: asset('search', 'json', JSON.stringify(entries)),
    style: asset('site', 'css', [...style, source('styles/site.css')].join('\n')),
    theme: asset('theme', 'js', await bundled('browser/theme.ts')),
  };
  const names = Object.fromEntries(
    Object.entries(assets).map(([key, { name }]) => [key, name]),
  ) as unknown as Assets;
  return {
    pages: rendered.map(({ page, html, headings }) => ({
      path: page.path,
      title: page.title,
      html: framed(page, { html, headings }, pages, names),
      markdown: markdownOf(page.markdown),
    })),
    assets: Object.values(assets),
  };
}

function asset(name: string, suffix: string, text: string): Asset {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: `${name}-${sha256.slice(0, 8)}.${suffix}`, sha256, bytes };
}

/** Drops the picture's own style, which is for viewing it alone. */
function picture(path: string, name: string): string {
  const svg = readFileSync(join(ROOT, path.replace('/docs/', 'docs/'), '..', name), 'utf8');
  return svg
    .replace(/<\?xml.*?\?>\s*/s, '')
    .replace(/\s*<style>.*?<\/style>/s, '')
    .trim();
}

const textOf = (html: string): string =>
  html
    .replaceAll(/<figure class="(?:sample|output|picture)".*?<\/figure>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

async function bundled(entry: string): Promise<string> {
  const build = await rolldown({
    input: join(import.meta.dirname, entry),
    platform: 'browser',
    experimental: { attachDebugInfo: 'none' },
  });
  try {
    const { output } = await build.generate({ format: 'iife', minify: true });
    return output[0].code;
  } finally {
    await build.close();
  }
}
