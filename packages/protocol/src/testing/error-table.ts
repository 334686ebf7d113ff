import type { ErrorEntry, HttpErrorEntry } from '../error-entry.ts';

/** Returns misspelt codes, titles with a period, advice without one, and duplicates. */
export function validateErrorTable(
  table: Readonly<Record<string, ErrorEntry | HttpErrorEntry>>,
): string[] {
  const titles = new Set<string>();
  return Object.entries(table).flatMap(([code, entry]) => {
    const { title, advice } = entry;
    const isRight =
      /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code) &&
      /^\S.*[^.]$/.test(title) &&
      /^\S.*\.$/.test(advice) &&
      !titles.has(title) &&
      saysOnce(`${title}. ${advice}`) &&
      (!('status' in entry) || (entry.status >= 400 && entry.status < 600));
    titles.add(title);
    return isRight ? [] : [code];
  });
}

/** True if no sentence stands twice, and every sentence begins after exactly one period and space. */
function saysOnce(text: string): boolean {
  const sentences = text.split(/(?<=[.?!])\s+/).map((each) => each.toLowerCase());
  return (
    new Set(sentences).size === sentences.length &&
    !/\.\s*\.| {2}|^\s|\s$/.test(text.replaceAll('…', ''))
  );
}
