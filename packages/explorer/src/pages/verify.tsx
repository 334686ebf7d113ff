import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { stateOf } from '../chain/anchor-rules.ts';
import { pinGenesis, trustAnew, useAnchor } from '../chain/anchor.ts';
import { reading } from '../chain/client.ts';
import { chainTime } from '../chain/clock.ts';
import { useHead } from '../chain/proofs.ts';
import { Hash, Time } from '../marks/names.tsx';
import { LineForm } from '../ui/line-form.tsx';
import { Card, Page } from '../ui/parts.tsx';
import { Compare } from '../marks/compare.tsx';
import { CheckPasted } from './verify/check-pasted.tsx';
import { OwnFiles } from './verify/own-files.tsx';

export function VerifyPage() {
  return (
    <Page
      title="Verify"
      lead="Your browser checks the answers of the node against one hash that identifies the network. See and pin that hash here, and check any document."
    >
      <div className="stack">
        <AnchorCard />
        <CheckPasted />
        <Compare />
        <OwnFiles />
      </div>
    </Page>
  );
}

function AnchorCard() {
  const anchor = useAnchor();
  const network = useQuery(reading('/v1/network'));
  const [fault, setFault] = useState<string | null>(null);
  const told = network.data?.genesisHash;
  const { standing } = useHead();
  const state = anchor && told !== undefined ? stateOf(anchor, told) : null;
  const isPinned = anchor?.source === 'pinned';
  return (
    <Card title="The anchor">
      <div className="inside stack-small">
        <p className="anchor" aria-busy={state === null || undefined}>
          The genesis {anchor ? <Hash hash={anchor.genesisHash} keep={20} /> : '…'}{' '}
          {isPinned ? 'was pinned by you' : 'was named by this node at your first visit'},{' '}
          <span className="since">
            <Time at={anchor && chainTime(anchor.since)} />.
          </span>
        </p>
        {!isPinned && state !== 'other' && (
          <p className="soft">
            A node can invent a whole chain, including its genesis. Get the hash from the operator,
            from another node that you trust or from your own notes, and pin it. Your browser then
            proves nothing of an invented chain.
          </p>
        )}
        {state === 'pinned' && (
          <p className="soft">
            {standing.standing === 'proven'
              ? 'The node serves the chain of this genesis, which your browser has checked.'
              : 'The node names this genesis, but has not proven that it serves its chain.'}{' '}
            What is marked “Proven here” leads back to it.
          </p>
        )}
        {state === 'other' && told !== undefined && (
          <p className="error-note" role="alert">
            <strong>The node serves a different chain.</strong> It names the genesis{' '}
            <Hash hash={told} />. None of its answers can be proven against your anchor.
          </p>
        )}
        <LineForm
          id="pin"
          label="Genesis hash from another source"
          placeholder="A genesis hash"
          submit="Pin it"
          field="field mono"
          button="button primary"
          describedBy="pin-fault"
          onSubmit={(typed, form) => {
            try {
              pinGenesis(typed);
              form.reset();
              setFault(null);
            } catch (error) {
              setFault((error as Error).message);
            }
          }}
        >
          {told !== undefined && (state === 'other' || isPinned) && (
            <button type="button" className="button" onClick={() => trustAnew(told)}>
              Use the genesis that the node names
            </button>
          )}
        </LineForm>
        <p id="pin-fault" className="field-fault" role="alert">
          {fault}
        </p>
      </div>
    </Card>
  );
}
