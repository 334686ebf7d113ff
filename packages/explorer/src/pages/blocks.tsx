import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { listing } from '../chain/client.ts';
import { useLiveHeight } from '../chain/live.ts';
import { DataTable } from '../ui/data-table.tsx';
import { More } from '../ui/more.tsx';
import { Hash, Time } from '../marks/names.tsx';
import { ErrorNote, Page, SkeletonCard } from '../ui/parts.tsx';
import { Believed } from '../marks/proof.tsx';
import { count } from '../words/amount.ts';
import { fill } from '../words/chart.ts';
import { duration } from '../words/time.ts';
import { BlockCharts } from './blocks/charts.tsx';

/** An idle chain makes a block every ten seconds. */
const LONG_GAP = 30_000;

const NONE: never[] = [];

export function BlocksPage() {
  const list = useInfiniteQuery(listing('/v1/blocks', { limit: 50 }));
  const height = useLiveHeight();
  const pages = list.data?.pages ?? NONE;
  const [first] = pages;
  const blocks = useMemo(() => pages.flatMap((page) => page.blocks), [pages]);
  const fresh = first ? height - first.height : 0;
  return (
    <Page
      title="Blocks"
      lead="Each block names the block before it, and the validators certify it. Together, blocks are the whole history of this chain."
      aside={<Believed />}
    >
      {list.isError && !first && (
        <ErrorNote error={list.error} what="The blocks could not be read." retry={list.refetch} />
      )}
      {blocks.length > 2 && <BlockCharts blocks={blocks} />}
      {/* Below the charts, so that it covers none of their words. */}
      {fresh > 0 && first && (
        <button type="button" className="pill-new" onClick={() => void list.refetch()}>
          <span>{count(fresh)} new</span>
        </button>
      )}
      {list.isPending && <SkeletonCard lines={12} />}
      {first && (
        <div className="card">
          <DataTable name="blocks" className="blocks">
            <thead>
              <tr>
                <th>Height</th>
                <th>Made</th>
                <th>Gap</th>
                <th>Transitions</th>
                <th className="wide-only">Hash</th>
                <th className="wide-only">Proposer</th>
              </tr>
            </thead>
            <tbody>
              {blocks.map(
                ({ height: at, timestamp, transitionCount, blockHash, proposerId }, index) => {
                  const before = blocks[index + 1];
                  const gap = before ? Date.parse(timestamp) - Date.parse(before.timestamp) : null;
                  return (
                    <tr key={at}>
                      <td>
                        <Link
                          to="/blocks/$height"
                          params={{ height: String(at) }}
                          className="number strong"
                        >
                          {count(at)}
                        </Link>
                      </td>
                      <td>
                        <Time at={timestamp} />
                      </td>
                      <td className={gap !== null && gap > LONG_GAP ? 'number gap' : 'number soft'}>
                        {gap === null ? '' : duration(gap)}
                      </td>
                      <td>
                        <span className="meter">
                          <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                            <rect width={100 * fill(transitionCount)} height="6" />
                          </svg>
                          <span className="number">{count(transitionCount)}</span>
                        </span>
                      </td>
                      <td className="wide-only">
                        <Hash hash={blockHash} />
                      </td>
                      <td className="wide-only soft">{proposerId}</td>
                    </tr>
                  );
                },
              )}
            </tbody>
          </DataTable>
        </div>
      )}
      <More list={list} name="Older blocks" />
    </Page>
  );
}
