import { useEffect, useId, useState } from 'react';
import { client } from '../../chain/client.ts';
import { Card, Page, SkeletonCard } from '../../ui/parts.tsx';
import { StoresNotice } from '../../marks/stores-notice.tsx';
import {
  AGENT_NAME,
  KeyFileError,
  makeKeys,
  openKeys,
  type OpenedKeys,
} from '../../wallet/key-files.ts';
import { whyNotFree } from '../../wallet/free-name.ts';
import { weaknessOf } from '../../wallet/passphrase.ts';
import { ensureCrypto, type Cryptography } from '../../wallet/soft-crypto/install.ts';
import { shortHash } from '../../words/ids.ts';
import { KeyDownloads } from '../../marks/key-downloads.tsx';
import { useLaboratory, WorthNothing } from './laboratory.tsx';
import { Kept } from './kept-keys.tsx';
import { Fault, openAndKeep, Opening, useGenesis } from './opening.tsx';
import { PassphraseField, TextField } from '../../ui/fields.tsx';

function useCryptography(): Cryptography | null {
  const [found, setFound] = useState<Cryptography | null>(null);
  useEffect(() => {
    void ensureCrypto().then(setFound);
  }, []);
  return found;
}

function ByWorker() {
  return (
    <div className="error-note" role="note">
      {isSecureContext ? (
        <>
          <strong>Your browser lacks the cryptography for agent keys</strong>
          <p>This page does the cryptography itself, which is slower.</p>
        </>
      ) : (
        <>
          <strong>This page came over plain http from another machine</strong>
          <p>
            Browsers give such a page no cryptography, so it computes keys and signatures itself,
            which is slower. Anyone between you and the node could change this page and its wallet.
            Keep only test money here, or open the wallet of a node on your own machine, or one over
            https.
          </p>
        </>
      )}
    </div>
  );
}

export function Gate() {
  const [made, setMade] = useState<OpenedKeys | null>(null);
  const isLaboratory = useLaboratory();
  const cryptography = useCryptography();
  return (
    <Page
      title="Wallet"
      lead="Your key is your agent. It never leaves this device, and you read what each action does before you sign it."
    >
      {cryptography === 'worker' && <ByWorker />}
      {cryptography === null ? (
        <SkeletonCard lines={6} />
      ) : made ? (
        <Keep keys={made} back={() => setMade(null)} />
      ) : (
        <div className="wallet-gate">
          {isLaboratory && <WorthNothing />}
          <Kept />
          <Make made={setMade} />
          <Bring />
          <StoresNotice locks={false} />
          <p className="soft">
            The server of a page controls the wallet in it. For more than test money, serve the
            wallet yourself: run <code>npm start</code> or <code>npx netd follow</code> on your own
            machine, and open the wallet there. The tab “Key” shows which files your browser runs.
          </p>
        </div>
      )}
    </Page>
  );
}

function Make({ made }: { made: (keys: OpenedKeys) => void }) {
  const genesis = useGenesis();
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    const weakness = await weaknessOf(passphrase, [name.trim()]);
    if (weakness !== '') return setFault(weakness);
    const { chainId } = await client.network();
    const taken = await whyNotFree(name.trim());
    if (taken !== '') return setFault(taken);
    made(await makeKeys(chainId, name.trim(), passphrase));
  };
  return (
    <Card title="Create a key and join">
      <form
        className="inside wallet-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const wrong = !AGENT_NAME.test(name.trim())
            ? 'A name has 2 to 64 letters, digits, dots, underscores or hyphens. It begins with a letter or a digit.'
            : passphrase !== again
              ? 'The two passphrases differ.'
              : '';
          setFault(wrong);
          if (wrong !== '') return;
          setBusy(true);
          make()
            .catch(() =>
              setFault(
                'The key could not be created, because the node does not answer and its chain is unknown. Try again.',
              ),
            )
            .finally(() => setBusy(false));
        }}
      >
        <TextField
          label="Name of the agent"
          value={name}
          change={setName}
          hint="Public and permanent."
        />
        <PassphraseField
          label="New passphrase"
          value={passphrase}
          change={setPassphrase}
          autoComplete="new-password"
          hint="It encrypts the file, and cannot be reset."
        />
        <PassphraseField
          label="Repeat the passphrase"
          value={again}
          change={setAgain}
          autoComplete="new-password"
        />
        <Fault text={fault} />
        <p>
          <button type="submit" className="button primary" disabled={busy || genesis === null}>
            {busy ? 'Creating the key…' : 'Create the key'}
          </button>
        </p>
      </form>
    </Card>
  );
}

/** The person saves the file first, because browser storage may be cleared at any time. */
function Keep({ keys, back }: { keys: OpenedKeys; back: () => void }) {
  const genesis = useGenesis();
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  const isSaved = keys.files.every(({ name }) => saved.has(name));
  return (
    <Card title={`Save the key of ${keys.actorId}`}>
      <div className="inside stack-small">
        <p>
          These two files are your agent. They are encrypted with your passphrase, and no other copy
          exists. Save both where you will find them again.
        </p>
        <KeyDownloads
          files={keys.files}
          saved={({ name }) => setSaved((all) => new Set([...all, name]))}
        />
        <p className="chips">
          <button
            type="button"
            className="button primary"
            disabled={!isSaved || genesis === null}
            onClick={() => genesis !== null && openAndKeep(keys, genesis)}
          >
            I have saved them. Continue
          </button>
          <button type="button" className="button" onClick={back}>
            Discard this key
          </button>
        </p>
        <p className="soft">
          Its public key has the hash <code>{shortHash(keys.signing.publicKeyHash)}</code>.
        </p>
      </div>
    </Card>
  );
}

function Bring() {
  const genesis = useGenesis();
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [pasted, setPasted] = useState('');
  const id = useId();
  return (
    <Card title="Open an existing key">
      <div className="inside">
        <Opening
          label="Open"
          run={async ({ passphrase }) => {
            if (genesis === null) throw new KeyFileError('The node does not answer yet.');
            const all = [...texts, ...splitPasted(pasted)];
            if (all.length === 0) throw new KeyFileError('Choose a file, or paste its content.');
            const keys = await openKeys(all, passphrase);
            await requireChain(keys);
            openAndKeep(keys, genesis);
          }}
          before={
            <>
              <div className="wallet-field">
                <label htmlFor={`${id}-file`}>Key files</label>
                <input
                  id={`${id}-file`}
                  type="file"
                  multiple
                  accept=".json,application/json"
                  className="field"
                  aria-describedby={`${id}-hint`}
                  onChange={({ currentTarget }) => {
                    const chosen = [...(currentTarget.files ?? [])].map((file) => file.text());
                    void Promise.all(chosen).then(setTexts);
                  }}
                />
                <p id={`${id}-hint`} className="hint soft">
                  Files from <code>netd join</code>, an SDK or this page. The one named
                  “.encryption” decrypts content for you.
                </p>
              </div>
              <div className="wallet-field">
                <label htmlFor={`${id}-text`}>Or the content of a file</label>
                <textarea
                  id={`${id}-text`}
                  className="field"
                  value={pasted}
                  spellCheck={false}
                  autoComplete="off"
                  onInput={({ currentTarget }) => setPasted(currentTarget.value)}
                />
              </div>
            </>
          }
        />
      </div>
    </Card>
  );
}

/** @throws KeyFileError if the keys are of another network, where the same name may be another agent */
async function requireChain({ chainId }: OpenedKeys): Promise<void> {
  const here = await client.network().catch(() => {
    throw new KeyFileError('The node does not answer, so its chain is unknown. Try again.');
  });
  if (chainId === here.chainId) return;
  throw new KeyFileError(
    `This key is for the network ${chainId}, and this node serves ${here.chainId}. Open it in the wallet of a node of its network.`,
  );
}

function splitPasted(text: string): string[] {
  return text
    .split(/(?<=\})\s*(?=\{)/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
