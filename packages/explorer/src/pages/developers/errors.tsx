import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import contract from '../../../../../contract/errors.json' with { type: 'json' };
import { Card } from '../../ui/parts.tsx';
import { fits } from '../../words/fits.ts';
import { TextField } from '../../ui/fields.tsx';

const ERRORS = Object.entries(
  contract.errors as Readonly<Record<string, { status: number; title: string; advice: string }>>,
);

export function ErrorTable() {
  const { find = '' } = useSearch({ from: '/developers' });
  const go = useNavigate({ from: '/developers' });
  // Local state, so that typing need not wait for the router.
  const [looked, setLooked] = useState(find);
  const found = ERRORS.filter(([code, { status, title, advice }]) =>
    fits(`${code} ${status} ${title} ${advice}`, looked.trim()),
  );
  return (
    <Card title="Errors" aside={<span className="soft">{found.length} codes</span>}>
      <div className="inside stack-small">
        <TextField
          label="Find an error"
          value={looked}
          change={(value) => {
            setLooked(value);
            void go({
              search: (search) => ({ ...search, find: value }),
              replace: true,
              resetScroll: false,
            });
          }}
          hint="A code, a status, or words of its message."
        />
        <ul className="error-list">
          {found.map(([code, { status, title, advice }]) => (
            <li key={code}>
              <a href={`docs/errors/${code}`}>
                <code>{code}</code>
              </a>{' '}
              <span className="chip">{status}</span>
              <p>
                <strong>{title}.</strong> <span className="soft">{advice}</span>
              </p>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p className="soft">No code matches.</p>}
      </div>
    </Card>
  );
}
