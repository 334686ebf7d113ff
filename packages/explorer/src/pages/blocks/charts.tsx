import { useMemo } from 'react';
import { LineChart } from '../../marks/line-chart.tsx';
import { Card } from '../../ui/parts.tsx';
import { count } from '../../words/amount.ts';
import { duration } from '../../words/time.ts';

interface ListedBlock {
  height: number;
  timestamp: string;
  transitionCount: number;
}

const tellGaps = () => (milliseconds: number) => duration(milliseconds);
const tellSizes = () => count;

/** @param blocks newest first, at least three */
export function BlockCharts({ blocks }: { blocks: readonly ListedBlock[] }) {
  const drawn = useMemo(() => {
    const ascending = blocks.toReversed();
    const gaps = ascending.map(({ timestamp }, at) => {
      const before = ascending[at - 1];
      return before ? Date.parse(timestamp) - Date.parse(before.timestamp) : null;
    });
    return {
      heights: ascending.map(({ height }) => height),
      gaps,
      sizes: ascending.map(({ transitionCount }) => transitionCount),
      longest: Math.max(0, ...gaps.map((gap) => gap ?? 0)),
      fullest: Math.max(0, ...ascending.map(({ transitionCount }) => transitionCount)),
    };
  }, [blocks]);
  const { heights, gaps, sizes, longest, fullest } = drawn;
  const range = `blocks ${count(heights[0] ?? 0)} to ${count(heights.at(-1) ?? 0)}`;
  return (
    <div className="charts">
      <Card
        title="Time between blocks"
        aside={<span className="soft">longest {duration(longest)}</span>}
      >
        <LineChart
          label={`Time between ${range}, at most ${duration(longest)}`}
          heights={heights}
          values={gaps}
          tell={tellGaps}
        />
      </Card>
      <Card
        title="Transitions in a block"
        aside={<span className="soft">most {count(fullest)}</span>}
      >
        <LineChart
          label={`Transitions in ${range}, at most ${count(fullest)} in one`}
          heights={heights}
          values={sizes}
          tell={tellSizes}
        />
      </Card>
    </div>
  );
}
