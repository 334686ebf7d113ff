/** A line chart over heights. The first one loads uPlot. */
import { useEffect, useRef } from 'react';
import type UPlot from 'uplot';
import { useTheme } from '../data/theme.ts';
import { count } from '../words/amount.ts';

const TALL = 160;

const widthOf = (_: UPlot, shown: readonly string[] | null): number =>
  Math.max(64, 20 + 7 * Math.max(0, ...(shown ?? []).map(({ length }) => length)));

export function LineChart({
  label,
  heights,
  values,
  tell,
}: {
  label: string;
  /** Heights in ascending order. */
  heights: readonly number[];
  values: readonly (number | null)[];
  /** Returns a function that formats values so that they stay distinct on the axis. */
  tell: (values: readonly number[]) => (value: number) => string;
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
      const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
      chart = new Plot(
        {
          width: element.clientWidth,
          height: TALL,
          legend: { show: false },
          cursor: { show: false },
          scales: { x: { time: false } },
          series: [{}, { stroke: line, width: 1.5, points: { show: false } }],
          axes: [
            { ...axis, values: (_, all) => all.map(count) },
            { ...axis, size: widthOf, values: (_, all) => all.map(tell(all)) },
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
  }, [heights, values, tell, theme]);
  return <div ref={box} className="line-chart" role="img" aria-label={label} />;
}
