import { useEffect, useState } from 'react';
import { useProof } from '../../chain/proofs.ts';
import { Face } from '../../marks/names.tsx';
import { Card } from '../../ui/parts.tsx';
import { lock, type Holder } from '../../wallet/holder.ts';
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
    <Card title="Keys stored in this browser, encrypted">
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

async function forget({ id, passkey }: KeptKeys): Promise<void> {
  await forgetKeys(id);
  if (passkey) await forgetPasskey(passkey.credentialId);
}

/**
 * Deletes the files that this browser keeps for a key that acts for no agent, and locks the wallet. A node could deny
 * an agent to have its key deleted, so the chain must prove that there is none.
 */
export function DeleteKey({ holder: { genesisHash, actorId, signing } }: { holder: Holder }) {
  const kept = useKept().find(({ id }) => id === `${genesisHash}/${actorId}`);
  const [asked, setAsked] = useState(false);
  const [since] = useState(() => Date.now());
  const { standing, proven } = useProof('state', `authority/${actorId}`, since);
  if (standing.standing !== 'proven' || !proven)
    return (
      <span className="soft">
        {standing.standing === 'proving'
          ? 'Checking…'
          : 'You can delete the key once the node proves that it acts for no agent.'}
      </span>
    );
  const authority = proven.value as { publicKeyHash: string } | null;
  if (authority?.publicKeyHash === signing.publicKeyHash)
    return (
      <span className="error-note" role="alert">
        <strong>Keep this key.</strong> It is proven that it acts for {actorId}: the node denies its
        own chain. Use another node.
      </span>
    );
  if (!asked) {
    return (
      <button type="button" className="button" onClick={() => setAsked(true)}>
        Delete this key…
      </button>
    );
  }
  return (
    <>
      <span>This browser forgets the key. Files that you have saved stay.</span>
      <button
        type="button"
        className="button"
        onClick={() => void (kept ? forget(kept) : Promise.resolve()).then(lock, () => {})}
      >
        Delete it here
      </button>
    </>
  );
}

function Unlock({ kept, genesis }: { kept: KeptKeys; genesis: string }) {
  const [forgetting, setForgetting] = useState(false);
  const hasPasskeys = useHasPasskeys();
  const { passkey } = kept;
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
            <span>Your saved file is then the only copy.</span>
            <button
              type="button"
              className="button"
              onClick={() => void forget(kept).catch(() => {})}
            >
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
          {busy ? 'Waiting for the passkey…' : 'Unlock with a passkey'}
        </button>
      </p>
      <Fault text={fault} />
    </>
  );
}
