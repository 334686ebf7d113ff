import { useEffect, useState } from 'react';
import { Face } from '../../ui/names.tsx';
import { Card } from '../../ui/parts.tsx';
import { openKeys } from '../../wallet/key-files.ts';
import { forgetPasskey, openByPasskey, useHasPasskeys } from '../../wallet/passkeys.ts';
import {
  forgetKeys,
  keptKeys,
  onKept,
  type KeptKeys,
  type KeptPasskey,
} from '../../wallet/storage.ts';
import { Fault, openAndKeep, Opening, sentenceOf, useGenesis } from './opening.tsx';

export function useKept(): readonly KeptKeys[] {
  const [kept, setKept] = useState<readonly KeptKeys[]>([]);
  useEffect(() => {
    const look = (): void => void keptKeys().then(setKept);
    look();
    return onKept(look);
  }, []);
  return kept;
}

export function Kept() {
  const genesis = useGenesis();
  const kept = useKept();
  const here = kept.filter(({ genesisHash }) => genesisHash === genesis);
  if (genesis === null || here.length === 0) return null;
  return (
    <Card title="Keys that this browser keeps, sealed">
      <ul className="inside stack-small">
        {here.map((one) => (
          <li key={one.id}>
            <Unlock kept={one} genesis={genesis} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Unlock({ kept, genesis }: { kept: KeptKeys; genesis: string }) {
  const [forgetting, setForgetting] = useState(false);
  const hasPasskeys = useHasPasskeys();
  const { passkey } = kept;
  const forget = async (): Promise<void> => {
    await forgetKeys(kept.id);
    if (passkey) await forgetPasskey(passkey.credentialId);
  };
  return (
    <Opening
      run={async (form) => openAndKeep(await openKeys(textsOf(kept), form.passphrase), genesis)}
      label="Unlock"
      before={
        <>
          <p className="titled">
            <Face id={kept.actorId} size={28} /> <strong>{kept.actorId}</strong>
          </p>
          {passkey && hasPasskeys && <ByPasskey kept={kept} passkey={passkey} genesis={genesis} />}
        </>
      }
      passphraseLabel={`Passphrase of ${kept.actorId}`}
      aside={
        forgetting ? (
          <>
            <span>The saved file is then the only key.</span>
            <button type="button" className="button" onClick={() => void forget().catch(() => {})}>
              Forget it here
            </button>
          </>
        ) : (
          <button type="button" className="button" onClick={() => setForgetting(true)}>
            Forget…
          </button>
        )
      }
    />
  );
}

const textsOf = ({ files }: KeptKeys): string[] => files.map(({ text }) => text);

function ByPasskey({
  kept,
  passkey,
  genesis,
}: {
  kept: KeptKeys;
  passkey: KeptPasskey;
  genesis: string;
}) {
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  return (
    <>
      <p>
        <button
          type="button"
          className="button primary"
          disabled={busy}
          onClick={() => {
            setBusy(true);
            setFault('');
            openByPasskey(kept, passkey)
              .then((keys) => openAndKeep(keys, genesis))
              .catch((error: unknown) => setFault(sentenceOf(error)))
              .finally(() => setBusy(false));
          }}
        >
          {busy ? 'Asking for it…' : 'Unlock by passkey'}
        </button>
      </p>
      <Fault text={fault} />
    </>
  );
}
