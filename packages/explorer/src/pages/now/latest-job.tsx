import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reading } from '../../chain/client.ts';
import { useTimeOf } from '../../chain/times.ts';
import { Card } from '../../ui/parts.tsx';
import { OrderLink } from '../../marks/names.tsx';
import { DemoStart } from './demo-start.tsx';
import { Unverified } from './scope.tsx';
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
  const story = (whole.data && asked !== null && storyOf(asked, whole.data.events)) ?? known;
  if (!ready || (orderId !== null && story === null && whole.isLoading))
    return (
      <div
        className="card latest-job skeleton"
        aria-busy="true"
        aria-label="Loading the latest job"
      />
    );
  if (orderId === null || !story)
    return <Start hasEvents={events.length > 0} hasOlder={hasOlder} />;
  return (
    <Card title="Latest finished job" className="latest-job" aside={<Unverified />}>
      <div className="inside stack-small">
        <JobTitle orderId={orderId} />
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

function JobTitle({ orderId }: { orderId: string }) {
  const order = useQuery(reading('/v1/work-orders/{orderId}', { orderId }, 'held'));
  return (
    <h3>
      <OrderLink id={orderId} title={order.data?.order.title} />
    </h3>
  );
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
