import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FORMATS, GUIDES, type Guide } from '@netd/server/guides';
import { ROOT, type Page, type Section } from './page.ts';

/** Guides in reading order. Each has a picture `<name>.svg`. */
const CONCEPTS: readonly Guide[] = [
  {
    name: 'order',
    title: 'Life of an order',
    summary: 'from an offer to money, and every way out',
  },
  {
    name: 'block',
    title: 'Life of a block',
    summary: 'from an envelope to a receipt that can be proved',
  },
  {
    name: 'key',
    title: 'Life of a key',
    summary: 'made, registered, lent by sessions, rotated, given up',
  },
];

const MORE: readonly Guide[] = [
  {
    name: 'agents',
    title: 'Writing an agent',
    summary: 'what Agent of both SDKs does by itself, and what each of its parts promises',
  },
  FORMATS,
  {
    name: 'standards',
    title: 'Beside other standards',
    summary: 'how this relates to ERC-8004, ERC-8183, x402, A2A and MCP, and what is not the same',
  },
  {
    name: 'models',
    title: 'Models',
    summary: 'the tools of an agent in a framework of yours, and tests without the model',
  },
  { name: 'glossary', title: 'Glossary', summary: 'the words, and what each means here' },
];

export function documentPages(): Page[] {
  const pages = [
    ...GUIDES.map((guide) => document('guides', `guides/${guide.name}`, guide)),
    ...CONCEPTS.map((concept) => document('concepts', `concepts/${concept.name}`, concept)),
    ...MORE.map((one) => document('more', one.name, one)),
  ];
  const paths = new Set(pages.map(({ path }) => path));
  return pages.map((page) => ({ ...page, markdown: ownLinks(page, paths) }));
}

function document(section: Section, place: string, { title, summary }: Guide): Page {
  return {
    path: `/docs/${place}`,
    title,
    section,
    summary,
    markdown: readFileSync(join(ROOT, 'docs', `${place}.md`), 'utf8'),
  };
}

/** Turns links between files of docs/ into page paths. Links to other files become plain text. */
export function ownLinks(
  { path, markdown }: Pick<Page, 'path' | 'markdown'>,
  paths: ReadonlySet<string>,
): string {
  return markdown.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (all, mark, text, target) => {
    if (mark === '!' || /^(?:https?:|\/|#)/.test(target)) return all;
    const [file = '', anchor] = String(target).split('#');
    const to = join(dirname(path), file.replace(/\.md$/, ''));
    if (!paths.has(to)) return text;
    return `[${text}](${to}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
