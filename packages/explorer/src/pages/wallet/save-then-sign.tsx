/** Key files must be saved before anything about them is signed. Each attempt makes new files. */
import { useState, type ReactNode } from 'react';
import type { Holder } from '../../wallet/holder.ts';
import type { KeyFile } from '../../wallet/key-files.ts';
import type { Fate, Proposal } from '../../wallet/signing.ts';
import { KeyDownloads } from '../../marks/key-downloads.tsx';
import { SignFlow } from './sign-flow.tsx';

export function SaveThenSign({
  files,
  holder,
  make,
  settled = () => {},
  back,
  done,
  note,
  children,
}: {
  files: readonly KeyFile[];
  holder: Holder;
  make: () => Promise<Proposal>;
  settled?: (fate: Fate) => void;
  back: () => void;
  done: () => void;
  note?: ReactNode;
  children: ReactNode;
}) {
  // Compare texts, because another key of the agent has the same file name.
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  const [signing, setSigning] = useState(false);
  const isSaved = files.every(({ text }) => saved.has(text));
  if (signing && isSaved) {
    return (
      <SignFlow
        holder={holder}
        make={make}
        settled={settled}
        note={note}
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
          Review
        </button>
        <button type="button" className="button" onClick={back}>
          Back
        </button>
      </p>
    </>
  );
}
