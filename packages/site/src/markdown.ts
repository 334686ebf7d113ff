import { Marked, type Tokens } from 'marked';
import { highlight, type HighlightedLanguage } from './highlight.mjs';
import { NODE_URL } from './page.ts';

/** Display name and highlighting of a block's language. */
const NAMES: Readonly<Record<string, [title: string, language: HighlightedLanguage | null]>> = {
  js: ['JavaScript', 'javascript'],
  json: ['JSON', 'json'],
  python: ['Python', 'python'],
  sh: ['Shell', 'bash'],
  text: ['Prints', null],
  toml: ['TOML', null],
  ts: ['TypeScript', 'typescript'],
};

/** `sh curl` is shell, shown under its program's name. */
const PROGRAMS: Readonly<Record<string, string>> = { curl: 'curl', netd: 'netd' };

interface Heading {
  id: string;
  text: string;
  depth: number;
}

export interface Rendered {
  html: string;
  headings: Heading[];
}

/** @param picture returns the SVG of a file beside the page */
export function renderMarkdown(markdown: string, picture: (name: string) => string): Rendered {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    // Bare addresses are examples, not links.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth, text }) {
        const given = / \{#([\w-]+)\}$/.exec(text)?.[1];
        const inner = this.parser.parseInline(tokens).replace(/ \{#[\w-]+\}$/, '');
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const id = given ?? slugOf(text, taken);
        headings.push({ id, text: inner.replaceAll(/<[^>]+>/g, ''), depth });
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      code: (token) => sampleOf(token),
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="scroll" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      image: ({ href, text }) =>
        `<figure class="picture">${picture(href)}<figcaption>${escapeHtml(text)}</figcaption></figure>`,
      html: ({ text }) => escapeHtml(text),
    },
  });
  const html = marked
    .parse(markdown, { async: false })
    .replaceAll(/<p>(<figure.*?<\/figure>)<\/p>/gs, '$1');
  return { html: grouped(html), headings };
}

function sampleOf({ text, lang = '' }: Tokens.Code): string {
  const [name = '', program = ''] = lang.split(' ');
  const [title, language] = NAMES[name] ?? [name, null];
  const code = language ? highlight(text, language) : escapeHtml(text);
  const shown = PROGRAMS[program] ?? title;
  const kind = name === 'text' ? 'output' : 'sample';
  return `<figure class="${kind}" data-language="${shown}"><figcaption>${shown}</figcaption><pre tabindex="0"><code class="language-${name}">${code}</code></pre></figure>\n`;
}

/** Groups adjacent samples in different languages, of which scripts show one. */
function grouped(html: string): string {
  return html.replaceAll(/(?:<figure class="sample".*?<\/figure>\n){2,}/gs, (blocks) => {
    const languages = [...blocks.matchAll(/ data-language="([^"]+)"/g)].map(([, name]) => name);
    if (new Set(languages).size < languages.length) return blocks;
    return `<div class="samples">\n${blocks}</div>\n`;
  });
}

/** Makes slugs as GitHub does, so that section links work in both places. */
function slugOf(text: string, taken: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const count = taken.get(slug) ?? 0;
  taken.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Returns the page for programs: full addresses, without marks for our renderer. */
export function markdownOf(markdown: string): string {
  return (
    markdown
      .replaceAll(/^(#+ .*) \{#[\w-]+\}$/gm, '$1')
      .replaceAll(/^```(\w+) [\w-]+$/gm, '```$1')
      // Pictures are part of the HTML page, and have no address of their own.
      .replaceAll(/^!\[(.*)\]\([\w-]+\.svg\)$/gm, 'The HTML page has a picture: $1')
      .replaceAll(/\]\((\/docs(?:\/[^)#\s]*)?)(#[^)\s]*)?\)/g, (_, path, anchor = '') => {
        return `](${NODE_URL}${path}.md${anchor})`;
      })
      .replaceAll(/\]\((\/[^)\s]*)\)/g, `](${NODE_URL}$1)`)
  );
}
