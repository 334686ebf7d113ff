import { Link } from '@tanstack/react-router';
import { Said } from './said.tsx';

/** Opens the wallet at the terms of an open order. */
export function TakeJob({ orderId, title }: { orderId: string; title: string }) {
  return (
    <Link to="/wallet" search={{ tab: 'work', of: orderId }} className="button small">
      Take this job
      <span className="hidden-text">
        : <Said text={title} />
      </span>
    </Link>
  );
}
