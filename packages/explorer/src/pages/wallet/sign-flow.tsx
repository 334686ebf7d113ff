/** Every act of the wallet must go through this flow: review, sign, send, outcome. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { canonicalize, type JsonObject } from '@netd/protocol';
import { NetError } from '@netd/sdk/core';
import { reading } from '../../chain/client.ts';
import { chainTime } from '../../chain/clock.ts';
import { Said } from '../../ui/said.tsx';
import { Actor, Height, Net, Time } from '../../marks/names.tsx';
import { ErrorNote, Fact, Facts, Skeleton } from '../../ui/parts.tsx';
import { Sentence } from '../../marks/sentence.tsx';
import { describeIntent, factsOf, type ActWords } from '../../wallet/act-words.ts';
import { balancesAfter } from '../../wallet/contradiction.ts';
import { heldNow, type Holder } from '../../wallet/holder.ts';
import {
  isBlocked,
  isPermitted,
  proposeWhole,
  refusalOf,
  send,
  sign,
  type Fate,
  type Proposal,
  type Whole,
} from '../../wallet/signing.ts';
import { showInReview, type KeptAct } from '../../wallet/storage.ts';
import { describeEvent } from '@netd/protocol/sentences';
import { words } from '../../words/ids.ts';
import { visibleJson } from '../../words/strangers.ts';
import { useBlockTime } from '../../chain/block-time.ts';
import { download } from '../../ui/download.ts';
import { WorthNothing } from './laboratory.tsx';
import { Outcome, type Heading } from './outcome.tsx';
import { textOf } from '../../wallet/json-text.ts';

type Step =
  | { at: 'asking' }
  | { at: 'failed'; error: unknown }
  | ({ at: 'shown' } & Whole)
  | { at: 'unkept'; act: KeptAct; next: Proposal | null }
  | { at: 'sending' }
  | { at: 'over'; fate: Fate; next: Proposal | null };

export function SignFlow({
  holder,
  make,
  back,
  done,
  settled,
  doneLabel = 'Done',
  working,
  note,
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
  /** Facts that the bytes do not contain, such as a deadline that begins with the act. */
  note?: ReactNode;
  children?: ReactNode;
}) {
  const [step, setStep] = useState<Step>({ at: 'asking' });
  const queries = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const making = useRef(make);
  making.current = make;

  const ask = useCallback(() => {
    setStep({ at: 'asking' });
    proposeWhole(holder, () => making.current()).then(
      (whole) => setStep({ at: 'shown', ...whole }),
      (error: unknown) => setStep({ at: 'failed', error }),
    );
  }, [holder]);
  useEffect(ask, [ask]);
  useEffect(() => heading.current?.focus({ preventScroll: false }), [step.at]);

  const [sent, setSent] = useState<string | null>(null);
  useEffect(() => (sent === null ? undefined : showInReview(sent)), [sent]);

  /** @param next signed once the act is proven, if the node would execute exactly what was shown */
  const arrived = async (fate: Fate, next: Proposal | null): Promise<void> => {
    void queries.invalidateQueries();
    if (next === null || !isPermitted(fate)) {
      settled?.(fate);
      setStep({ at: 'over', fate, next });
      return;
    }
    try {
      const whole = { first: null, proposal: await next.again() };
      if (isBlocked(whole)) setStep({ at: 'shown', ...whole });
      else await signNow(whole);
    } catch (error) {
      setStep({ at: 'failed', error });
    }
  };
  const bring = async (act: KeptAct, next: Proposal | null): Promise<void> => {
    setSent(act.id);
    setStep({ at: 'sending' });
    await arrived(await send(act), next);
  };
  const signNow = async ({ first, proposal }: Whole): Promise<void> => {
    if (heldNow() !== holder) return;
    setStep({ at: 'sending' });
    try {
      const { act, kept } = await sign(holder, first ?? proposal);
      const next = first && proposal;
      if (kept) await bring(act, next);
      else setStep({ at: 'unkept', act, next });
    } catch (error) {
      setStep({ at: 'failed', error });
    }
  };

  const taken = useRef<Step | null>(null);
  /** Ignores further clicks on the button of a step. */
  const once = (run: () => Promise<void>): void => {
    if (taken.current === step) return;
    taken.current = step;
    void run();
  };

  switch (step.at) {
    case 'asking':
      return <Asking heading={heading} working={working} />;
    case 'failed':
      return <Failed heading={heading} error={step.error} retry={ask} back={back} />;
    case 'shown':
      return (
        <Review
          whole={step}
          heading={heading}
          note={note}
          sign={() => once(() => signNow(step))}
          back={back}
        />
      );
    case 'unkept':
      return (
        <Unkept
          heading={heading}
          go={() =>
            once(() => {
              download(`${step.act.id}.json`, canonicalize(step.act.envelope));
              return bring(step.act, step.next);
            })
          }
          back={back}
        />
      );
    case 'sending':
      return (
        <div role="status">
          <h3 ref={heading} tabIndex={-1} className="quiet-focus">
            Signed and stored here. Sending…
          </h3>
          <Skeleton lines={2} />
        </div>
      );
    default:
      return (
        <Outcome
          fate={step.fate}
          heading={heading}
          settled={(fate) => void arrived(fate, step.next)}
        >
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
          {working ? 'Working for the name…' : 'Simulating. Nothing is signed yet…'}
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
        This browser stores nothing for this page. If the answer were lost, you could not send the
        same bytes again, and signing again could do it twice. Save the signed action as a file
        first.
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

function Failed({
  heading,
  error,
  retry,
  back,
}: {
  heading: Heading;
  error: unknown;
  retry: () => void;
  back: () => void;
}) {
  return (
    <div className="stack-small">
      <h3 ref={heading} tabIndex={-1} className="quiet-focus">
        Nothing was signed
      </h3>
      <WhyNot error={error} />
      <p className="chips">
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
        <button type="button" className="button" onClick={back}>
          Back
        </button>
      </p>
    </div>
  );
}

function WhyNot({ error }: { error: unknown }) {
  const { message } = error as Error;
  if (error instanceof NetError) {
    return <ErrorNote error={error} what="It could not be simulated." />;
  }
  return (
    <div className="error-note" role="alert">
      <strong>
        <Said text={message} />
      </strong>
    </div>
  );
}

function Review({
  whole,
  heading,
  note,
  sign: signNow,
  back,
}: {
  whole: Whole;
  heading: Heading;
  note: ReactNode;
  sign: () => void;
  back: () => void;
}) {
  const blockTimeMs = useBlockTime();
  const { first, proposal } = whole;
  const { envelope, simulation, contradiction, laboratory, refusedBefore } = proposal;
  // Only a proven height: with a higher one, an expiry would seem near.
  const clock = { height: proposal.height, blockTimeMs };
  const told = wordsOf(envelope, clock);
  const before = first && wordsOf(first.envelope, clock);
  // On a contradiction, the rest may be malformed too.
  const refusal = contradiction === null ? refusalOf(whole) : null;
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
      {note}
      <Suspended payload={envelope['payload'] as JsonObject | undefined} />
      {before && (
        <div className="stakes">
          <p>
            <strong>Your key is not allowed to do this yet.</strong> With the same confirmation, you
            first sign a permission: <Sentence parts={before.sentence} />
          </p>
          {before.stakes.map((parts, at) => (
            <p key={at}>
              <Sentence parts={parts} />
            </p>
          ))}
        </div>
      )}
      {laboratory && <WorthNothing />}
      {refusedBefore !== null && (
        <p className="field-fault" role="note">
          You signed the same action <Time at={chainTime(refusedBefore)} />, and the node refused
          it. The refusal cannot be proven: check your balance, and ask the recipient, before you
          sign it again.
        </p>
      )}
      {contradiction !== null && (
        <div className="error-note" role="alert">
          <strong>The node simulated a different action</strong>
          <p>
            <Said text={contradiction} /> Nothing is signed.
          </p>
        </div>
      )}
      {refusal !== null && (
        <div className="error-note" role="alert">
          <strong>The network would refuse this</strong>
          <p>
            The node says: <Said text={refusal.detail} />
          </p>
          <code>{refusal.code}</code>
        </div>
      )}
      {simulation && contradiction === null && !simulation.refusal && (
        <Preview proposal={proposal} />
      )}
      <details>
        <summary>Everything that you sign</summary>
        {first && before && <Signed envelope={first.envelope} told={before} />}
        <Signed envelope={envelope} told={told} />
      </details>
      <p className="chips">
        <button
          type="button"
          className="button primary"
          disabled={isBlocked(whole)}
          onClick={signNow}
        >
          Sign and send
        </button>
        <button type="button" className="button" onClick={back}>
          Back
        </button>
      </p>
    </div>
  );
}

/** Warns of a recipient that the rules let receive, but not act. */
function Suspended({ payload }: { payload: JsonObject | undefined }) {
  const recipient = payload?.['to'] ?? payload?.['toAgentId'];
  const id = textOf(recipient);
  const { data } = useQuery({
    ...reading('/v1/state/proof', { key: `agent/${id}` }),
    enabled: typeof recipient === 'string',
  });
  const agent = data?.value as { status?: string } | null | undefined;
  if (agent?.status !== 'suspended') return null;
  return (
    <p className="field-fault" role="note">
      <Actor id={id} face={false} /> is suspended. Until an operator lifts that, it cannot act, and
      so sends nothing back.
    </p>
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
      ['The holder of the key file controls the name. It is public and permanent.'],
      ['Joining costs no NET.'],
    ],
  };
}

function Signed({ envelope, told }: { envelope: JsonObject; told: ActWords }) {
  return (
    <>
      <Members envelope={envelope} told={told} />
      <pre className="inside json">{visibleJson(envelope, 2)}</pre>
    </>
  );
}

function Members({ envelope, told }: { envelope: JsonObject; told: ActWords }) {
  const { actorId, expiresAtHeight, chainId } = envelope;
  return (
    <Facts>
      <Fact name="Signer">
        <Actor id={textOf(actorId)} />
      </Fact>
      <Fact name="Chain">{textOf(chainId)}</Fact>
      {typeof expiresAtHeight === 'number' && (
        <Fact name="Expires after">
          <Height at={expiresAtHeight} />
        </Fact>
      )}
      {told.facts.map(({ name, parts, isUnknown }) => (
        <Fact key={name} name={name}>
          <Sentence parts={parts} />{' '}
          {isUnknown && (
            <span className="chip" data-tone="warn">
              unknown to this wallet
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
    <section className="preview" aria-label="Simulation">
      <h4>Simulation: nothing is done yet. This would happen</h4>
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
