/** A table that can be saved as a file. Names, hashes, times and amounts are whole in the file. */
import { useRef, type ReactNode } from 'react';
import type { TableFile } from '../words/csv.ts';
import { SaveAs } from './save-as.tsx';

export function DataTable({
  name,
  className = '',
  children,
}: {
  /** Name of the file. */
  name: string;
  className?: string;
  children: ReactNode;
}) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <>
      <div className="table-scroll">
        <table ref={table} className={`table ${className}`}>
          {children}
        </table>
      </div>
      <p className="chips table-save">
        <SaveAs name={name} table={() => fileOf(table.current)} />
      </p>
    </>
  );
}

function fileOf(table: HTMLTableElement | null): TableFile {
  const [names = [], ...rows] = [...(table?.rows ?? [])].map(({ cells }) => [...cells].map(textOf));
  return { names, rows };
}

function textOf(node: Node): string {
  if (node instanceof HTMLElement) {
    const { cell } = node.dataset;
    if (cell !== undefined) return cell;
    if (node instanceof HTMLTimeElement) return ` ${node.dateTime} `;
    if (node.matches('button, .hidden-text, .alike')) return '';
  }
  if (node instanceof SVGElement) return '';
  if (node instanceof Text) return node.data;
  return [...node.childNodes].map(textOf).join('').replaceAll(/\s+/g, ' ').trim();
}
