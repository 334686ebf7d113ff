import { useState, type ReactNode } from 'react';
import { useAnchor } from '../../chain/anchor.ts';
import { hold } from '../../wallet/holder.ts';
import { isSealed, KeyFileError, type OpenedKeys } from '../../wallet/key-files.ts';
import { PasskeyError } from '../../wallet/passkeys.ts';
import { keepKeys } from '../../wallet/storage.ts';
import { PassphraseField } from '../../ui/fields.tsx';

export function useGenesis(): string | null {
  return useAnchor()?.genesisHash ?? null;
}

/** Stores only sealed files. If the browser refuses, the person still has them. */
export function openAndKeep(keys: OpenedKeys, genesisHash: string): void {
  if (keys.files.every(({ text }) => isSealed(text))) {
    const { actorId, chainId, files } = keys;
    void keepKeys({ id: `${genesisHash}/${actorId}`, actorId, chainId, genesisHash, files }).catch(
      () => {},
    );
  }
  hold({ ...keys, genesisHash });
}

export function Opening({
  run,
  label,
  before,
  passphraseLabel = 'Passphrase, if the file has one',
  aside,
}: {
  run: (typed: { passphrase: string }) => Promise<void>;
  label: string;
  before: ReactNode;
  passphraseLabel?: string;
  aside?: ReactNode;
}) {
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  return (
    <form
      className="wallet-form"
      onSubmit={(event) => {
        event.preventDefault();
        setBusy(true);
        setFault('');
        run({ passphrase })
          .catch((error: unknown) => setFault(sentenceOf(error)))
          .finally(() => setBusy(false));
      }}
    >
      {before}
      <PassphraseField
        label={passphraseLabel}
        value={passphrase}
        change={setPassphrase}
        autoComplete="current-password"
      />
      <Fault text={fault} />
      <p className="chips">
        <button type="submit" className="button primary" disabled={busy}>
          {busy ? 'Opening…' : label}
        </button>
        {aside}
      </p>
    </form>
  );
}

export function Fault({ text }: { text: string }) {
  return (
    <p className="field-fault" role="alert">
      {text}
    </p>
  );
}

/** Hides other messages, because they might quote the input, which can be a key. */
export function sentenceOf(error: unknown): string {
  return error instanceof KeyFileError || error instanceof PasskeyError
    ? error.message
    : 'It cannot be opened here.';
}
