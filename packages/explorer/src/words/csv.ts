type Cell = string | number | null;

/** Spreadsheets would evaluate such text, which strangers may have chosen. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [names, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n') + '\r\n';
}
