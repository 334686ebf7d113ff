/** Text of strangers for a terminal: nothing in it may move the cursor, ring or recolour what stands around it. */
import { stripVTControlCharacters } from 'node:util';
import { escapeInvisible } from '@netd/protocol/visible-text';

/** The text without control and format characters; line feeds stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{C}\n]/gu, '');
}

/**
 * JSON whose strings are the same to a parser, and in which no character steers a terminal: control, format and bidi
 * characters are escaped.
 * @param indent spaces a level; without it one line
 */
export function jsonText(value: unknown, indent?: number): string {
  return escapeInvisible(JSON.stringify(value, null, indent) ?? 'null');
}

/** The same on one line, cut where it is longer than `most` characters. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = [...printable(text).replaceAll(/\s+/g, ' ').trim()];
  return line.length <= most ? line.join('') : `${line.slice(0, most - 1).join('')}…`;
}

/** Rows in columns, two spaces apart; the last column takes what is left. Cells are one line each. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell)));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, [...cell].length);
  }
  return cells
    .map((row) =>
      `${indent}${row.map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - [...cell].length)).join('  ')}`.trimEnd(),
    )
    .join('\n');
}
