import { columns, jsonText } from './printable.ts';
import type { Terminal } from './terminal.ts';

export function answer(
  terminal: Terminal,
  { json }: { json?: boolean },
  document: unknown,
  text: () => string,
): void {
  terminal.print(json === true ? jsonText(document, 2) : text());
}

export function listText(
  terminal: Terminal,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  { empty, total }: { empty: string; total?: number | null },
): string {
  if (rows.length === 0) return `  ${empty}`;
  const [first = '', ...rest] = columns([heading, ...rows]).split('\n');
  const more = (total ?? rows.length) - rows.length;
  return [
    terminal.paint('dim', first),
    ...rest,
    ...(more > 0 ? [terminal.paint('dim', `  … and ${more} more; --limit shows them`)] : []),
  ].join('\n');
}

export function factsText(
  facts: readonly (readonly [name: string, value: string] | null)[],
): string {
  return columns(facts.flatMap((fact) => (fact && fact[1] !== '' ? [fact] : [])));
}
