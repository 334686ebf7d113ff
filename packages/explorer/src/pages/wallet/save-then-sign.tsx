/** A key that was made here is saved before anything about it is signed. Who goes back and makes another one saves that one, too. */
import { useState, type ReactNode } from 'react';
import type { Holder } from '../../wallet/holder.ts';
import type { KeyFile } from '../../wallet/key-files.ts';
import type { Fate, Proposal } from '../../wallet/signing.ts';
import { KeyDownloads } from './key-downloads.tsx';
import { SignFlow } from './sign-flow.tsx';

export function SaveThenSign({
  files,
  holder,
  make,
  settled = () => {},
  back,
  done,
  children,
}: {
  /** Key files that were made: nothing is signed before each of them is saved. */
  files: readonly KeyFile[];
  holder: Holder;
  make: () => Promise<Proposal>;
  settled?: (fate: Fate) => void;
  /** Throws away what was made; this component goes with it, and with it what is known to be saved. */
  back: () => void;
  done: () => void;
  children: ReactNode;
}) {
  // Texts, not names: another key for the same agent has a file of the same name.
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  const [signing, setSigning] = useState(false);
  const isSaved = files.every(({ text }) => saved.has(text));
  if (signing && isSaved) {
    return (
      <SignFlow
        holder={holder}
        make={make}
        settled={settled}
        back={() => setSigning(false)}
        done={done}
      />
    );
  }
  return (
    <>
      <p>{children}</p>
      <KeyDownloads
        files={files}
        saved={({ text }) => setSaved((all) => new Set([...all, text]))}
      />
      <p className="chips">
        <button
          type="button"
          className="button primary"
          disabled={!isSaved}
          onClick={() => setSigning(true)}
        >
          Look at it first
        </button>
        <button type="button" className="button" onClick={back}>
          Back
        </button>
      </p>
    </>
  );
}
