import { useState } from 'react';
import { Card } from '../../ui/parts.tsx';
import type { Holder } from '../../wallet/holder.ts';
import {
  addressWithPasskeys,
  forgetPasskey,
  makePasskey,
  useHasPasskeys,
} from '../../wallet/passkeys.ts';
import { keepPasskey, type KeptKeys, type KeptPasskey } from '../../wallet/storage.ts';
import { PassphraseField } from '../../ui/fields.tsx';
import { useKept } from './kept-keys.tsx';
import { Fault, sentenceOf } from './opening.tsx';

export function PasskeyCard({ holder: { genesisHash, actorId } }: { holder: Holder }) {
  const hasPasskeys = useHasPasskeys();
  const kept = useKept().find(({ id }) => id === `${genesisHash}/${actorId}`);
  if (kept === undefined) return null;
  const elsewhere = addressWithPasskeys();
  if (!hasPasskeys && elsewhere === null) return null;
  return (
    <Card title="Unlock with a passkey">
      <div className="inside stack-small">
        {!hasPasskeys ? (
          <p className="soft">
            Browsers bind passkeys to host names, not to IP addresses. At{' '}
            <a href={elsewhere ?? ''}>{elsewhere}</a> this wallet can use one. Open your files there
            once.
          </p>
        ) : kept.passkey ? (
          <Remove kept={kept} passkey={kept.passkey} />
        ) : (
          <SetUp kept={kept} />
        )}
      </div>
    </Card>
  );
}

function SetUp({ kept }: { kept: KeptKeys }) {
  const [passphrase, setPassphrase] = useState('');
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  return (
    <form
      className="wallet-form"
      onSubmit={(event) => {
        event.preventDefault();
        setBusy(true);
        setFault('');
        makePasskey(kept, passphrase)
          .then((passkey) => keepPasskey(kept.id, passkey))
          .catch((error: unknown) => setFault(sentenceOf(error)))
          .finally(() => setBusy(false));
      }}
    >
      <p>
        A passkey can replace the passphrase in this browser. It only opens the encrypted files that
        this browser stores. Keep the files and the passphrase. Everyone who can use the passkey on
        this device can use the key.
      </p>
      <PassphraseField
        label="Passphrase of the files"
        value={passphrase}
        change={setPassphrase}
        autoComplete="current-password"
      />
      <Fault text={fault} />
      <p>
        <button type="submit" className="button" disabled={busy || passphrase === ''}>
          {busy ? 'Creating the passkey…' : 'Set up a passkey'}
        </button>
      </p>
    </form>
  );
}

function Remove({ kept, passkey }: { kept: KeptKeys; passkey: KeptPasskey }) {
  const remove = async (): Promise<void> => {
    await keepPasskey(kept.id, null);
    await forgetPasskey(passkey.credentialId);
  };
  return (
    <>
      <p>
        A passkey opens this key in this browser, and so does the passphrase. If the files change,
        set up the passkey again.
      </p>
      <p>
        <button type="button" className="button" onClick={() => void remove().catch(() => {})}>
          Remove it
        </button>
      </p>
    </>
  );
}
