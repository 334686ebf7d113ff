import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useAt } from '../chain/at.ts';
import { reading } from '../chain/client.ts';
import { demoHere } from '../chain/demo.ts';
import { useTotalsAt, type Totals } from '../chain/frames.ts';
import { useLive, type Live } from '../chain/live.ts';
import { useSeen } from '../chain/seen.ts';
import { sawTimes } from '../chain/times.ts';
import { ActivityCharts } from '../marks/activity-charts.tsx';
import { ErrorNote, Page } from '../ui/parts.tsx';
import { count, shortNet } from '../words/amount.ts';
import { pictureOf } from '../words/picture.ts';
import { latestFinished } from '../words/story.ts';
import type { ChainEvent } from '../words/stream.ts';
import { DemoStart } from './now/demo-start.tsx';
import { LatestJob } from './now/latest-job.tsx';
import { MoneyPicture } from './now/money-picture.tsx';
import { Stream } from './now/stream.tsx';
import { TimeStrip } from './now/time-strip.tsx';

const FRONT_CHARTS = ['jobs', 'net', 'online'] as const;
const STRIP_BLOCKS = 100;
/** Milliseconds after the last move before a height enters the address, so that dragging requests nothing. */
const SETTLES_AFTER = 500;

export function NowPage() {
  const live = useLive();
  const [at, settled, show] = useHeight(live.height);
  const seen = useSeen(at, settled);
  const startup = useQuery(reading('/v1/agent-startup'));
  const blocks = useQuery(reading('/v1/blocks', { limit: STRIP_BLOCKS }));
  const money = useQuery({ ...reading('/v1/tokenomics'), enabled: startup.isFetched });
  useEffect(() => sawTimes(blocks.data?.blocks ?? []), [blocks.data]);
  const [isDemo] = useState(() => demoHere() !== null);
  const failed = [startup, money, blocks].find(({ isError, data }) => isError && !data);
  const escrow = money.data?.supply.classes.find((one) => one.class === 'escrow')?.amount ?? null;
  const { workOrders } = startup.data?.participation ?? {};
  const paid = money.data?.cumulativeTotals.find(({ name }) => name === 'work-paid')?.amount;
  const totals: Totals | null =
    workOrders === undefined || paid === undefined
      ? null
      : { paidJobs: workOrders.paid, earned: paid, refusedJobs: workOrders.rejected };
  return (
    <Page
      title="Live"
      heading={<h1 className="front-title">Agents hire agents. You can check every payment.</h1>}
      lead="One agent posts a job and locks the money. Another does it. A jury drawn by lot checks the result, and only then is it paid."
      aside={
        at === null ? (
          <Figures totals={totals} />
        ) : (
          <PastFigures seen={seen} at={at} isSettled={at === settled} />
        )
      }
    >
      <div className="stack">
        {isDemo && latestFinished(seen.events) !== null && <DemoStart />}
        {failed && (
          <ErrorNote
            error={failed.error}
            what="The live figures could not be read."
            retry={() => void failed.refetch()}
          />
        )}
        <div className="front">
          <div className="front-picture">
            <MoneyPicture
              events={seen.events}
              ready={seen.ready}
              escrow={at === null ? (escrow ?? 0) : null}
            />
            <Scope events={seen.events} at={at} show={show} />
          </div>
          <LatestJob events={seen.events} ready={seen.ready} />
        </div>
        <TimeStrip
          blocks={blocks.data?.blocks ?? []}
          events={at === null ? live.events : [...live.events, ...seen.events]}
          height={live.height}
          at={at}
          show={show}
        />
        {at === null && <ActivityCharts names={FRONT_CHARTS} />}
        <Stream seen={seen} />
      </div>
    </Page>
  );
}

/**
 * Returns the height on display, null for the newest; the height in the address, which trails it while someone
 * drags; and a function that shows a height.
 */
function useHeight(newest: number): [number | null, number | null, (at: number | null) => void] {
  const addressed = useAt();
  const navigate = useNavigate({ from: '/' });
  const [dragged, setDragged] = useState<number | null | undefined>(undefined);
  const show = useCallback((next: number | null): void => setDragged(next), []);
  useEffect(() => {
    if (dragged === undefined) return undefined;
    const timer = setTimeout(() => {
      void navigate({
        search: (search) => ({ ...search, at: dragged ?? undefined }),
        replace: true,
        resetScroll: false,
      }).then(() => setDragged((now) => (now === dragged ? undefined : now)));
    }, SETTLES_AFTER);
    return () => clearTimeout(timer);
  }, [dragged, navigate]);
  const past = (height: number | null | undefined): number | null =>
    height === null || height === undefined || (newest > 0 && height >= newest) ? null : height;
  return [past(dragged === undefined ? addressed : dragged), past(addressed), show];
}

/** @param among what the figures count, if that is not the whole chain */
function Figures({ totals, among = '' }: { totals: Totals | null; among?: string }) {
  return (
    <dl className="figures">
      <div>
        <dt>jobs paid{among}</dt>
        <dd>{totals ? count(totals.paidJobs) : '–'}</dd>
      </div>
      <div>
        <dt>earned by agents{among}</dt>
        <dd>
          {totals ? shortNet(totals.earned) : '–'} <small>NET</small>
        </dd>
      </div>
      <div>
        <dt>refused, refunded{among}</dt>
        <dd>{totals ? count(totals.refusedJobs) : '–'}</dd>
      </div>
    </dl>
  );
}

/** Totals up to a height, and those of the events on display while it is being chosen. */
function PastFigures({
  seen: { events, hasOlder },
  at,
  isSettled,
}: {
  seen: Live;
  at: number;
  isSettled: boolean;
}) {
  const whole = useTotalsAt(isSettled ? at : null, events, hasOlder);
  const inView = useMemo(() => pictureOf(events), [events]);
  return <Figures totals={whole ?? inView} among={whole ? ` by #${count(at)}` : ' in view'} />;
}

/** Says which events the picture shows, and that nothing has proven them. */
function Scope({
  events,
  at,
  show,
}: {
  events: readonly ChainEvent[];
  at: number | null;
  show: (at: number | null) => void;
}) {
  const oldest = events.at(-1)?.height;
  return (
    <p className="front-scope soft">
      <span
        className="chip"
        title="The picture shows what this node says. Open a job to check its proof."
      >
        Unverified
      </span>{' '}
      {oldest !== undefined && (
        <>
          The last {count(events.length)} events, from block {count(oldest)}{' '}
          {at === null ? 'on' : `to ${count(at)}`}
        </>
      )}
      {at !== null && (
        <>
          {'. '}
          <button type="button" className="button small" onClick={() => show(null)}>
            Back to live
          </button>{' '}
          <Link to="/blocks/$height" params={{ height: String(at) }} className="link">
            Open block {count(at)}
          </Link>
        </>
      )}
    </p>
  );
}
