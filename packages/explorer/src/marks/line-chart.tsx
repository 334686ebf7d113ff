/** A line chart over heights or times. The first one loads uPlot. */
import { useEffect, useRef } from 'react';
import type UPlot from 'uplot';
import { useTheme } from '../chain/theme.ts';
import { count } from '../words/amount.ts';
import { clockOf } from '../words/chart.ts';

const TALL = 160;

const widthOf = (_: UPlot, shown: readonly string[] | null): number =>
  Math.max(64, 20 + 7 * Math.max(0, ...(shown ?? []).map(({ length }) => length)));

/** Writes only the zero if there is nothing else, because the chart then makes up a range. */
const onlyZero = (at: number): string => (at === 0 ? '0' : '');

export function LineChart({
  label,
  heights,
  values,
  tell,
  isOverTime = false,
  most,
}: {
  label: string;
  /** Heights, or seconds since 1970, in ascending order. */
  heights: readonly number[];
  values: readonly (number | null)[];
  /** Returns a function that formats values so that they stay distinct on the axis. */
  tell: (values: readonly number[]) => (value: number) => string;
  isOverTime?: boolean;
  /** The upper end of the axis, which then begins at zero. */
  most?: number | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const element = box.current;
    if (!element || heights.length < 2) return undefined;
    let chart: UPlot | null = null;
    let isGone = false;
    const observer = new ResizeObserver(() => {
      chart?.setSize({ width: element.clientWidth, height: TALL });
    });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const draw = async (): Promise<void> => {
      const [{ default: Plot }] = await Promise.all([
        import('uplot'),
        import('uplot/dist/uPlot.min.css'),
      ]);
      if (isGone) return;
      chart?.destroy();
      const { color: line, borderTopColor: grid, outlineColor: ink } = getComputedStyle(element);
      const isZero = most === undefined && values.every((value) => value === 0 || value === null);
      const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
      chart = new Plot(
        {
          width: element.clientWidth,
          height: TALL,
          legend: { show: false },
          // Half of the last label of a short time axis is beside the line.
          padding: [null, isOverTime ? 28 : null, null, null],
          cursor: { show: false },
          scales: {
            x: { time: isOverTime },
            ...(most === undefined ? {} : { y: { range: [0, most] } }),
          },
          // Points show a value between two steps without one.
          series: [{}, { stroke: line, width: 1.5, spanGaps: true, points: { show: isOverTime } }],
          axes: [
            { ...axis, space: 76, values: (_, all) => all.map(isOverTime ? clockOf(all) : count) },
            { ...axis, size: widthOf, values: (_, all) => all.map(isZero ? onlyZero : tell(all)) },
          ],
        },
        [[...heights], [...values]],
        element,
      );
    };
    const again = (): void => void draw().catch(() => {});
    again();
    observer.observe(element);
    dark.addEventListener('change', again);
    return () => {
      isGone = true;
      observer.disconnect();
      dark.removeEventListener('change', again);
      chart?.destroy();
    };
  }, [heights, values, tell, theme, isOverTime, most]);
  return <div ref={box} className="line-chart" role="img" aria-label={label} />;
}
