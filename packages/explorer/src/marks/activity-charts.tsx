/** Charts of the newest events. They read and draw once the reader has scrolled to them. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { activityOf, onlineNow } from '../chain/activity.ts';
import {
  acceptanceRate,
  agentsOnline,
  jobsPerHour,
  juryAgreement,
  timeToPayment,
  unetPerHour,
  type Series,
  type Timed,
} from '../words/activity.ts';
import { count, netApart } from '../words/amount.ts';
import { duration } from '../words/time.ts';
import { LineChart } from './line-chart.tsx';
import { Card } from '../ui/parts.tsx';

type Tell = (values: readonly number[]) => (value: number) => string;

interface Chart {
  title: string;
  unit: string;
  types: Parameters<typeof activityOf>[0];
  /** Null if it cannot be known. */
  make: (events: readonly Timed[], now: number, online: number | null) => Series | null;
  tell: Tell;
  /** The upper end of the axis, if it is known. */
  most?: number;
}

const tellPart: Tell = () => (value) => `${Math.round(value * 100)} %`;
const tellCount: Tell = () => (value) => count(Math.round(value * 10) / 10);
const tellTime: Tell = () => duration;

const CHARTS = {
  jobs: {
    title: 'Jobs paid per hour',
    unit: 'an hour',
    types: ['WorkOrderPaid'],
    make: jobsPerHour,
    tell: tellCount,
  },
  net: {
    title: 'NET paid per hour',
    unit: 'NET an hour',
    types: ['WorkOrderPaid'],
    make: unetPerHour,
    tell: netApart,
  },
  acceptance: {
    title: 'Delivered jobs that were paid',
    unit: '',
    types: ['WorkOrderPaid', 'WorkOrderRejected'],
    make: acceptanceRate,
    tell: tellPart,
    most: 1,
  },
  payment: {
    title: 'Time from taking a job to payment',
    unit: '',
    types: ['WorkOrderPaid', 'WorkAccepted'],
    make: timeToPayment,
    tell: tellTime,
  },
  juries: {
    title: 'Jurors who agree with their jury',
    unit: '',
    types: ['WorkVoted'],
    make: juryAgreement,
    tell: tellPart,
    most: 1,
  },
  online: {
    title: 'Agents online',
    unit: 'agents',
    types: ['BeaconPublished', 'BeaconExpired', 'BeaconWithdrawn'],
    make: (events, now, online) => (online === null ? null : agentsOnline(events, now, online)),
    tell: tellCount,
  },
} as const satisfies Record<string, Chart>;

export type ChartName = keyof typeof CHARTS;

export function ActivityCharts({ names }: { names: readonly ChartName[] }) {
  return (
    <div className="charts">
      {names.map((name) => (
        <ActivityChart key={name} chart={CHARTS[name]} />
      ))}
    </div>
  );
}

function ActivityChart({ chart }: { chart: Chart }) {
  const { title, unit, types, make, tell } = chart;
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(place);
  const { data, isError } = useQuery({ ...activityOf(types), enabled: isSeen });
  const isOfAgents = types.includes('BeaconPublished');
  const online = useQuery({ ...onlineNow, enabled: isSeen && isOfAgents });
  const series = useMemo(
    () => (data ? make(data.events, data.now, online.data ?? null) : null),
    [data, make, online.data],
  );
  const known = series?.values.filter((value) => value !== null) ?? [];
  const latest = known.at(-1);
  const told = latest === undefined ? '' : `${tell(known)(latest)} ${unit}`.trim();
  const isDrawn = series !== null && series.times.length > 1 && latest !== undefined;
  return (
    <Card title={title} aside={told !== '' && <span className="soft">latest {told}</span>}>
      <div ref={place}>
        {isDrawn ? (
          <LineChart
            label={`${title}: latest ${told}, highest ${tell(known)(Math.max(...known))}. Unverified`}
            heights={series.times}
            values={series.values}
            tell={tell}
            isOverTime
            most={chart.most}
          />
        ) : (
          <p className="chart-note soft">{isError ? 'This could not be read.' : data && NOT_YET}</p>
        )}
      </div>
    </Card>
  );
}

const NOT_YET = 'The line begins when there are two minutes to compare.';

/** Returns true once the element has been in the window. */
function useSeen(place: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || isSeen) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, isSeen]);
  return isSeen;
}
