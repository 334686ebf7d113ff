/** What a page is, before it is HTML. */
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where a node of `npm start` is: a node that serves a page writes its own address in its place. */
export const NODE_URL = 'http://127.0.0.1:8420';

/** In the order of the contents. */
export const SECTIONS = {
  guides: 'Guides',
  concepts: 'Concepts',
  api: 'Reads and writes',
  actions: 'Actions',
  events: 'Events',
  errors: 'Errors',
  tools: 'Tools',
  commands: 'Commands',
  more: 'More',
} as const;
export type Section = keyof typeof SECTIONS;

export interface Page {
  /** Below the origin, without a suffix: /docs/guides/hire. */
  path: string;
  title: string;
  section: Section;
  /** Pages of a section that belong together: a topic, the owner of tools. */
  group?: string;
  /** A sentence: lists and search show it. */
  summary: string;
  /** From its first heading on. Links to other pages are their paths. */
  markdown: string;
  /** Whether it begins its section. */
  isIndex?: true;
}

/** A cell of a table: on one line, with its bars escaped. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

/** Text that stands for itself in Markdown, whatever is in it. */
export const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>|]/g, String.raw`\$&`);

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The list that a section begins with. */
export function listOf(pages: readonly Page[]): string {
  return pages
    .map(({ path, title, summary }) => `- [${title}](${path}) ${plain(summary)}`)
    .join('\n');
}

export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;
}
