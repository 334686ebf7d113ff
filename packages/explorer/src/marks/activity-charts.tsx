/** Charts of the whole chain from frames, and of agents online. Each reads and draws once it is scrolled into view. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { MOST_ONLINE, onlineNow, presence } from '../chain/activity.ts';
import { useChainFrames } from '../chain/frames.ts';
import { useLiveHeight } from '../chain/live.ts';
import {
  acceptanceRate,
  agentsOnline,
  jobsPerHour,
  juryAgreement,
  timeToPayment,
  unetPerHour,
  type Series,
} from '../words/activity.ts';
import { count, netApart } from '../words/amount.ts';
import { duration } from '../words/time.ts';
import { LineChart } from './line-chart.tsx';
import { Time } from './names.tsx';
import { useSeen } from '../ui/media.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Card } from '../ui/parts.tsx';

type Tell = (values: readonly number[]) => (value: number) => string;

interface Chart {
  title: string;
  unit: string;
  /** Null for the chart of agents online, which frames don't hold. */
  make: typeof jobsPerHour | null;
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
    unit: 'jobs an hour',
    make: jobsPerHour,
    tell: tellCount,
  },
  net: {
    title: 'NET paid per hour',
    unit: 'NET an hour',
    make: unetPerHour,
    tell: netApart,
  },
  acceptance: {
    title: 'Delivered jobs that were paid',
    unit: 'of delivered jobs',
    make: acceptanceRate,
    tell: tellPart,
    most: 1,
  },
  payment: {
    title: 'Time from taking a job to payment',
    unit: 'on average',
    make: timeToPayment,
    tell: tellTime,
  },
  juries: {
    title: 'Jurors who agree with their jury',
    unit: 'of votes',
    make: juryAgreement,
    tell: tellPart,
    most: 1,
  },
  online: {
    title: 'Agents online',
    unit: 'agents',
    make: null,
    tell: tellCount,
  },
} as const satisfies Record<string, Chart>;

export type ChartName = keyof typeof CHARTS;

/** @param at the last height to draw; null for the newest */
export function ActivityCharts({
  names,
  at = null,
}: {
  names: readonly ChartName[];
  at?: number | null;
}) {
  return (
    <div className="charts">
      {names.map((name) => (
        <ActivityChart key={name} name={name} at={at} />
      ))}
    </div>
  );
}

function ActivityChart({ name, at }: { name: ChartName; at: number | null }) {
  const chart: Chart = CHARTS[name];
  const { unit, tell } = chart;
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(place);
  const sums = useSums(chart, at, isSeen && chart.make !== null);
  const online = useOnline(isSeen && chart.make === null);
  const { series, isError, span = null, isTooMuch = false } = chart.make === null ? online : sums;
  const title = span === null ? chart.title : `${chart.title}, last ${duration(span)}`;
  const known = series?.values.filter((value) => value !== null) ?? [];
  const latest = known.at(-1);
  const told = latest === undefined ? '' : `${tell(known)(latest)} ${unit}`;
  const isDrawn = series !== null && series.times.length > 1 && latest !== undefined;
  return (
    <Card title={title} aside={told !== '' && <span className="soft">latest {told}</span>}>
      <div ref={place}>
        {isDrawn ? (
          <>
            <LineChart
              label={`${title}: latest ${told}, highest ${tell(known)(Math.max(...known))}. Unverified`}
              heights={series.times}
              values={series.values}
              tell={tell}
              isOverTime
              most={chart.most}
            />
            {span !== null && (
              <p className="chart-foot soft">
                By the newest beacons. An agent may have been offline before its first one.
              </p>
            )}
            <ChartTable name={name} series={series} />
          </>
        ) : (
          <p className="chart-note soft">
            {isTooMuch && `More than ${MOST_ONLINE} agents are online, too many to draw here.`}
            {isError ? 'The chart could not be read.' : series && NOT_YET}
          </p>
        )}
      </div>
    </Card>
  );
}

const NOT_YET = 'Not enough blocks for a line yet.';

const NOTHING: Series = { times: [], values: [] };

interface Read {
  series: Series | null;
  isError: boolean;
  /** Milliseconds that the series covers; null or absent for the whole chain. */
  span?: number | null;
  isTooMuch?: boolean;
}

function useSums({ make }: Chart, at: number | null, isOn: boolean): Read {
  const height = useLiveHeight();
  const { frames, found } = useChainFrames(height, isOn);
  const series = useMemo(() => {
    // The strip of the front page may have read the same frames.
    if (!isOn || make === null || !found.data) return null;
    const drawn = at === null ? frames : frames.filter(({ to }) => to <= at);
    const end = drawn.at(-1)?.last;
    return end ? make(drawn, end) : NOTHING;
  }, [isOn, frames, make, at, found.data]);
  return { series, isError: found.isError };
}

function useOnline(isOn: boolean): Read {
  const events = useQuery({ ...presence, enabled: isOn });
  const online = useQuery({ ...onlineNow, enabled: isOn });
  const series = useMemo(
    () =>
      events.data && online.data !== undefined && online.data !== null
        ? agentsOnline(events.data.events, events.data.now, online.data)
        : null,
    [events.data, online.data],
  );
  return {
    series,
    isError: events.isError || online.isError,
    span: events.data?.span ?? null,
    isTooMuch: online.data === null,
  };
}

/** Makes its rows once it is open, because each has a clock of its own. */
function ChartTable({ name, series }: { name: ChartName; series: Series }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="chart-table" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show as a table</summary>
      {isOpen && <ChartRows name={name} series={series} />}
    </details>
  );
}

function ChartRows({ name, series: { times, values } }: { name: ChartName; series: Series }) {
  const { title, unit, tell } = CHARTS[name];
  const say = tell(values.filter((value) => value !== null));
  return (
    <DataTable name={`chart-${name}`}>
      <thead>
        <tr>
          <th>Middle of the interval</th>
          <th>
            {title}, {unit}
          </th>
        </tr>
      </thead>
      <tbody>
        {times.map((at, index) => {
          const value = values[index] ?? null;
          return (
            <tr key={at}>
              <td>
                <Time at={at * 1_000} />
              </td>
              <td className="number" data-cell={value ?? ''}>
                {value === null ? 'none' : say(value)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}
