/** A guide as a page: its Markdown in the frame of the other pages, without scripts. */
import { Marked } from 'marked';
import { FORMATS, GUIDES, readFormats, readGuide, type Guide } from '../guides.ts';
import { atThisNode } from '../own-address.ts';
import { escapeHtml, page } from './page.ts';

const STYLE = `
main { max-width: 52rem; }
main p { max-width: 44rem; }
.guides { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 2rem; }
.guides a { padding: .25rem 0; }
.guides [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
pre code { font-size: inherit; }
pre { white-space: pre; overflow-wrap: normal; }
pre:has(> .language-text) { margin-top: -.5rem; border-style: dashed; background: none; color: var(--soft); }
`;

/** `[hire](hire.md)` works in the repository; here the pages have other addresses. */
const markdown = new Marked({
  walkTokens: (token) => {
    if (token.type === 'link') token['href'] = String(token['href']).replace(/\.md$/, '');
  },
  renderer: {
    // Scrolled by keyboard too; the marks behind the language are for the tests.
    code: ({ text, lang = '' }) =>
      `<pre tabindex="0"><code class="language-${escapeHtml(lang.split(' ')[0] ?? '')}">${escapeHtml(text)}</code></pre>\n`,
    html: ({ text }) => escapeHtml(text),
  },
});

/** @param publicUrl of the node whose page it is */
export function guidePage(guide: Guide, publicUrl: string): string {
  const text = guide === FORMATS ? readFormats() : readGuide(guide);
  const body = markdown.parse(atThisNode(text, publicUrl), { async: false });
  return page(
    guide.title,
    `<nav class="guides" aria-label="Guides"><a href="/docs">Documentation</a>${GUIDES.map(({ name, title }) => `<a href="/docs/guides/${name}"${name === guide.name ? ' aria-current="page"' : ''}>${title}</a>`).join('')}</nav>
${body}`,
    STYLE,
  );
}
