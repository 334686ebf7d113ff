import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { MONEY_CLASSES } from '../../words/choices.ts';
import { disputesOf, moneyPast, pastEvents, type MoneyPast } from '../../chain/money-past.ts';
import { LineChart } from '../../marks/line-chart.tsx';
import { More } from '../../ui/more.tsx';
import { Card, Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx';
import { count, netApart } from '../../words/amount.ts';
import { SaveAs } from '../../ui/save-as.tsx';
import type { TableFile } from '../../words/csv.ts';
import { capitalized } from '../../words/ids.ts';
import type { MoneyClass } from '../../words/money.ts';

const NOTHING: ReadonlyMap<string, boolean> = new Map();
const nameOf = (name: MoneyClass): string => capitalized(name.replace('-', ' '));

export function OverTime() {
  const { of = 'circulating' } = useSearch({ from: '/economy' });
  const list = useInfiniteQuery(pastEvents);
  const { data } = list;
  const first = useMemo(() => moneyPast(data?.pages ?? [], NOTHING), [data]);
  const disputes = useQuery(disputesOf(first?.unknown ?? []));
  const past = useMemo(
    () => (disputes.data ? moneyPast(data?.pages ?? [], disputes.data) : first),
    [data, disputes.data, first],
  );
  return (
    <Card
      title="Over time"
      aside={past?.isWhole && <span className="chip">complete since genesis</span>}
    >
      <div className="inside stack-small">
        <div className="tabs wide" role="group" aria-label="Class of money">
          {MONEY_CLASSES.map((name) => (
            <Link
              key={name}
              to="/economy"
              search={name === 'circulating' ? {} : { of: name }}
              aria-current={name === of ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
              resetScroll={false}
            >
              {nameOf(name)}
            </Link>
          ))}
        </div>
        {list.isError && (
          <ErrorNote
            error={list.error}
            what="Earlier amounts could not be read."
            retry={list.refetch}
          />
        )}
        {!past && list.isPending && <Skeleton lines={4} />}
        {past && <Drawn past={past} name={of} />}
      </div>
      {past && (
        <div className="chips inside">
          <SaveAs name="economy" table={() => tableOf(past)} />
          <More list={list} name="Earlier" />
        </div>
      )}
    </Card>
  );
}

function Drawn({ past, name }: { past: MoneyPast; name: MoneyClass }) {
  const { heights, values } = useMemo(() => stepsOf(past, name), [past, name]);
  const [from, to] = [heights[0] ?? 0, heights.at(-1) ?? 0];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const tell = netApart([least, most]);
  if (from === to)
    return (
      <Empty title="No money has moved yet">
        Let an agent join and get test NET from the faucet. The page Live shows how.
      </Empty>
    );
  const told = `${nameOf(name)} in blocks ${count(from)} to ${count(to)}: ${
    least === most
      ? `${tell(most)} NET throughout`
      : `between ${tell(least)} and ${tell(most)} NET, ${tell(values.at(-1) ?? 0)} at the end`
  }`;
  return (
    <>
      <LineChart label={told} heights={heights} values={values} tell={netApart} />
      <p className="soft">
        {told}. Counted back from the amounts that the node reports now, through every event that
        moved money.
      </p>
    </>
  );
}

function stepsOf({ points }: MoneyPast, name: MoneyClass): { heights: number[]; values: number[] } {
  const heights: number[] = [];
  const values: number[] = [];
  const add = (height: number, value: number): void => {
    if (heights.at(-1) === height) values[values.length - 1] = value;
    else {
      heights.push(height);
      values.push(value);
    }
  };
  for (const { height, classes } of points) {
    const before = values.at(-1);
    if (before !== undefined && before !== classes[name] && height - 1 > (heights.at(-1) ?? 0))
      add(height - 1, before);
    add(height, classes[name]);
  }
  return { heights, values };
}

const tableOf = ({ points }: MoneyPast): TableFile => ({
  names: ['behind block', ...MONEY_CLASSES.map((name) => `${name} in unet`)],
  rows: points.map(({ height, classes }) => [
    height,
    ...MONEY_CLASSES.map((name) => classes[name]),
  ]),
});
