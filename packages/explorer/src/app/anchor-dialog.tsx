/** Asks before a pinned anchor is replaced, and shows both anchors in full. */
import { useLayoutEffect, useRef } from 'react';
import { decideProposal, useAnchor, useProposedAnchor } from '../chain/anchor.ts';
import type { Anchor } from '../chain/anchor-rules.ts';

export function AnchorDialog() {
  const anchor = useAnchor();
  const proposed = useProposedAnchor();
  return anchor && proposed ? <Ask anchor={anchor} proposed={proposed} /> : null;
}

function Ask({ anchor, proposed }: { anchor: Anchor; proposed: Anchor }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const isSame = anchor.genesisHash === proposed.genesisHash;
  return (
    <dialog
      ref={dialog}
      className="ask"
      aria-labelledby="ask-title"
      onClose={() => decideProposal(false)}
    >
      <h2 id="ask-title">{isSame ? 'Unpin the anchor?' : 'Replace the pinned anchor?'}</h2>
      <p>
        {isSame
          ? 'The hash stays the same. The page then treats it as named by the node, and no longer as known to you.'
          : 'These are two different networks. A proof against one says nothing about the other. Replace the anchor only if you know why the hash differs.'}
      </p>
      <dl>
        <dt>Pinned by you</dt>
        <dd className="mono">{spaced(anchor.genesisHash)}</dd>
        <dt>{proposed.source === 'pinned' ? 'New anchor' : 'Named by the node'}</dt>
        <dd className="mono">{spaced(proposed.genesisHash)}</dd>
      </dl>
      <div className="ask-buttons">
        <button
          type="button"
          className="button primary"
          autoFocus
          onClick={() => decideProposal(false)}
        >
          Keep mine
        </button>
        <button type="button" className="button" onClick={() => decideProposal(true)}>
          {isSame ? 'Unpin it' : 'Replace it'}
        </button>
      </div>
    </dialog>
  );
}

const spaced = (hash: string): string => hash.replaceAll(/.{8}(?=.)/g, '$& ');
