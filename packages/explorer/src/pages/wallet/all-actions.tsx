import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../ui/parts.tsx';
import { ACTIONS } from '../../wallet/actions.ts';
import { capitalized, words } from '../../words/ids.ts';
import { TextField } from '../../ui/fields.tsx';

export function AllActions() {
  const [looked, setLooked] = useState('');
  const within = looked.trim().toLowerCase();
  const found = ACTIONS.filter(
    ({ name, summary, roles }) =>
      within === '' ||
      `${name} ${words(name)} ${summary} ${roles.join(' ')}`.toLowerCase().includes(within),
  );
  return (
    <Card title="All actions">
      <div className="inside stack-small">
        <TextField label="Find an action" value={looked} change={setLooked} />
        <ul className="action-list">
          {found.map(({ name, summary, roles }) => (
            <li key={name}>
              <Link to="/wallet" search={{ tab: 'actions', do: name }}>
                <strong>{capitalized(words(name))}</strong>
              </Link>
              <span className="soft">{summary}</span>
              <span className="chip">
                {roles.length === 0 ? 'operator' : roles.map((role) => words(role)).join(', ')}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
