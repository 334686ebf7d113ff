import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The address of `npm start`, which a node replaces by its own. */
export const NODE_URL = 'http://127.0.0.1:8420';

export const SECTIONS = {
  guides: 'Guides',
  concepts: 'Concepts',
  api: 'Reads and writes',
  actions: 'Actions',
  events: 'Events',
  errors: 'Errors',
  tools: 'Tools',
  commands: 'Commands',
  python: 'Python',
  javascript: 'JavaScript',
  more: 'More',
} as const;
export type Section = keyof typeof SECTIONS;

export interface Page {
  /** For example /docs/guides/hire. */
  path: string;
  title: string;
  section: Section;
  /** A topic, or the owner of tools. */
  group?: string;
  /** One sentence, for lists and search. */
  summary: string;
  /** Starts with the first heading. Links to pages are paths. */
  markdown: string;
  /** True for the first page of a section. */
  isIndex?: true;
  /** Names that the page describes, for the search. */
  names?: readonly { id: string; name: string; summary: string }[];
}

/** Puts text on one line and escapes bars. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

export const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>|]/g, String.raw`\$&`);

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

export function listOf(pages: readonly Page[]): string {
  return pages
    .map(({ path, title, summary }) => `- [${title}](${path}) ${plain(summary)}`)
    .join('\n');
}

export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;
}
