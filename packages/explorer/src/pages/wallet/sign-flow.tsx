/** Every act of the wallet must go through this flow: review, sign, send, outcome. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { canonicalize, type JsonObject } from '@netd/protocol';
import { NetError } from '@netd/sdk/core';
import { useLiveHeight } from '../../data/live.ts';
import { Said } from '../../ui/likeness.tsx';
import { Actor, Copy, Height, Net, Time, TransitionLink } from '../../ui/names.tsx';
import { ErrorNote, Fact, Facts, Skeleton } from '../../ui/parts.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { describeIntent, factsOf, type ActWords } from '../../wallet/act-words.ts';
import { isPolicyAction } from '../../wallet/actions.ts';
import { balancesAfter } from '../../wallet/contradiction.ts';
import { heldNow, type Holder } from '../../wallet/holder.ts';
import { propose, send, sign, type Fate, type Proposal } from '../../wallet/signing.ts';
import type { KeptAct } from '../../wallet/storage.ts';
import { describeEvent, type Data } from '@netd/protocol/sentences';
import { words } from '../../words/ids.ts';
import { visibleJson } from '../../words/strangers.ts';
import { useBlockTime } from './chain-clock.ts';
import { download } from '../../data/download.ts';
import { WorthNothing } from './laboratory.tsx';
import { textOf } from '../../wallet/json-text.ts';

type Step =
  | { at: 'asking' }
  | { at: 'failed'; error: unknown }
  | { at: 'shown'; proposal: Proposal }
  | { at: 'allowing'; proposal: Proposal }
  | { at: 'unkept'; act: KeptAct }
  | { at: 'sending' }
  | { at: 'over'; fate: Fate };

export function SignFlow({
  holder,
  make,
  back,
  done,
  settled,
  doneLabel = 'Done',
  working,
  children,
}: {
  holder: Holder;
  /** Called again when the chain may have changed. */
  make: () => Promise<Proposal>;
  back: () => void;
  done: (fate: Fate) => void;
  settled?: (fate: Fate) => void;
  doneLabel?: string;
  working?: ReactNode;
  children?: ReactNode;
}) {
  const [step, setStep] = useState<Step>({ at: 'asking' });
  const queries = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const making = useRef(make);
  making.current = make;

  const ask = useCallback(() => {
    setStep({ at: 'asking' });
    making.current().then(
      (proposal) => setStep({ at: 'shown', proposal }),
      (error: unknown) => setStep({ at: 'failed', error }),
    );
  }, []);
  useEffect(ask, [ask]);
  useEffect(() => heading.current?.focus({ preventScroll: false }), [step.at]);

  const bring = async (act: KeptAct): Promise<void> => {
    setStep({ at: 'sending' });
    const fate = await send(act);
    settled?.(fate);
    void queries.invalidateQueries();
    setStep({ at: 'over', fate });
  };
  const signNow = async (proposal: Proposal): Promise<void> => {
    if (heldNow() !== holder) return;
    setStep({ at: 'sending' });
    try {
      const { act, kept } = await sign(holder, proposal);
      if (kept) await bring(act);
      else setStep({ at: 'unkept', act });
    } catch (error) {
      setStep({ at: 'failed', error });
    }
  };

  switch (step.at) {
    case 'asking':
      return <Asking heading={heading} working={working} />;
    case 'failed':
      return (
        <div className="stack-small">
          <h3 ref={heading} tabIndex={-1} className="quiet-focus">
            Nothing was signed
          </h3>
          <WhyNot error={step.error} />
          <p className="chips">
            <button type="button" className="button" onClick={ask}>
              Try again
            </button>
            <button type="button" className="button" onClick={back}>
              Back
            </button>
          </p>
        </div>
      );
    case 'allowing':
      return (
        <SignFlow
          holder={holder}
          make={() =>
            propose(holder, {
              action: 'extendAgentCapabilities',
              payload: { actions: missingActions(step.proposal) },
            })
          }
          back={() => setStep({ at: 'shown', proposal: step.proposal })}
          done={ask}
          doneLabel="Go on"
        />
      );
    case 'shown': {
      const { proposal } = step;
      return (
        <Review
          proposal={proposal}
          heading={heading}
          allow={() => setStep({ at: 'allowing', proposal })}
          sign={() => void signNow(proposal)}
          back={back}
        />
      );
    }
    case 'unkept':
      return (
        <Unkept
          heading={heading}
          go={() => {
            download(`${step.act.id}.json`, canonicalize(step.act.envelope));
            void bring(step.act);
          }}
          back={back}
        />
      );
    case 'sending':
      return (
        <div role="status">
          <h3 ref={heading} tabIndex={-1} className="quiet-focus">
            Signed, kept here and on its way…
          </h3>
          <Skeleton lines={2} />
        </div>
      );
    default:
      return (
        <Outcome fate={step.fate} heading={heading} again={(act) => void bring(act)}>
          {step.fate.fate === 'committed' && children}
          <p className="chips">
            <button type="button" className="button primary" onClick={() => done(step.fate)}>
              {step.fate.fate === 'committed' ? doneLabel : 'Close'}
            </button>
            {step.fate.fate === 'refused' && (
              <button type="button" className="button" onClick={back}>
                Change it
              </button>
            )}
          </p>
        </Outcome>
      );
  }
}

function Asking({ heading, working }: { heading: Heading; working: ReactNode }) {
  return (
    <div>
      {/* Announce only the heading, because progress would be read out all the time. */}
      <div role="status">
        <h3 ref={heading} tabIndex={-1} className="quiet-focus">
          {working ? 'Working for the name…' : 'Trying it out, without signing anything…'}
        </h3>
      </div>
      {working ?? <Skeleton lines={4} />}
    </div>
  );
}

function Unkept({ heading, go, back }: { heading: Heading; go: () => void; back: () => void }) {
  return (
    <div className="stack-small">
      <h3 ref={heading} tabIndex={-1} className="quiet-focus">
        Nothing has been sent yet
      </h3>
      <p>
        This browser refuses to keep anything for this page. Were the answer lost, you could not
        send the same bytes again, and doing it anew could do it twice. Save what was signed as a
        file: then it is sent.
      </p>
      <p className="chips">
        <button type="button" className="button primary" onClick={go}>
          Save it and send
        </button>
        <button type="button" className="button" onClick={back}>
          Do not send
        </button>
      </p>
    </div>
  );
}

function WhyNot({ error }: { error: unknown }) {
  const { message } = error as Error;
  if (error instanceof NetError) {
    return <ErrorNote error={error} what="It could not be tried out." />;
  }
  return (
    <div className="error-note" role="alert">
      <strong>
        <Said text={message} />
      </strong>
    </div>
  );
}

function missingActions({ envelope, simulation }: Proposal): string[] {
  const { action, payload } = envelope;
  switch (simulation?.refusal?.code) {
    case 'CAPABILITY_MISSING':
      return [textOf(action)].filter(isPolicyAction);
    case 'SESSION_TOO_WIDE': {
      const { actions } = payload as { actions?: string[] };
      return (actions ?? []).filter(isPolicyAction);
    }
    default:
      return [];
  }
}

type Heading = { current: HTMLHeadingElement | null };

function Review({
  proposal,
  heading,
  allow,
  sign: signNow,
  back,
}: {
  proposal: Proposal;
  heading: Heading;
  allow: () => void;
  sign: () => void;
  back: () => void;
}) {
  const height = useLiveHeight();
  const blockTimeMs = useBlockTime();
  const { envelope, simulation, contradiction, laboratory, refusedBefore } = proposal;
  const told = wordsOf(envelope, { height: Math.max(height, proposal.height), blockTimeMs });
  // On a contradiction, the rest may be malformed too.
  const refusal = contradiction === null ? (simulation?.refusal ?? null) : null;
  const canAllow = contradiction === null && missingActions(proposal).length > 0;
  const isBlocked = contradiction !== null || refusal !== null;
  return (
    <div className="stack-small review">
      <h3 ref={heading} tabIndex={-1} className="quiet-focus">
        <Sentence parts={told.sentence} />
      </h3>
      {told.stakes.length > 0 && (
        <ul className="stakes">
          {told.stakes.map((parts, at) => (
            <li key={at}>
              <Sentence parts={parts} />
            </li>
          ))}
        </ul>
      )}
      {laboratory && <WorthNothing />}
      {refusedBefore !== null && (
        <p className="field-fault" role="note">
          You signed the same <Time at={refusedBefore} />, and the node refused it. That it did not
          happen cannot be proven: see that your balance and the other side say so, too, before you
          sign it again.
        </p>
      )}
      {contradiction !== null && (
        <div className="error-note" role="alert">
          <strong>The node does not speak of the same act</strong>
          <p>
            <Said text={contradiction} /> Nothing is signed.
          </p>
        </div>
      )}
      {refusal !== null && (
        <div className="error-note" role="alert">
          <strong>
            {canAllow ? 'Your key may not do this yet' : 'The network would refuse this'}
          </strong>
          <p>
            {canAllow ? (
              'New agents may do little, so that a lost key loses little. Allow it first: that is an act of its own.'
            ) : (
              <>
                The node says: <Said text={refusal.detail} />
              </>
            )}
          </p>
          <code>{refusal.code}</code>
        </div>
      )}
      {simulation && contradiction === null && refusal === null && <Preview proposal={proposal} />}
      <details>
        <summary>All that is signed</summary>
        <Members envelope={envelope} told={told} />
        <pre className="inside json">{visibleJson(envelope, 2)}</pre>
      </details>
      <p className="chips">
        {canAllow ? (
          <button type="button" className="button primary" onClick={allow}>
            Allow it first
          </button>
        ) : (
          <button type="button" className="button primary" disabled={isBlocked} onClick={signNow}>
            Sign and send
          </button>
        )}
        <button type="button" className="button" onClick={back}>
          Back
        </button>
      </p>
    </div>
  );
}

function wordsOf(envelope: JsonObject, clock: { height: number; blockTimeMs: number }): ActWords {
  const { actorId, action, payload } = envelope;
  if (typeof action === 'string') {
    return describeIntent({ action, payload: payload as JsonObject }, clock);
  }
  return {
    sentence: [`You join as ${textOf(actorId)}, under the key that this page made.`],
    facts: factsOf(
      {
        properties: {
          actorId: { title: 'ActorId' },
          description: {},
          publicKey: {},
          publicKeyHash: { title: 'Hash' },
          nonce: {},
          chainId: {},
        },
      },
      envelope,
      clock,
    ),
    stakes: [
      ['The name belongs to the holder of the key file. It is public, and stays for good.'],
      ['Nothing is paid.'],
    ],
  };
}

function Members({ envelope, told }: { envelope: JsonObject; told: ActWords }) {
  const { actorId, expiresAtHeight, chainId } = envelope;
  return (
    <Facts>
      <Fact name="By">
        <Actor id={textOf(actorId)} />
      </Fact>
      <Fact name="On the chain">{textOf(chainId)}</Fact>
      {typeof expiresAtHeight === 'number' && (
        <Fact name="Not after">
          <Height at={expiresAtHeight} />
        </Fact>
      )}
      {told.facts.map(({ name, parts, isUnknown }) => (
        <Fact key={name} name={name}>
          <Sentence parts={parts} />{' '}
          {isUnknown && (
            <span className="chip" data-tone="warn">
              this wallet does not know what it means
            </span>
          )}
        </Fact>
      ))}
    </Facts>
  );
}

function Preview({ proposal: { simulation, envelope } }: { proposal: Proposal }) {
  if (!simulation) return null;
  const balances = balancesAfter(simulation);
  // Older nodes send no warnings.
  const warnings = (simulation.warnings as typeof simulation.warnings | undefined) ?? [];
  return (
    <section className="preview" aria-label="Tried out">
      <h4>Tried out by the node, not done yet</h4>
      <ul>
        {simulation.events.map(({ type, data }, at) => (
          <li key={at}>
            <Sentence parts={describeEvent(type, data).parts} />
          </li>
        ))}
        {balances.map(({ accountId, balance }) => (
          <li key={accountId}>
            {accountId === envelope['actorId'] ? (
              'your balance'
            ) : accountId.startsWith('net:') ? (
              `the account of ${words(accountId.slice('net:'.length)).replaceAll('-', ' ')}`
            ) : (
              <>
                the balance of <Actor id={accountId} face={false} />
              </>
            )}{' '}
            would be <Net unet={balance} />
          </li>
        ))}
        {warnings.map(({ code, message }) => (
          <li key={code}>
            Note: <Said text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Outcome({
  fate,
  heading,
  again,
  children,
}: {
  fate: Fate;
  heading?: Heading;
  again: (act: KeptAct) => void;
  children?: ReactNode;
}) {
  const title =
    fate.fate === 'committed'
      ? 'It is done, and proven here'
      : fate.fate === 'refused'
        ? fate.earlier
          ? 'It had been done already'
          : 'The node refused it'
        : 'It may have happened or not';
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
              The node had refused <TransitionLink hash={fate.earlier.id} />, and the chain shows
              that it was executed: the refusal was false. What you signed now was not, because both
              have the same number and only one of them can be. Nothing was done twice.
            </p>
          ) : (
            <ErrorNote error={fate.refusal} what="It was not done." />
          )}
        </>
      )}
      {fate.fate === 'open' && (
        <>
          <p>
            <Said text={capital(fate.why)} />. It is kept here as it was signed, and can only happen
            once, however often it is sent.{' '}
            <Copy text={canonicalize(fate.act.envelope)} what="signed bytes" />
          </p>
          <p>
            <button type="button" className="button" onClick={() => again(fate.act)}>
              Send the same bytes again
            </button>
          </p>
        </>
      )}
      {children}
    </div>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
