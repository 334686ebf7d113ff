/** The frame of a page. Only the search needs scripts. */
import { escapeHtml, type Rendered } from './markdown.ts';
import { SECTIONS, type Page, type Section } from './page.ts';

export interface Assets {
  icon: string;
  program: string;
  search: string;
  style: string;
  theme: string;
}

const WRITTEN: readonly Section[] = ['guides', 'concepts', 'more'];
const REFERENCE: readonly Section[] = [
  'python',
  'javascript',
  'api',
  'actions',
  'events',
  'errors',
  'tools',
  'commands',
];

const BRAND =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><g fill="none" stroke="#4f7cf0" stroke-width="4"><rect x="3" y="10" width="16" height="12" rx="6"/><rect x="13" y="10" width="16" height="12" rx="6"/></g></svg>';

export function framed(
  page: Page,
  { html, headings }: Rendered,
  pages: readonly Page[],
  assets: Assets,
): string {
  const { path, title, summary } = page;
  const at = (name: string): string => `/docs/assets/${name}`;
  const shown = headings.filter(({ depth }) => depth === 2);
  const toc =
    shown.length < 2 || (shown.length > 40 && page.names === undefined)
      ? ''
      : `<nav class="on-page" aria-label="On this page"><h2>On this page</h2><ul>${shown.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('')}</ul></nav>`;
  return `<!doctype html>
<html lang="en" data-search="${at(assets.search)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(summary)}">
<title>${escapeHtml(title)} · netd</title>
<link rel="icon" href="${at(assets.icon)}" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${path}.md">
<link rel="stylesheet" href="${at(assets.style)}">
<script src="${at(assets.theme)}"></script>
<script type="module" src="${at(assets.program)}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<div class="shell">
<header class="topbar"><a class="brand" href="/docs">${BRAND}<span>netd <small>Documentation</small></span></a><a class="menu" href="#contents">Contents</a></header>
<nav class="sidebar" id="contents" aria-label="Contents">
<div class="sidebar-head"><a class="brand" href="/docs">${BRAND}<span>netd <small>Documentation</small></span></a><a class="close" href="#content">Close</a></div>
<div id="search"></div>
${contents(page, pages)}
</nav>
<main id="content" tabindex="-1">
<div class="columns"><article>
${crumbs(page, pages)}
${html}
${neighbours(page, pages)}
<footer class="page-foot"><a href="${path}.md">This page as Markdown</a></footer>
</article>${toc}</div>
</main>
</div>
</body>
</html>
`;
}

function contents(page: Page, pages: readonly Page[]): string {
  const link = (to: Pick<Page, 'path'>, text: string): string =>
    `<li><a href="${to.path}"${to.path === page.path ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;
  const list = (section: Section): string =>
    `<h2>${SECTIONS[section]}</h2><ul>${pages
      .filter((one) => one.section === section && one.isIndex !== true)
      .map((one) => link(one, one.title))
      .join('')}</ul>`;
  const reference = REFERENCE.map((section) => {
    const index = pages.find((one) => one.section === section && one.isIndex);
    const here = section === page.section ? below(page, pages, link) : '';
    return (index ? link(index, SECTIONS[section]) : '').replace('</li>', `${here}</li>`);
  });
  const [guides, concepts, more] = WRITTEN.map(list);
  return `${guides}${concepts}<h2>Reference</h2><ul>${reference.join('')}</ul>${more}<h2>This node</h2><ul><li><a href="/">Explorer</a></li><li><a href="/llms.txt">llms.txt</a></li><li><a href="/openapi.json">openapi.json</a></li></ul>`;
}

/** Longer lists appear only on the section's first page. */
const MOST_BELOW = 70;

function below(
  page: Page,
  pages: readonly Page[],
  link: (to: Page, text: string) => string,
): string {
  const beside = pages.filter(
    ({ section, group, isIndex }) =>
      section === page.section &&
      isIndex !== true &&
      (page.group === undefined || group === page.group),
  );
  if (page.isIndex || beside.length > MOST_BELOW) return '';
  return `<ul>${beside.map((one) => link(one, one.title)).join('')}</ul>`;
}

function crumbs({ section, isIndex, path, group }: Page, pages: readonly Page[]): string {
  if (path === '/docs') return '';
  const index = pages.find((one) => one.section === section && one.isIndex);
  const first = '<a href="/docs">Documentation</a>';
  if (isIndex || !index)
    return `<p class="crumb">${first}${isIndex ? '' : ` / ${SECTIONS[section]}`}</p>`;
  return `<p class="crumb">${first} / <a href="${index.path}">${SECTIONS[section]}</a>${group === undefined ? '' : ` / ${escapeHtml(group)}`}</p>`;
}

function neighbours(page: Page, pages: readonly Page[]): string {
  if (!WRITTEN.includes(page.section) || page.path === '/docs') return '';
  const same = pages.filter(({ section }) => section === page.section);
  const at = same.indexOf(page);
  const [before, after] = [same[at - 1], same[at + 1]];
  const link = (to: Page | undefined, word: string): string =>
    to ? `<a href="${to.path}"><small>${word}</small>${escapeHtml(to.title)}</a>` : '<span></span>';
  return `<nav class="neighbours" aria-label="Pages in order">${link(before, 'Before')}${link(after, 'Next')}</nav>`;
}
