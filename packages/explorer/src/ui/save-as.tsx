import { download } from './download.ts';
import { csvOf, jsonOf, type TableFile } from '../words/csv.ts';

/** @param table returns the table; called when the reader saves it */
export function SaveAs({ name, table }: { name: string; table: () => TableFile }) {
  return (
    <>
      <button
        type="button"
        className="button small"
        onClick={() => download(`${name}.csv`, csvOf(table()), 'text/csv')}
      >
        Save as CSV
      </button>
      <button
        type="button"
        className="button small"
        onClick={() => download(`${name}.json`, jsonOf(table()))}
      >
        Save as JSON
      </button>
    </>
  );
}
