/** Shows acts whose outcome is unknown. They are sent again unchanged. */
import { useEffect, useState } from 'react';
import { Card } from '../../ui/parts.tsx';
import { Time } from '../../ui/names.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { send, type Fate } from '../../wallet/signing.ts';
import { keptActs, onKept, type KeptAct } from '../../wallet/storage.ts';
import { words } from '../../words/ids.ts';
import { Outcome } from './sign-flow.tsx';
import { textOf } from '../../wallet/json-text.ts';

/** Milliseconds. A tab may still be sending a younger act. */
const UNDER_WAY = 15_000;

export function useActs({ genesisHash, actorId }: Holder): readonly KeptAct[] {
  const [acts, setActs] = useState<readonly KeptAct[]>([]);
  useEffect(() => {
    const look = (): void => void keptActs(genesisHash, actorId).then(setActs);
    look();
    return onKept(look);
  }, [genesisHash, actorId]);
  return acts;
}

export function OpenActs({ holder }: { holder: Holder }) {
  const acts = useActs(holder);
  const [openedAt] = useState(() => Date.now());
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => look((count) => count + 1), UNDER_WAY);
    return () => clearTimeout(timer);
  }, [acts]);
  const open = acts.filter(
    ({ state, signedAt }) =>
      state === 'signed' && (signedAt < openedAt || Date.now() - signedAt > UNDER_WAY),
  );
  const [fates, setFates] = useState<readonly Fate[]>([]);
  if (open.length === 0 && fates.length === 0) return null;
  const settle = (act: KeptAct): void => {
    void send(act).then((fate) =>
      setFates((all) => [...all.filter((one) => one.act.id !== act.id), fate]),
    );
  };
  return (
    <Card title="Signed, and not known to have happened">
      <ul className="inside stack-small">
        {open
          .filter(({ id }) => fates.every(({ act }) => act.id !== id))
          .map((act) => (
            <li key={act.id}>
              <p>
                {words(textOf(act.envelope['action'] ?? 'joining'))}, signed{' '}
                <Time at={act.signedAt} />. No answer came. It happens once, however often it is
                sent.
              </p>
              <p>
                <button type="button" className="button" onClick={() => settle(act)}>
                  Send the same bytes again
                </button>
              </p>
            </li>
          ))}
        {fates.map((fate) => (
          <li key={fate.act.id}>
            <Outcome fate={fate} again={settle} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
