/** Shows the outcome of an act. While it is unknown, the page sends the act again until the chain proves it. */
import { useEffect, useState, type ReactNode } from 'react';
import { canonicalize } from '@netd/protocol';
import { describeEvent, type Data } from '@netd/protocol/sentences';
import { Said } from '../../ui/said.tsx';
import { Height, TransitionLink } from '../../marks/names.tsx';
import { Copy } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/parts.tsx';
import { Sentence } from '../../marks/sentence.tsx';
import { provenWord } from '../../chain/anchor.ts';
import { retryPause, send, type Fate } from '../../wallet/signing.ts';

export type Heading = { current: HTMLHeadingElement | null };

export function Outcome({
  fate,
  heading,
  settled,
  children,
}: {
  fate: Fate;
  heading?: Heading;
  /** Called when the outcome of an open act is known. */
  settled: (fate: Fate) => void;
  children?: ReactNode;
}) {
  const { expiresAtHeight } = fate.act.envelope;
  const title =
    fate.fate === 'committed'
      ? `Done, and ${provenWord()}`
      : fate.fate === 'refused'
        ? fate.earlier
          ? 'Already done before'
          : 'The node refused it'
        : 'Not confirmed yet';
  return (
    <div className="stack-small" role="status" data-fate={fate.fate}>
      <h3 ref={heading} tabIndex={-1} className="quiet-focus">
        {title}
      </h3>
      {fate.fate === 'committed' && (
        <>
          <ul className="preview-list">
            {fate.receipt.events.map(({ type, data }, at) => (
              <li key={at}>
                <Sentence parts={describeEvent(type, data as Data).parts} />
              </li>
            ))}
          </ul>
          <p className="soft">
            At <Height at={fate.receipt.height} />, as <TransitionLink hash={fate.act.id} />
          </p>
        </>
      )}
      {fate.fate === 'refused' && (
        <>
          {fate.earlier ? (
            <p>
              The node refused <TransitionLink hash={fate.earlier.id} />, but the chain shows that
              it was executed. The refusal was false. The action that you signed now has the same
              nonce, so it was not executed. Nothing was done twice.
            </p>
          ) : (
            <>
              <ErrorNote error={fate.refusal} what="The node says that it was not done." />
              {typeof expiresAtHeight === 'number' && (
                <p className="soft">
                  Nothing proves a refusal: the node could still execute it until{' '}
                  <Height at={expiresAtHeight} />, but only once. Until then, the next action of
                  this kind has the same nonce, so only one of the two can be executed.
                </p>
              )}
            </>
          )}
        </>
      )}
      {fate.fate === 'open' && <Retrying fate={fate} settled={settled} />}
      {children}
    </div>
  );
}

function Retrying({
  fate: { act, why },
  settled,
}: {
  fate: Extract<Fate, { fate: 'open' }>;
  settled: (fate: Fate) => void;
}) {
  const [{ told, attempt }, setTried] = useState({ told: why, attempt: 0 });
  useEffect(() => {
    let isGone = false;
    const sendAgain = async (): Promise<void> => {
      const fate = await send(act);
      if (isGone) return;
      if (fate.fate === 'open') setTried({ told: fate.why, attempt: attempt + 1 });
      else settled(fate);
    };
    const retry = (): void => {
      clearTimeout(timer);
      void sendAgain();
    };
    const timer = setTimeout(retry, retryPause(attempt));
    addEventListener('online', retry, { once: true });
    return () => {
      isGone = true;
      clearTimeout(timer);
      removeEventListener('online', retry);
    };
    // `settled` differs in each render.
  }, [act, attempt]);
  return (
    <p>
      <Said text={told} /> Retrying is safe: it can only happen once. This page retries until the
      outcome is proven. <Copy text={canonicalize(act.envelope)} what="signed bytes" />
    </p>
  );
}
