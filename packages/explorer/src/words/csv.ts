export type Cell = string | number | null;

export interface TableFile {
  names: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** Spreadsheets would evaluate such text, which strangers may have chosen. Some read full-width signs, too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf({ names, rows }: TableFile): string {
  return [names, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n') + '\r\n';
}

/** Returns an array of objects, one for each row. */
export function jsonOf({ names, rows }: TableFile): string {
  const objects = rows.map((row) =>
    Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])),
  );
  return `${JSON.stringify(objects, null, 2)}\n`;
}
