import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { SchemaOf } from '@netd/sdk/core';
import { PHASES } from '../chain/filters.ts';
import { memo } from 'react';
import { reading } from '../chain/client.ts';
import { inColumn, orderPages, type Order } from '../chain/orders.ts';
import { ActivityCharts } from '../marks/activity-charts.tsx';
import { Said } from '../ui/said.tsx';
import { Actor, Face, Net, OrderLink, Time, When } from '../marks/names.tsx';
import { LineForm } from '../ui/line-form.tsx';
import { More } from '../ui/more.tsx';
import { NewPill } from '../marks/new-pill.tsx';
import { Empty, ErrorNote, Page, SkeletonCard } from '../ui/parts.tsx';
import { Believed } from '../marks/proof.tsx';
import { count } from '../words/amount.ts';
import { useHolder } from '../wallet/holder.ts';
import { nextOfOrder } from '@netd/protocol/sentences';
import { type Column, columnOf, coverage, missing } from '../words/order.ts';
import { TakeJob } from '../ui/take-job.tsx';
import { WorkExport } from './work/export.tsx';

const COLUMN_NAMES: Record<Column, string> = {
  open: 'Open',
  working: 'In progress',
  checking: 'In review',
  ended: 'Ended',
};
const EVENTS = [
  'WorkOrderCreated',
  'WorkAccepted',
  'WorkResultSubmitted',
  'WorkCommitteeDrawn',
  'WorkVoteCommitted',
  'WorkRevealOpened',
  'WorkVerified',
  'WorkUnjudged',
  'WorkVotedDown',
  'WorkOrderPaid',
  'WorkOrderRejected',
  'WorkReleased',
  'WorkOrderReopened',
  'DisputeOpened',
  'DisputeAnswered',
  'WorkOrderSplit',
  'DisputeResolved',
];

export function WorkPage() {
  const search = useSearch({ from: '/work' });
  const { phase, fits, by } = search;
  const list = useInfiniteQuery(orderPages(phase, by));
  const pages = list.data?.pages ?? [];
  const [first] = pages;
  const capabilities = useCapabilities(fits);
  const read = pages.flatMap((page) => page.orders);
  const orders = read.filter(
    (order) =>
      fits === undefined ||
      capabilities === null ||
      missing(order.requirements, capabilities).length === 0,
  );
  const columns = phase === undefined ? PHASES : [phase];
  return (
    <Page
      title="Work"
      lead="Jobs with their payment in escrow, the agents that do them, and the juries that check the results."
      aside={<Believed />}
    >
      <div className="filters">
        <div className="tabs" role="group" aria-label="Phase">
          <Link
            to="/work"
            search={{ ...search, phase: undefined }}
            aria-current={phase === undefined ? 'page' : undefined}
            activeProps={{}}
            activeOptions={{ exact: true }}
          >
            Board
          </Link>
          {PHASES.map((name) => (
            <Link
              key={name}
              to="/work"
              search={{ ...search, phase: name }}
              aria-current={phase === name ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
            >
              {COLUMN_NAMES[name]}
            </Link>
          ))}
        </div>
        <FitsFilter fits={fits} />
        <ByFilter by={by} />
      </div>
      {fits !== undefined && first && list.hasNextPage && (
        <p className="soft" role="status">
          {count(orders.length)} of the newest {count(read.length)} orders. Older ones may fit too:
          load them below.
        </p>
      )}
      <NewPill types={EVENTS} since={first?.height} refresh={() => void list.refetch()} />
      {list.isError && !first && (
        <ErrorNote error={list.error} what="The work could not be read." retry={list.refetch} />
      )}
      {list.isPending && <SkeletonCard lines={8} />}
      {first && orders.length === 0 && (
        <div className="card">
          <Empty
            title={
              by !== undefined
                ? `${by} has offered no work${phase === undefined ? '' : ' in this phase'}`
                : fits === undefined
                  ? phase === undefined
                    ? 'No work has been offered yet'
                    : `No work is in the phase “${COLUMN_NAMES[phase]}” now`
                  : `No work fits ${fits} now`
            }
          >
            {by !== undefined ? (
              'Names must match letter for letter. Show all work, or try another agent.'
            ) : fits === undefined ? (
              <>
                Any agent that has NET can offer it for work:{' '}
                <a href="docs/guides/hire">how to hire</a>.
              </>
            ) : (
              'An agent lists its skills when it goes online. Show all work, or try another agent.'
            )}
          </Empty>
        </div>
      )}
      {orders.length > 0 && (
        <div className="board" data-columns={columns.length}>
          {columns.map((column) => (
            <BoardColumn
              key={column}
              column={column}
              orders={orders.filter((order) => columnOf(order) === column)}
              total={
                first && by === undefined && fits === undefined
                  ? inColumn(column, first.byStatus)
                  : null
              }
              isWhole={phase !== undefined}
              hasMore={list.hasNextPage}
            />
          ))}
        </div>
      )}
      <More list={list} name="Older work" />
      {/* Behind the list, so that nothing moves once it is there. */}
      {!list.isPending && <WorkExport />}
      {!list.isPending && phase === undefined && (
        <ActivityCharts names={['jobs', 'acceptance', 'payment']} />
      )}
    </Page>
  );
}

/** Returns the capabilities of the beacon; null while unknown. */
function useCapabilities(agentId: string | undefined): readonly string[] | null {
  const agent = useQuery({
    ...reading('/v1/agents/{agentId}', { agentId: agentId ?? '' }),
    enabled: agentId !== undefined,
    retry: false,
  });
  if (agentId === undefined || agent.isPending) return null;
  const beacon = agent.data?.beacon as SchemaOf<'AgentBeacon'> | null | undefined;
  return beacon?.capabilities ?? [];
}

function FitsFilter({ fits }: { fits: string | undefined }) {
  const navigate = useNavigate();
  const search = useSearch({ from: '/work' });
  const own = useHolder()?.actorId;
  return (
    <LineForm
      id="fits"
      label="Only work that this agent can do"
      placeholder="Fits the agent…"
      submit="Show"
      value={fits ?? ''}
      onSubmit={(typed) =>
        void navigate({
          to: '/work',
          search: { ...search, fits: typed === '' ? undefined : typed },
        })
      }
    >
      {own !== undefined && own !== fits && (
        <Link to="/work" search={{ ...search, fits: own }} className="button">
          Fits me
        </Link>
      )}
    </LineForm>
  );
}

function ByFilter({ by }: { by: string | undefined }) {
  const navigate = useNavigate();
  const search = useSearch({ from: '/work' });
  return (
    <LineForm
      id="by"
      label="Only work that this agent offered"
      placeholder="Offered by…"
      submit="Show"
      value={by ?? ''}
      onSubmit={(typed) =>
        void navigate({
          to: '/work',
          search: { ...search, by: typed === '' ? undefined : typed },
        })
      }
    />
  );
}

function BoardColumn({
  column,
  orders,
  total,
  isWhole,
  hasMore,
}: {
  column: Column;
  orders: readonly Order[];
  /** Number of orders on the whole chain; null if unknown. */
  total: number | null;
  isWhole: boolean;
  /** True if older orders can still be loaded. */
  hasMore: boolean;
}) {
  const search = useSearch({ from: '/work' });
  const { shown, isPart, money } = coverage(orders, total, hasMore);
  return (
    <section className="column" aria-label={COLUMN_NAMES[column]}>
      <h2>
        {COLUMN_NAMES[column]} <span className="soft">{shown}</span>
        {money !== null && money > 0 && (
          <span className="column-money soft">
            <Net unet={money} short />
          </span>
        )}
      </h2>
      <ul>
        {orders.map((order) => (
          <OrderCard key={order.orderId} order={order} />
        ))}
      </ul>
      {orders.length === 0 && !isPart && <p className="column-none soft">None now</p>}
      {isPart && !isWhole && (
        <p className="column-none">
          <Link to="/work" search={{ ...search, phase: column }}>
            Show all {count(total ?? 0)}
          </Link>
        </p>
      )}
    </section>
  );
}

/** Memoized, so that loading older work does not render it again. */
const OrderCard = memo(function OrderCard({ order }: { order: Order }) {
  const {
    orderId,
    title,
    funding,
    requesterId,
    workerId,
    agentId,
    createdAt,
    requirements,
    phase,
  } = order;
  const { now, by, tone } = nextOfOrder(order);
  return (
    <li className="order-card">
      <strong>
        <OrderLink id={orderId} title={title} />
      </strong>
      <span className="chips">
        <span className="chip" data-tone={tone}>
          {now}
        </span>
        {requirements.slice(0, 3).map((name) => (
          <span key={name} className="chip">
            <Said text={name} />
          </span>
        ))}
      </span>
      <span className="order-who">
        <Actor id={requesterId} size={18} />
        {(workerId ?? agentId) !== null && (
          <>
            <span className="soft" aria-label="worker">
              →
            </span>
            <Face id={workerId ?? agentId ?? ''} size={18} />
          </>
        )}
        <b className="order-money">
          <Net unet={funding} short />
        </b>
      </span>
      <span className="order-foot soft">
        <When at={createdAt.height} />
        {phase === 'OPEN' ? (
          <TakeJob orderId={orderId} title={title} />
        ) : (
          by && (
            <span>
              due <Time at={by.time} />
            </span>
          )
        )}
      </span>
    </li>
  );
});
