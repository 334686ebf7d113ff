import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { download } from '../data/download.ts';
import { ErrorNote } from '../ui/parts.tsx';
import { counted } from '../words/amount.ts';

export function WorkExport() {
  const { from = '', to = '' } = useSearch({ from: '/work' });
  const go = useNavigate({ from: '/work' });
  const [wasChosen] = useState(from !== '' || to !== '');
  const choose = (days: { from?: string | undefined; to?: string | undefined }): void =>
    void go({ search: (search) => ({ ...search, ...days }), replace: true, resetScroll: false });
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState('');
  const [error, setError] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { workCsv } = await import('../data/export-work.ts');
      const { csv, orders, isCut } = await workCsv(from, to);
      download(`work${from && `-${from}`}${to && `-${to}`}.csv`, csv, 'text/csv');
      setTold(
        `${counted(orders, 'order')}${isCut ? ', the newest: there are more than one file takes. Choose fewer days.' : ' saved.'}`,
      );
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <details className="export" open={wasChosen}>
      <summary>Save as CSV</summary>
      <form
        className="chips"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label>
          From{' '}
          <input
            type="date"
            className="field"
            value={from}
            onChange={(event) => choose({ from: event.currentTarget.value || undefined })}
          />
        </label>
        <label>
          To{' '}
          <input
            type="date"
            className="field"
            value={to}
            onChange={(event) => choose({ to: event.currentTarget.value || undefined })}
          />
        </label>
        <button type="submit" className="button" disabled={busy}>
          {busy ? 'Reading…' : 'Save work.csv'}
        </button>
        <span role="status" className="soft">
          {told}
        </span>
      </form>
      <p className="soft">Days are those of UTC; left out, there is no bound.</p>
      {error !== null && <ErrorNote error={error} what="The work could not be read." />}
    </details>
  );
}
