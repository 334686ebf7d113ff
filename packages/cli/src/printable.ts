import { stripVTControlCharacters } from 'node:util';
import { escapeInvisible } from '@netd/protocol/visible-text';

export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{C}\n]/gu, '');
}

/**
 * Returns JSON with control, format and bidi characters escaped.
 * @param indent spaces per level; by default one line
 */
export function jsonText(value: unknown, indent?: number): string {
  return escapeInvisible(JSON.stringify(value, null, indent) ?? 'null');
}

export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = [...printable(text).replaceAll(/\s+/g, ' ').trim()];
  return line.length <= most ? line.join('') : `${line.slice(0, most - 1).join('')}…`;
}

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
