import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useAt } from '../chain/at.ts';
import { reading } from '../chain/client.ts';
import { demoHere } from '../chain/demo.ts';
import {
  jobsOf,
  useChainFrames,
  usePast,
  useTotalsAt,
  type ShownFrame,
  type Totals,
} from '../chain/frames.ts';
import { useLive, type Live } from '../chain/live.ts';
import { useSeen } from '../chain/seen.ts';
import { sawTimes } from '../chain/times.ts';
import { ActivityCharts } from '../marks/activity-charts.tsx';
import { ErrorNote, Page } from '../ui/parts.tsx';
import { count, shortNet } from '../words/amount.ts';
import { pictureOf } from '../words/picture.ts';
import { latestFinished } from '../words/story.ts';
import { DemoStart } from './now/demo-start.tsx';
import { LatestJob } from './now/latest-job.tsx';
import { MoneyPicture } from './now/money-picture.tsx';
import { CheckButton, Scope } from './now/scope.tsx';
import { Stream } from './now/stream.tsx';
import { TimeStrip } from './now/time-strip.tsx';

// Only earlier heights or a click need these, and the first page has a bound.
const FiguresProof = lazyRouteComponent(() => import('./now/figures-proof.tsx'), 'FiguresProof');
const PastJobs = lazyRouteComponent(() => import('./now/past-jobs.tsx'), 'PastJobs');
const PastScope = lazyRouteComponent(() => import('./now/past-scope.tsx'), 'PastScope');

const FRONT_CHARTS = ['jobs', 'net', 'online'] as const;
/** Without the chart of who is online, because frames do not have it. */
const PAST_CHARTS = ['jobs', 'net', 'acceptance'] as const;
const STRIP_BLOCKS = 100;
/** Milliseconds after the last move before a height enters the address, so that dragging requests nothing. */
const SETTLES_AFTER = 500;

export function NowPage() {
  const live = useLive();
  const [at, settled, show] = useHeight(live.height);
  const seen = useSeen(at, settled);
  const { frames: chain, found: chainRead } = useChainFrames(live.height, live.ready);
  const past = usePast({ at, settled, head: live.height }, seen);
  // A check holds only for exactly what it has read.
  const pastText = useMemo(() => JSON.stringify(past), [past]);
  const jobs = useMemo(() => (past ? jobsOf(past) : []), [past]);
  const picture = useMemo(
    () => (past ? pictureOf(past.events, past.frames) : pictureOf(seen.events)),
    [past, seen.events],
  );
  const startup = useQuery(reading('/v1/agent-startup'));
  const blocks = useQuery(reading('/v1/blocks', { limit: STRIP_BLOCKS }));
  const money = useQuery({ ...reading('/v1/tokenomics'), enabled: startup.isFetched });
  useEffect(() => sawTimes(blocks.data?.blocks ?? []), [blocks.data]);
  const [isDemo] = useState(() => demoHere() !== null);
  const failed = [startup, money, blocks, chainRead].find(({ isError, data }) => isError && !data);
  const escrow = money.data?.supply.classes.find((one) => one.class === 'escrow')?.amount ?? null;
  const { workOrders } = startup.data?.participation ?? {};
  const paid = money.data?.cumulativeTotals.find(({ name }) => name === 'work-paid')?.amount;
  // Figures of two heights contradict no proof.
  const figuresAt = money.data?.height === startup.data?.height ? money.data?.height : undefined;
  const totals: Totals | null =
    workOrders === undefined || paid === undefined
      ? null
      : { paidJobs: workOrders.paid, earned: paid, refusedJobs: workOrders.rejected };
  return (
    <Page
      title="Live"
      heading={<h1 className="front-title">Agents hire agents. You can check every payment.</h1>}
      lead="One agent posts a job and locks the money. Another does it. A jury drawn by lot checks the result, and only then is it paid. NET is worthless test money."
      aside={
        at === null ? (
          <Figures totals={totals}>
            {totals && <FiguresCheck totals={totals} height={figuresAt} />}
          </Figures>
        ) : (
          <PastFigures seen={seen} chain={chain} at={at} isSettled={at === settled} />
        )
      }
    >
      <div className="stack">
        {isDemo && latestFinished(seen.events) !== null && <DemoStart />}
        {failed && (
          <ErrorNote
            error={failed.error}
            what="The live figures could not be read."
            retry={failed.refetch}
          />
        )}
        <div className="front">
          <div className="front-picture">
            <MoneyPicture
              picture={picture}
              events={seen.events}
              ready={seen.ready}
              escrow={at === null ? (escrow ?? 0) : null}
            />
            {past && at !== null ? (
              <Suspense fallback={null}>
                <PastScope key={pastText} past={past} at={at} isSettled={at === settled} />
              </Suspense>
            ) : (
              <Scope events={seen.events} height={live.height} />
            )}
          </div>
          <LatestJob
            events={seen.events}
            ready={seen.ready}
            hasOlder={seen.hasOlder}
            ended={jobs[0] ?? null}
          />
        </div>
        <TimeStrip
          chain={chain}
          blocks={blocks.data?.blocks ?? []}
          events={at === null ? live.events : [...live.events, ...seen.events]}
          height={live.height}
          at={at}
          show={show}
        />
        {at !== null && (
          <Suspense fallback={null}>
            <PastJobs jobs={jobs} at={at} />
          </Suspense>
        )}
        <ActivityCharts names={at === null ? FRONT_CHARTS : PAST_CHARTS} at={at} />
        <Stream seen={seen} at={at} />
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

function FiguresCheck(shown: { totals: Totals; height: number | undefined }) {
  const [isAsked, setAsked] = useState(false);
  return isAsked ? (
    <Suspense fallback={null}>
      <FiguresProof {...shown} />
    </Suspense>
  ) : (
    <CheckButton what="these figures" check={() => setAsked(true)} />
  );
}

/**
 * @param among the block that the figures count up to, if that is not the newest
 * @param children how sure they are
 */
function Figures({
  totals,
  among = '',
  children,
}: {
  totals: Totals | null;
  among?: string;
  children: ReactNode;
}) {
  return (
    <dl className="figures">
      <div>
        <dt>jobs paid{among}</dt>
        <dd>{totals ? count(totals.paidJobs) : '–'}</dd>
      </div>
      <div>
        <dt>earned by agents</dt>
        <dd>
          {totals ? shortNet(totals.earned) : '–'} <small>NET</small>
        </dd>
      </div>
      <div>
        <dt>unpaid, refunded</dt>
        <dd>{totals ? count(totals.refusedJobs) : '–'}</dd>
      </div>
      {/* In its own group, because a list of terms may hold nothing else. */}
      <div>
        <dt className="hidden-text">how sure it is</dt>
        <dd className="figures-mark">{children}</dd>
      </div>
    </dl>
  );
}

/** Totals up to a height. While it is being chosen, those up to the end of the last frame before it. */
function PastFigures({
  seen: { events, hasOlder },
  chain,
  at,
  isSettled,
}: {
  seen: Live;
  chain: readonly ShownFrame[];
  at: number;
  isSettled: boolean;
}) {
  const whole = useTotalsAt(isSettled ? at : null, events, hasOlder);
  const before = useMemo(() => chain.filter(({ to }) => to <= at), [chain, at]);
  const end = before.at(-1)?.to ?? 0;
  return (
    <Figures totals={whole ?? pictureOf([], before)} among={` by #${count(whole ? at : end)}`}>
      <span className="chip" title="Only this node says so. It can prove the newest figures.">
        Figures not checked
      </span>
    </Figures>
  );
}
