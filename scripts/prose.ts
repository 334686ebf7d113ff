/**
 * Counts the habits that our English must lose: "where" for "if", clauses for subjects, comments that open with a clause.
 * `prose.test.ts` holds the goals. A text without hits may still be bad, but a hit nearly always has a better sentence.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

const THING =
  '(?:it|its|the|no|there|a|an|one|they|this|that|he|she|nothing|none|another|both|any|all|some|these|those)\\b';
const IF = new RegExp(`\\b[Ii]f ${THING}`, 'g');
const HABITS = {
  where: new RegExp(`\\b[Ww]here ${THING}`, 'g'),
  hidden:
    /\b(?:[Nn]obody|[Ww]hoever|[Ss]omebody|[Ww]hom|[Oo]ne that|[Tt]hat which|what is (?:not )?\w+ed\b|is what|[Ww]hat (?:comes|falls|becomes|goes|stands|others) )/g,
  opener: /^(?:What|Whether|Where|Who|Whose|Whom|Which|That|Nobody|Whoever)\b/g,
};
export type Habit = keyof typeof HABITS;
export const HABIT_NAMES = Object.keys(HABITS) as Habit[];

export interface Text {
  /** The package or folder, and the kind: comments, strings, or both and the names of tests. */
  part: string;
  path: string;
  text: string;
  /** True for comments: only their first word counts as an opener. */
  isComment: boolean;
}

export interface Figures extends Record<Habit, number> {
  words: number;
  texts: number;
  if: number;
}

/** Copies, generated text, the text of a licence, and the files that show the habits on purpose. */
const SKIPPED =
  /node_modules|\/generated\/|abci_pb|^vectors\/|fixtures\/|build\/licences\.ts$|^scripts\/prose/;
const isTest = (path: string): boolean => /\.test\.|\/testing\/|\/tests?\//.test(path);
const partOf = (path: string): string =>
  /^(?:(?:packages|clients)\/)?[^/]+/.exec(path)?.[0].replace(/^.*\.md$/, 'root') ?? path;

/** Returns every text that people read, of all files that Git knows. */
export function textsOf(root: string): Text[] {
  const globs = ['*.md', '*.ts', '*.tsx', '*.mjs', '*.py'];
  const names = execFileSync('git', ['-C', root, 'ls-files', ...globs], { encoding: 'utf8' });
  const paths = names.split('\n').filter((path) => path !== '' && !SKIPPED.test(path));
  return paths.flatMap((path) => textsIn(path, readFileSync(`${root}/${path}`, 'utf8')));
}

export function textsIn(path: string, source: string): Text[] {
  const texts: Text[] = [];
  const add = (raw: string, isComment: boolean, kind = ''): void => {
    const text = raw.replaceAll(/\s+/g, ' ').trim();
    const part = `${partOf(path)}${isTest(path) ? ' (tests)' : kind}`;
    if (text !== '') texts.push({ part, path, text, isComment });
  };
  if (path.endsWith('.md')) {
    const prose = source.replaceAll(/```[\s\S]*?```/g, '');
    for (const text of prose.split(/\n\s*\n/)) add(text, false);
  } else if (path.endsWith('.py')) {
    for (const [all, docstring] of source.matchAll(/"""([\s\S]*?)"""|(?:^[ \t]*# .*\n)+/gm)) {
      add(docstring ?? all.replaceAll(/^\s*# ?/gm, ''), true);
    }
  } else {
    const { comments, program } = parseSync(path, source);
    for (const { type, value, start } of comments) {
      // A line comment below another one continues it.
      const continues = type === 'Line' && /\/\/.*\n\s*$/.test(source.slice(0, start).slice(-200));
      add(value.replaceAll(/^\s*\*+ ?/gm, ''), !continues);
    }
    const addString = (text: string): void => {
      if (/\w+ \w+ \w+ \w+/.test(text)) add(text, false, ' (strings)');
    };
    new Visitor({
      Literal: ({ value }) => typeof value === 'string' && addString(value),
      TemplateLiteral: ({ quasis }) => addString(quasis.map((each) => each.value.cooked).join('…')),
      JSXText: ({ value }) => addString(value),
    }).visit(program);
  }
  return texts;
}

export const hitsIn = ({ text, isComment }: Text, habit: Habit): string[] =>
  habit === 'opener' && !isComment ? [] : (text.match(HABITS[habit]) ?? []);

export function figuresOf(texts: readonly Text[]): Map<string, Figures> {
  const parts = new Map<string, Figures>();
  for (const each of texts) {
    const none = { words: 0, texts: 0, if: 0, where: 0, hidden: 0, opener: 0 };
    const figures = parts.get(each.part) ?? none;
    figures.words += each.text.split(' ').length;
    figures.texts += 1;
    figures.if += each.text.match(IF)?.length ?? 0;
    for (const habit of HABIT_NAMES) figures[habit] += hitsIn(each, habit).length;
    parts.set(each.part, figures);
  }
  return parts;
}
