import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { download } from '../../ui/download.ts';
import { ErrorNote } from '../../ui/parts.tsx';
import { csvOf, jsonOf } from '../../words/csv.ts';
import { counted } from '../../words/amount.ts';

export function WorkExport() {
  const { from = '', to = '' } = useSearch({ from: '/work' });
  const go = useNavigate({ from: '/work' });
  const [wasChosen] = useState(from !== '' || to !== '');
  const choose = (days: { from?: string | undefined; to?: string | undefined }): void =>
    void go({ search: (search) => ({ ...search, ...days }), replace: true, resetScroll: false });
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState('');
  const [error, setError] = useState<unknown>(null);
  const save = async (type: 'csv' | 'json'): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { workTable } = await import('../../chain/export-work.ts');
      const { table, isCut } = await workTable(from, to);
      const days = `${from && `-${from}`}${to && `-${to}`}`;
      const name = `work-unverified${days}${isCut ? '-newest' : ''}.${type}`;
      if (type === 'csv') download(name, csvOf(table), 'text/csv');
      else download(name, jsonOf(table));
      setTold(
        `${counted(table.rows.length, 'order')}${isCut ? ' saved, the newest ones. One file holds no more: choose fewer days.' : ' saved.'} Unverified: the node may have left out others.`,
      );
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <details className="export" open={wasChosen}>
      <summary>Save as CSV or JSON</summary>
      <form
        className="chips"
        onSubmit={(event) => {
          event.preventDefault();
          void save('csv');
        }}
      >
        <Day name="From" value={from} choose={(day) => choose({ from: day })} />
        <Day name="To" value={to} choose={(day) => choose({ to: day })} />
        <button type="submit" className="button" disabled={busy}>
          {busy ? 'Reading…' : 'Save work.csv'}
        </button>
        <button type="button" className="button" disabled={busy} onClick={() => void save('json')}>
          Save work.json
        </button>
        <span role="status" className="soft">
          {told}
        </span>
      </form>
      <p className="soft">Days are in UTC. Both are optional.</p>
      {error !== null && <ErrorNote error={error} what="The work could not be read." />}
    </details>
  );
}

function Day({
  name,
  value,
  choose,
}: {
  name: string;
  value: string;
  choose: (day: string | undefined) => void;
}) {
  return (
    <label>
      {name}{' '}
      <input
        type="date"
        className="field"
        value={value}
        onChange={(event) => choose(event.currentTarget.value || undefined)}
      />
    </label>
  );
}
