/** An agent of the visitor: made in this tab, paid for a real job, and handed out as a program. */
import { nextOfOrder } from '@netd/protocol/sentences';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Agreement } from '../chain/agreement.ts';
import { reading } from '../chain/client.ts';
import { arrivalOf, useLive } from '../chain/live.ts';
import { useProof } from '../chain/proofs.ts';
import { useTimeOf } from '../chain/times.ts';
import { HOUSE, SESSION_HEIGHTS, SKILL } from '../runner/house-job.ts';
import type { Run } from '../runner/run.ts';
import type { FromRunner } from '../runner/runner-worker.ts';
import { Said } from '../ui/said.tsx';
import { Actor, Net, OrderLink } from '../marks/names.tsx';
import { Card, ErrorNote, Fact, Facts, Page, Skeleton } from '../ui/parts.tsx';
import { isProven, ProofBadge } from '../marks/proof.tsx';
import { Sentence } from '../marks/sentence.tsx';
import { AGENT_NAME, type KeyFile } from '../wallet/key-files.ts';
import { count } from '../words/amount.ts';
import { columnOf } from '../words/order.ts';
import { paymentFaults } from '../words/payment.ts';
import { stepsOf } from '../words/story.ts';
import { duration } from '../words/time.ts';
import { JoinCard } from './run/join-card.tsx';
import { TextField } from '../ui/fields.tsx';
import { KeyDownloads } from '../marks/key-downloads.tsx';
import { StoresNotice } from '../marks/stores-notice.tsx';

const loadRunner = () => import('../runner/run.ts');

const randomName = (): string =>
  `visitor-${[...crypto.getRandomValues(new Uint8Array(3))].map((one) => one.toString(16).padStart(2, '0')).join('')}`;

export function RunPage() {
  const network = useQuery(reading('/v1/network'));
  const house = useQuery({ ...reading('/v1/agents/{agentId}', { agentId: HOUSE }), retry: 0 });
  const isPending = network.isPending || house.isPending;
  const [run, setRun] = useState<Run | null>(null);
  const [name, setName] = useState(randomName);
  const [tries, setTries] = useState(0);
  const genesisHash = network.data?.genesisHash;
  useEffect(() => {
    if (genesisHash !== undefined) {
      void loadRunner().then(({ keptRun }) => setRun(keptRun(genesisHash)));
    }
  }, [genesisHash]);
  return (
    <Page
      title="Run an agent"
      lead="It gets a key, takes a real job of this network, does it in this tab, and is paid. On a devnet with a house, that takes about a minute."
    >
      <div className="stack">
        {network.isError && !network.data && (
          <ErrorNote error={network.error} what="The network could not be read." />
        )}
        {isPending && <Skeleton />}
        {genesisHash !== undefined &&
          !isPending &&
          (run === null ? (
            <Offer
              hasHouse={house.data !== undefined}
              name={name}
              setName={setName}
              start={() =>
                setRun({
                  genesisHash,
                  agentId: name,
                  session: null,
                  orderId: null,
                  paid: null,
                  startedAt: Date.now(),
                })
              }
            />
          ) : (
            <Watch
              key={`${run.agentId} ${tries}`}
              started={run}
              forget={() => setRun(null)}
              again={(last) => {
                setRun(last);
                setTries(tries + 1);
              }}
            />
          ))}
        {!isPending && <JoinCard agentId={run?.agentId ?? name} />}
      </div>
    </Page>
  );
}

/** Says what will happen, and what differs on a network without a house. */
function Offer({
  hasHouse,
  name,
  setName,
  start,
}: {
  hasHouse: boolean;
  name: string;
  setName: (name: string) => void;
  start: () => void;
}) {
  const isValid = AGENT_NAME.test(name);
  return (
    <Card title="Your agent">
      <form
        className="inside stack-small"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) start();
        }}
      >
        <TextField
          label="Name"
          value={name}
          change={setName}
          hint={
            isValid
              ? ''
              : 'A name has 2 to 64 letters, digits, dots, underscores or hyphens. It begins with a letter or a digit.'
          }
        />
        <Facts>
          <Fact name="Key">Made in this browser. It never leaves this device.</Fact>
          <Fact name="Session">
            A second key, for the worker that does the job: it can take, deliver, give back and
            settle work.
          </Fact>
          <Fact name="Budget">
            <Net unet={0} />. It can earn, but it can spend nothing.
          </Fact>
          <Fact name="Expires">After {count(SESSION_HEIGHTS)} blocks</Fact>
          <Fact name="Contacts">This node, its own stores, and the stores that you allow</Fact>
        </Facts>
        {!hasHouse && <StoresNotice locks={false} />}
        {!hasHouse && (
          <div className="banner">
            <p>
              This network has no house, which offers such jobs on a devnet. The agent waits for a
              job of <code>{HOUSE}</code> that needs <code>{SKILL}</code>, so it may not get one.
              Look for{' '}
              <Link to="/work" search={{ phase: 'open' }} className="link">
                open jobs
              </Link>{' '}
              instead, and change the program below to do one. Delivery, jury and payment work the
              same way, but each network sets its own dispute window.
            </p>
          </div>
        )}
        <p>
          <button type="submit" className="button primary" disabled={!isValid}>
            Start the agent
          </button>
        </p>
      </form>
    </Card>
  );
}

/** Refusals of the name, after which its key is of no use. */
const NAME_REFUSED = new Set(['AGENT_ID_TAKEN', 'NAME_RESERVED']);

type Stage = 'joining' | 'working' | 'paid' | 'failed';

/** Runs the agent, and shows each step once the chain has it. */
function Watch({
  started,
  forget,
  again,
}: {
  started: Run;
  forget: () => void;
  again: (run: Run) => void;
}) {
  const [run, setRun] = useState(started);
  const [fault, setFault] = useState<unknown>(null);
  const [says, setSays] = useState('');
  const live = useLive();
  const stage: Stage =
    run.paid !== null
      ? 'paid'
      : fault !== null
        ? 'failed'
        : run.session === null
          ? 'joining'
          : 'working';
  // A second worker for one agent would be refused, so this effect runs once.
  const latest = useRef(started);
  useEffect(() => {
    if (started.paid !== null) return undefined;
    let stop = (): void => undefined;
    let isGone = false;
    const change = (more: Partial<Run>): void => {
      latest.current = { ...latest.current, ...more };
      if (!isGone) setRun(latest.current);
    };
    const begin = async (): Promise<void> => {
      const { join, keepRun, startRunner } = await loadRunner();
      const keep = (more: Partial<Run>): void => {
        change(more);
        keepRun(latest.current);
      };
      const listen = (message: FromRunner): void => {
        if (message.kind === 'accepted') keep({ orderId: message.orderId });
        else if (message.kind === 'paid') keep({ orderId: message.orderId, paid: message.unet });
        else if (message.kind === 'says') setSays(message.text);
        else {
          // A job that ended is over. The next try takes another one.
          if (message.isOver) keepRun({ ...latest.current, orderId: null });
          setFault(new Error(message.text));
        }
      };
      if (latest.current.session === null) keep(await join(latest.current));
      if (isGone) return;
      const end = await startRunner(latest.current, listen);
      if (isGone) end();
      else stop = end;
    };
    begin().catch((error: unknown) => setFault(error));
    return () => {
      isGone = true;
      stop();
    };
  }, [started]);
  const canGoOn = !NAME_REFUSED.has((fault as { code?: string } | null)?.code ?? '');
  const steps = run.orderId === null ? [] : stepsOf(run.orderId, live.events);
  const payment = usePayment(run, steps.length);
  const tryAgain = async (): Promise<void> => {
    again((await loadRunner()).keptRun(run.genesisHash) ?? run);
  };
  const startOver = async (): Promise<void> => {
    (await loadRunner()).keepRun(null);
    forget();
  };
  return (
    <Card
      title={
        stage === 'paid' && !payment.isSure
          ? 'The node says that your agent was paid'
          : TITLES[stage]
      }
      aside={
        stage === 'paid' ? <PaymentBadge run={run} payment={payment} /> : <Elapsed run={run} />
      }
    >
      <div className="inside stack-small" data-stage={stage}>
        <ol className="job-steps" aria-live="polite">
          <li>
            <span>
              <Actor id={run.agentId} face={false} />{' '}
              {run.session === null ? 'makes a key and joins the network' : 'has a key and joined'}
            </span>
          </li>
          {run.session !== null && (
            <li>
              <span>
                A session is granted to the worker: budget <Net unet={0} />,{' '}
                {count(SESSION_HEIGHTS)} blocks
              </span>
            </li>
          )}
          {run.session !== null && run.orderId === null && fault === null && (
            <li>The worker looks for a job of the house</li>
          )}
          {steps.map(({ height, tone, parts }, at) => (
            <li key={at} data-tone={tone}>
              <Sentence parts={parts} />
              <Since height={height} from={run.startedAt} />
            </li>
          ))}
        </ol>
        {stage === 'working' && run.orderId !== null && <Waiting orderId={run.orderId} />}
        {stage === 'working' && says !== '' && <p className="soft">{says}</p>}
        {fault !== null && (
          <div className="error-note" role="alert">
            <strong>The agent cannot continue</strong>
            <p>
              <Said text={(fault as Error).message} />
            </p>
          </div>
        )}
        {stage === 'failed' && <StoresNotice locks={false} />}
        {run.orderId !== null && (
          <p>
            <OrderLink id={run.orderId} />{' '}
            <Link to="/work/$orderId" params={{ orderId: run.orderId }} className="link">
              See every step with its proof
            </Link>
          </p>
        )}
        {stage === 'paid' && <Earned run={run} payment={payment} />}
        {stage === 'failed' && canGoOn && (
          <Keys
            run={run}
            lead={`The keys of ${run.agentId} stay in this browser, so that you can try again. Save them to continue elsewhere.`}
          />
        )}
        {(stage === 'paid' || stage === 'failed') && (
          <p className="chips">
            {stage === 'failed' && canGoOn && (
              <button type="button" className="button primary" onClick={() => void tryAgain()}>
                Try again
              </button>
            )}
            <button type="button" className="button" onClick={() => void startOver()}>
              Start another agent
            </button>
          </p>
        )}
      </div>
    </Card>
  );
}

const TITLES: Record<Stage, string> = {
  joining: 'Your agent joins',
  working: 'Your agent works',
  paid: 'Your agent was paid',
  failed: 'Your agent stopped',
};

interface Payment extends Agreement {
  isSure: boolean;
}

/**
 * Proves the payment that the worker reported.
 * @param steps repeats the proof when this number changes
 */
function usePayment({ agentId, orderId, paid }: Run, steps: number): Payment {
  const { standing, proven } = useProof('order', paid === null ? '' : (orderId ?? ''), steps);
  const contradicts =
    proven && paid !== null ? paymentFaults({ agentId, paid }, proven.events, HOUSE) : [];
  return { standing, contradicts, isSure: isProven(standing, contradicts) };
}

const PaymentBadge = ({ run: { agentId }, payment }: { run: Run; payment: Payment }) => (
  <ProofBadge
    standing={payment.standing}
    contradicts={payment.contradicts}
    what="this payment"
    steps={[
      `the events of the order are in its blocks, and one pays ${agentId}`,
      `${HOUSE} had locked the money`,
    ]}
  />
);

function Earned({ run, payment }: { run: Run; payment: Payment }) {
  return (
    <>
      <p>
        <strong>
          {!payment.isSure && 'Unverified: '}
          {run.agentId} has earned <Net unet={run.paid ?? 0} />.
        </strong>{' '}
        Save its keys, and the program below continues where this tab stopped.
      </p>
      <Keys run={run} />
    </>
  );
}

/** Counts up to the payment, or from the start of the page's visit. */
function Elapsed({ run }: { run: Run }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span className="soft number">{duration(Math.max(0, now - run.startedAt))}</span>;
}

function Since({ height, from }: { height: number; from: number }) {
  const arrived = arrivalOf(height);
  const time = useTimeOf(height, arrived === null) ?? arrived;
  if (time === null || time < from) return null;
  return <span className="soft number">+{duration(time - from)}</span>;
}

/** Explains what the agent waits for after its delivery. */
function Waiting({ orderId }: { orderId: string }) {
  const order = useQuery(reading('/v1/work-orders/{orderId}', { orderId })).data?.order;
  if (!order || columnOf(order) !== 'checking') return null;
  const { next, by } = nextOfOrder(order);
  return (
    <p className="soft">
      <Sentence parts={next} />{' '}
      {by && (
        <>
          {by === order.deadline ? 'The deadline is' : 'The window closes at'}{' '}
          {new Date(by.time).toLocaleTimeString('en')}, at block {count(by.height)} at the earliest.
        </>
      )}
    </p>
  );
}

/** Shows nothing if this browser has no keys of the agent. */
function Keys({ run, lead = null }: { run: Run; lead?: string | null }) {
  const [files, setFiles] = useState<readonly KeyFile[]>([]);
  useEffect(() => {
    void loadRunner().then(async ({ keyFiles }) => setFiles(await keyFiles(run)));
  }, [run]);
  if (files.length === 0) return null;
  return (
    <>
      {lead !== null && <p>{lead}</p>}
      <KeyDownloads files={files} />
    </>
  );
}
