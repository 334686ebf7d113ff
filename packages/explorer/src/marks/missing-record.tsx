/** Says why a record could not be read. A node could deny what exists, so the page asks for a proof. */
import { NetError } from '@netd/sdk/core';
import { useProof } from '../chain/proofs.ts';
import { ErrorNote } from '../ui/parts.tsx';
import { count } from '../words/amount.ts';
import { Believed } from './proof.tsx';

export function MissingRecord({
  stateKey,
  error,
  what,
  retry,
}: {
  stateKey: string;
  error: unknown;
  what: string;
  retry?: () => unknown;
}) {
  const isDenied = error instanceof NetError && error.status === 404;
  return (
    <div className="stack-small">
      <ErrorNote error={error} what={what} {...(retry === undefined ? {} : { retry })} />
      {isDenied && <Denied stateKey={stateKey} />}
    </div>
  );
}

function Denied({ stateKey }: { stateKey: string }) {
  const { standing, proven } = useProof('state', stateKey);
  if (standing.standing === 'proven' && proven)
    return proven.present ? (
      <p className="error-note" role="alert">
        <strong>The node denies what it can prove.</strong> The state of block{' '}
        {count(proven.height)} has it. Do not rely on this node.
      </p>
    ) : (
      <p className="soft">
        Your browser has checked this: the state of block {count(proven.height)} has no such record.
      </p>
    );
  return (
    <p className="soft">
      <Believed /> {'reason' in standing ? standing.reason : 'Checking…'}
    </p>
  );
}
