import { Link } from '@tanstack/react-router';
import { Page } from './parts.tsx';

export function NotFound() {
  return (
    <Page
      title="No such page"
      lead="There is no page at this address. The search (Ctrl-K) finds agents, work, blocks and hashes."
    >
      <Link to="/" className="button">
        Live activity
      </Link>
    </Page>
  );
}
