/** The person must save the new file before the rotation is sent. */
import { useState } from 'react';
import { Card } from '../../ui/parts.tsx';
import { hold, type Holder } from '../../wallet/holder.ts';
import {
  isSealed,
  KeyFileError,
  makeKeys,
  openKeys,
  type OpenedKeys,
} from '../../wallet/key-files.ts';
import { propose, type Fate, type Wish } from '../../wallet/signing.ts';
import { keepKeys } from '../../wallet/storage.ts';
import { PassphraseField } from '../../ui/fields.tsx';
import { SaveThenSign } from './save-then-sign.tsx';

async function nextKeys(
  { files, actorId, chainId, encryption }: Holder,
  passphrase: string,
): Promise<OpenedKeys> {
  await openKeys(
    files.map(({ text }) => text),
    passphrase,
  );
  const made = await makeKeys(chainId, actorId, passphrase);
  const signing = made.files.filter(({ name }) => name === actorId);
  return {
    ...made,
    encryption,
    files: [...signing, ...files.filter(({ name }) => name !== actorId)],
  };
}

const wishToRotate = ({ actorId, signing }: Holder, next: OpenedKeys): Wish => ({
  action: 'rotateAgentKey',
  // The new key consents by signing the envelope's nonce.
  payload: async ({ nonce, chainId, genesis }) => {
    const newPublicKey = next.signing.publicKey;
    const { signature } = await next.signing.sign({
      schema: 'NET-KEY-ROTATION/1',
      chainId,
      actorId,
      oldKeyHash: signing.publicKeyHash,
      newPublicKey,
      nonce,
      ...genesis,
    });
    return { newPublicKey, newKeySignature: signature, ...genesis };
  },
});

export function RotateKey({ holder, close }: { holder: Holder; close: () => void }) {
  // The old key must sign even after the tab holds the new one.
  const [old] = useState(holder);
  const [passphrase, setPassphrase] = useState('');
  const [fault, setFault] = useState('');
  const [next, setNext] = useState<OpenedKeys | null>(null);
  const sealed = old.files.some(({ text }) => isSealed(text));
  const settled = ({ fate }: Fate): void => {
    if (fate !== 'committed' || next === null) return;
    const { genesisHash, actorId, chainId } = old;
    hold({ ...next, genesisHash });
    if (!sealed) return;
    const id = `${genesisHash}/${actorId}`;
    void keepKeys({ id, actorId, chainId, genesisHash, files: next.files }).catch(() => {});
  };
  return (
    <Card title="Change the key" className="narrow">
      <div className="inside stack-small">
        {next === null ? (
          <form
            className="wallet-form"
            onSubmit={(event) => {
              event.preventDefault();
              nextKeys(old, passphrase).then(setNext, (error: unknown) =>
                setFault(
                  error instanceof KeyFileError
                    ? error.message
                    : 'The new key could not be created.',
                ),
              );
            }}
          >
            <p>A new key replaces this one. All sessions end, and the old file stops working.</p>
            {sealed && (
              <PassphraseField
                label="Passphrase of the current key"
                value={passphrase}
                change={setPassphrase}
                autoComplete="current-password"
                hint="It also encrypts the new file."
              />
            )}
            <p className="field-fault" role="alert">
              {fault}
            </p>
            <p className="chips">
              <button type="submit" className="button primary">
                Create the new key
              </button>
              <button type="button" className="button" onClick={close}>
                Back
              </button>
            </p>
          </form>
        ) : (
          <SaveThenSign
            files={next.files.filter(({ name }) => name === old.actorId)}
            holder={old}
            make={() => propose(old, wishToRotate(old, next))}
            settled={settled}
            back={() => setNext(null)}
            done={close}
          >
            Save the new file beside the others, under another name than the old one.
          </SaveThenSign>
        )}
      </div>
    </Card>
  );
}
