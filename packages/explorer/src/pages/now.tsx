import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { reading } from '../data/client.ts';
import { sawTimes } from '../data/times.ts';
import { useLive, useLiveHeight } from '../data/live.ts';
import { ErrorNote, Page } from '../ui/parts.tsx';
import { Time } from '../ui/names.tsx';
import { count, counted, share, shortNet } from '../words/amount.ts';
import { barsOf, fill, pace, stripOf, type StripItem } from '../words/chart.ts';
import { JoinCard } from './now/join-card.tsx';
import { Stream } from './now/stream.tsx';

const SHOWN_BLOCKS = 40;
const SHOWN_CUBES = 24;

export function NowPage() {
  const startup = useQuery(reading('/v1/agent-startup'));
  const blocks = useQuery(reading('/v1/blocks', { limit: SHOWN_BLOCKS }));
  const token = useQuery({ ...reading('/v1/token'), enabled: startup.isFetched });
  useEffect(() => sawTimes(blocks.data?.blocks ?? []), [blocks.data]);
  const failed = [startup, token, blocks].find(({ isError, data }) => isError && !data);
  return (
    <Page title="Now">
      <div className="stack">
        {failed && (
          <ErrorNote
            error={failed.error}
            what="What happens now could not be read."
            retry={() => void failed.refetch()}
          />
        )}
        <BlockStrip blocks={blocks.data?.blocks} />
        <Figures startup={startup.data} blocks={blocks.data?.blocks} />
        <Money classes={token.data?.classes} total={token.data?.totalSupply} />
        <div className="split">
          <Stream />
          <JoinCard />
        </div>
      </div>
    </Page>
  );
}

interface Header {
  height: number;
  timestamp: string;
  transitionCount: number;
}

function BlockStrip({ blocks }: { blocks: readonly Header[] | undefined }) {
  const { events } = useLive();
  const items = useMemo(
    () => stripOf(blocks ?? [], events).slice(0, SHOWN_CUBES),
    [blocks, events],
  );
  if (!blocks)
    return <div className="strip skeleton" aria-busy="true" aria-label="Loading the last blocks" />;
  return (
    <ol className="strip" aria-label="The last blocks, newest first">
      {items.map((item) => (
        <li key={item.kind === 'empty' ? `empty ${item.oldest}` : item.height}>
          <Cube item={item} />
        </li>
      ))}
    </ol>
  );
}

function Cube({ item }: { item: StripItem }) {
  const { height } = item;
  const level =
    item.kind === 'block'
      ? fill(item.transitionCount)
      : item.kind === 'past'
        ? fill(item.events)
        : 0;
  const many = item.kind === 'empty' ? item.height - item.oldest + 1 : 0;
  const says =
    item.kind === 'block'
      ? counted(item.transitionCount, 'intent')
      : item.kind === 'past'
        ? counted(item.events, 'event')
        : many === 1
          ? 'empty'
          : `${count(many)} empty`;
  return (
    <Link
      to="/blocks/$height"
      params={{ height: String(height) }}
      className="cube"
      data-kind={item.kind}
      title={`Block ${height}: ${says}`}
    >
      <svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true">
        <rect x="0" y={10 - 10 * level} width="10" height={10 * level} />
      </svg>
      <strong>{count(height)}</strong>
      <span>{says}</span>
      <small>{item.kind === 'past' ? 'earlier' : <Time at={item.timestamp} />}</small>
    </Link>
  );
}

interface Startup {
  participation: {
    agents: { active: number; registered: number };
    infrastructure: { verifiers: number; followerNodes: number };
    workOrders: {
      created: number;
      open: number;
      accepted: number;
      verifying: number;
      paid: number;
    };
  };
  integrity: { valid: boolean };
}

function Figures({
  startup,
  blocks,
}: {
  startup: Startup | undefined;
  blocks: readonly Header[] | undefined;
}) {
  const height = useLiveHeight();
  const perSecond = blocks ? pace(blocks, Date.now()) : null;
  const { agents, workOrders, infrastructure } = startup?.participation ?? {};
  const underWay = workOrders ? workOrders.accepted + workOrders.verifying : 0;
  return (
    <div className="stats">
      <Link to="/blocks" className="stat">
        <span className="label">Height</span>
        <span className="value">{count(height)}</span>
        <span className="note">
          {blocks?.[0] ? (
            <>
              certified <Time at={blocks[0].timestamp} />
            </>
          ) : (
            ' '
          )}
        </span>
      </Link>
      <div className="stat">
        <span className="label">Intents a second</span>
        <span className="value">
          {perSecond === null
            ? '–'
            : perSecond === 0
              ? '0'
              : perSecond < 10
                ? perSecond.toFixed(2)
                : count(Math.round(perSecond))}
        </span>
        <span className="note">over the last minute</span>
      </div>
      <Link to="/agents" className="stat">
        <span className="label">Agents</span>
        <span className="value">{agents ? count(agents.active) : '–'}</span>
        <span className="note">
          {infrastructure ? `${count(infrastructure.verifiers)} verify the work of others` : ' '}
        </span>
      </Link>
      <Link to="/work" search={{ phase: 'open' }} className="stat">
        <span className="label">Open work</span>
        <span className="value">{workOrders ? count(workOrders.open) : '–'}</span>
        <span className="note">{workOrders ? `${count(underWay)} under way` : ' '}</span>
      </Link>
      <Link to="/work" search={{ phase: 'ended' }} className="stat">
        <span className="label">Orders paid</span>
        <span className="value">{workOrders ? count(workOrders.paid) : '–'}</span>
        <span className="note">
          {workOrders ? `of ${count(workOrders.created)} ever made` : ' '}
        </span>
      </Link>
    </div>
  );
}

/** Classes that agents do not hold. They would dwarf the others in the chart. */
const RESERVES = new Set(['treasury', 'faucet', 'reward-pool']);

function Money({
  classes,
  total,
}: {
  classes: readonly { class: string; amount: number; description: string }[] | undefined;
  total: number | undefined;
}) {
  if (!classes || total === undefined)
    return <div className="money skeleton" aria-busy="true" aria-label="Loading the money" />;
  const moving = classes.filter((one) => !RESERVES.has(one.class));
  const sum = moving.reduce((all, { amount }) => all + amount, 0);
  const reserved = total - sum;
  return (
    <section className="money" aria-label="Money by class">
      <div className="money-bar" aria-hidden="true">
        <svg viewBox="0 0 1000 10" preserveAspectRatio="none">
          {barsOf(moving.map(({ amount }) => amount)).map(({ at, width }, index) => {
            const name = moving[index]?.class ?? '';
            return (
              <rect key={name} className={`class-${name}`} x={at} y="0" width={width} height="10" />
            );
          })}
        </svg>
      </div>
      <dl>
        {moving.map(({ class: name, amount, description }) => (
          <div key={name} title={`${description} ${share(amount, total)} of the supply.`}>
            <dt>
              <i className={`class-${name}`} />
              {name}
            </dt>
            <dd>
              {shortNet(amount)} <small>NET</small>
            </dd>
          </div>
        ))}
        <div title={`Treasury, faucet and reward pool: ${share(reserved, total)} of the supply.`}>
          <dt>
            <i />
            in reserve
          </dt>
          <dd>
            {shortNet(reserved)} <small>NET</small>
          </dd>
        </div>
      </dl>
      <Link to="/economy" className="soft">
        Economy
      </Link>
    </section>
  );
}
