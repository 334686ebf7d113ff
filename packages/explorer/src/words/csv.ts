/** Tables as files that spreadsheets read. */

type Cell = string | number | null;

/** Text that a spreadsheet would compute: strangers choose titles and names. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with a line of names first. */
export function csvOf(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [names, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n') + '\r\n';
}
