import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { differences, type Agreement } from '../../chain/agreement.ts';
import { reading } from '../../chain/client.ts';
import { useProof } from '../../chain/proofs.ts';
import { sawTimes, useTimeOf } from '../../chain/times.ts';
import { Card } from '../../ui/parts.tsx';
import { OrderLink } from '../../marks/names.tsx';
import { DemoStart } from './demo-start.tsx';
import { ProofBadge } from '../../marks/proof.tsx';
import { useSeen } from '../../ui/media.ts';
import { CheckButton } from './scope.tsx';
import { Sentence } from '../../marks/sentence.tsx';
import { counted } from '../../words/amount.ts';
import { latestFinished, storyOf, type Story } from '../../words/story.ts';
import type { ChainEvent } from '../../words/stream.ts';
import { duration } from '../../words/time.ts';

/** Tells the latest finished job step by step, or how to start if there is none. */
export function LatestJob({
  events,
  ready,
  hasOlder,
  ended,
}: {
  events: readonly ChainEvent[];
  ready: boolean;
  /** True if there are events before these. */
  hasOlder: boolean;
  /** The latest job that ended before the events; null if it is unknown. */
  ended: { orderId: string; height: number } | null;
}) {
  const orderId = latestFinished(events) ?? ended?.orderId ?? null;
  const known = orderId === null ? null : storyOf(orderId, events);
  const asked = known === null || known.from === null ? orderId : null;
  const end = known?.ended ?? ended?.height ?? 0;
  const whole = useQuery({
    ...reading('/v1/events', { order: asked ?? '', before: `${end + 1}.0` }, 'fixed'),
    enabled: asked !== null,
  });
  const told = (whole.data && asked !== null && storyOf(asked, whole.data.events)) ?? known;
  if (!ready || (orderId !== null && told === null && whole.isLoading))
    return (
      <div
        className="card latest-job skeleton"
        aria-busy="true"
        aria-label="Loading the latest job"
      />
    );
  if (orderId === null || !told) return <Start hasEvents={events.length > 0} hasOlder={hasOlder} />;
  return <Finished told={told} />;
}

/** Tells a story from its proven events, once there are some. */
function Finished({ told }: { told: Story }) {
  const { orderId } = told;
  const place = useRef<HTMLSpanElement>(null);
  const [isAsked, ask] = useTurn(orderId, place);
  const order = useQuery(reading('/v1/work-orders/{orderId}', { orderId }, 'held'));
  const { story, title, standing, contradicts } = useStory(isAsked, told, order.data?.order.title);
  return (
    <Card
      title="Latest finished job"
      className="latest-job"
      aside={
        <span ref={place}>
          {isAsked ? (
            <ProofBadge
              standing={standing}
              what="the steps of this job"
              contradicts={contradicts}
              steps={[
                'each event of the job is in its block, and these blocks have no other event of it',
                'a Merkle proof shows that the state contains the order with this title',
                'not proven: no other job has finished since',
              ]}
            />
          ) : (
            <CheckButton what="this job" check={ask} />
          )}
        </span>
      }
    >
      <div className="inside stack-small">
        <h3>
          <OrderLink id={orderId} title={title} />
        </h3>
        <ol className="job-steps">
          {story.steps.map(({ height, tone, parts }, at) => (
            <li key={at} data-tone={tone}>
              <Sentence parts={parts} />
              {story.from !== null && (
                <span className="soft number">+{counted(height - story.from, 'block')}</span>
              )}
            </li>
          ))}
        </ol>
        <Took story={story} />
        <p className="chips">
          <Link to="/work/$orderId/replay" params={{ orderId }} className="link">
            Replay this story
          </Link>
          <Link to="/work/$orderId" params={{ orderId }} className="link">
            See every step with its proof
          </Link>
        </p>
      </div>
    </Card>
  );
}

/** Milliseconds for the reads of a new page, which come first. */
const IDLE_AFTER = 1_000;
/** Milliseconds between two proofs that start by themselves, because jobs can finish at every block. */
const APART = 15_000;
let lastTurn = -Infinity;

/** Returns true if the story is to be proven: after a click, or once it is in the window of a page at rest. */
function useTurn(
  orderId: string,
  place: RefObject<HTMLElement | null>,
): [isAsked: boolean, ask: () => void] {
  const isSeen = useSeen(place);
  const [asked, setAsked] = useState('');
  const isAsked = asked === orderId;
  useEffect(() => {
    if (!isSeen || isAsked) return undefined;
    let frame = 0;
    const wait = Math.max(IDLE_AFTER, lastTurn + APART - performance.now());
    const timer = setTimeout(() => {
      // A hidden tab draws no frame.
      frame = requestAnimationFrame(() => {
        lastTurn = performance.now();
        setAsked(orderId);
      });
    }, wait);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [isSeen, isAsked, orderId]);
  return [isAsked, () => setAsked(orderId)];
}

/** @param title as the node names it; undefined while unknown */
function useStory(
  isAsked: boolean,
  told: Story,
  title: string | undefined,
): Agreement & { story: Story; title: string | undefined } {
  const { standing, proven } = useProof('order', isAsked ? told.orderId : '');
  useEffect(() => sawTimes(proven?.events.map(({ block }) => block) ?? []), [proven]);
  if (!proven) return { story: told, title, standing, contradicts: [] };
  const events = proven.events.map((event) => ({ ...event, height: event.block.height }));
  const own = storyOf(told.orderId, events.toReversed());
  const named = (proven.order as { title: string }).title;
  return {
    story: own ?? told,
    title: named,
    standing,
    contradicts: [
      ...(told.from === null ? [] : differences({ steps: told.steps }, own, ['steps'])),
      ...(own === null && told.from === null ? ['steps'] : []),
      ...(title === undefined || title === named ? [] : ['title']),
    ],
  };
}

function Took({ story: { from, ended, isPaid } }: { story: Story }) {
  const began = useTimeOf(from ?? ended);
  const end = useTimeOf(ended);
  if (from === null || began === null || end === null) return null;
  return (
    <p className="soft">
      {isPaid ? 'Paid' : 'Refunded'} {duration(end - began)} after it was offered.
    </p>
  );
}

function Start({ hasEvents, hasOlder }: { hasEvents: boolean; hasOlder: boolean }) {
  return (
    <Card
      title={
        hasOlder
          ? 'No job has finished lately'
          : hasEvents
            ? 'No job has finished yet'
            : 'Nothing has happened yet'
      }
      className="latest-job"
    >
      <div className="inside stack-small">
        <p className="soft">Three steps to see money move:</p>
        <ol className="numbered">
          <li>
            <DemoStart />
          </li>
          <li>
            <Link to="/run" className="link">
              Run an agent
            </Link>{' '}
            that takes a job.
          </li>
          <li>
            <Link to="/wallet" className="link">
              Open the wallet
            </Link>{' '}
            and offer a job of your own.
          </li>
        </ol>
      </div>
    </Card>
  );
}
