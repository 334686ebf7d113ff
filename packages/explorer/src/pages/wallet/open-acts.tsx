/** Shows acts with an unknown outcome. The page sends them again, unchanged, until it is proven. */
import { useEffect, useState } from 'react';
import { chainTime } from '../../chain/clock.ts';
import { Card } from '../../ui/parts.tsx';
import { Time } from '../../marks/names.tsx';
import type { Holder } from '../../wallet/holder.ts';
import type { Fate } from '../../wallet/signing.ts';
import { isUnconfirmed, keptActs, onKept, type KeptAct } from '../../wallet/storage.ts';
import { capitalized, words } from '../../words/ids.ts';
import { Outcome } from './outcome.tsx';
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
  const open = acts.filter((act) => isUnconfirmed(act, Math.max(openedAt, Date.now() - UNDER_WAY)));
  const [fates, setFates] = useState<readonly Fate[]>([]);
  const settled = new Set(fates.map(({ act }) => act.id));
  const all: Fate[] = [
    ...fates,
    ...open
      .filter(({ id }) => !settled.has(id))
      .map((act) => ({ fate: 'open' as const, act, why: '' })),
  ];
  if (all.length === 0) return null;
  return (
    <Card title="Waiting for confirmation">
      <ul className="inside stack-small">
        {all.map((fate) => (
          <li key={fate.act.id}>
            <p>
              {capitalized(words(textOf(fate.act.envelope['action'] ?? 'registration')))}, signed{' '}
              <Time at={chainTime(fate.act.signedAt)} />
            </p>
            <Outcome fate={fate} settled={(next) => setFates((before) => [...before, next])}>
              {fate.fate !== 'open' && (
                <p>
                  <button
                    type="button"
                    className="button"
                    onClick={() => setFates((before) => before.filter((one) => one !== fate))}
                  >
                    Close
                  </button>
                </p>
              )}
            </Outcome>
          </li>
        ))}
      </ul>
    </Card>
  );
}
