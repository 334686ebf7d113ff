import { compareEventIds } from '@netd/protocol';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { STREAM_FILTERS } from '../../chain/filters.ts';
import { arrivalOf } from '../../chain/live.ts';
import type { Seen } from '../../chain/seen.ts';
import { useOrderTitles } from '../../chain/order-titles.ts';
import { useTimeOf } from '../../chain/times.ts';
import { Card, Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx';
import { Face, Height, Time } from '../../marks/names.tsx';
import { Sentence } from '../../marks/sentence.tsx';
import { count } from '../../words/amount.ts';
import { streamLines, type ChainEvent, type StreamLine } from '../../words/stream.ts';
import { describeEvent } from '@netd/protocol/sentences';

const SHOWN_LINES = 40;
const NEWEST_ORDERS = [{ limit: 50 }];

const FILTER_NAMES: Record<(typeof STREAM_FILTERS)[number], string> = {
  all: 'Everything',
  work: 'Work',
  money: 'Money',
  agents: 'Agents',
  talk: 'Messages',
  trouble: 'Problems',
};

function olderThan(shown: readonly ChainEvent[], page: readonly ChainEvent[]): ChainEvent[] {
  const last = shown.at(-1);
  return page.filter(({ id }) => last === undefined || compareEventIds(id, last.id) < 0);
}

/** Shows events, newest first. While someone reads it, new events are only counted. */
export function Stream({ seen, at }: { seen: Seen; at: number | null }) {
  const { events, ready, hasOlder, readOlder } = seen;
  const [most, setMost] = useState(SHOWN_LINES);
  const older = useMutation({ mutationFn: readOlder });
  const { show = 'all' } = useSearch({ from: '/' });
  const [reads, setReads] = useState(false);
  const [held, setHeld] = useState<readonly ChainEvent[] | null>(null);
  const titles = useOrderTitles(NEWEST_ORDERS, ready);
  const shown = reads && held ? held : events;
  const told = useMemo(
    () =>
      streamLines(
        shown.filter(({ type, data }) => show === 'all' || describeEvent(type, data).tone === show),
      ),
    [shown, show],
  );
  const lines = told.slice(0, most);
  const [newest] = shown;
  const fresh =
    reads && newest ? events.filter(({ id }) => compareEventIds(id, newest.id) > 0).length : 0;

  const goBack = (): void => {
    setMost(lines.length + SHOWN_LINES);
    if (told.length >= lines.length + SHOWN_LINES || !hasOlder) return;
    older.mutate(undefined, {
      onSuccess: (page) => setHeld((before) => before && [...before, ...olderThan(before, page)]),
    });
  };
  const hold = (): void => {
    if (reads) return;
    setHeld(events);
    setReads(true);
  };
  const goOn = (): void => {
    setReads(false);
    setHeld(null);
  };
  return (
    <Card
      title={at === null ? 'Live activity' : `Activity up to block ${count(at)}`}
      className="stream-card"
      aside={
        <div className="tabs" role="group" aria-label="Filter">
          {STREAM_FILTERS.map((name) => (
            <Link
              key={name}
              from="/"
              search={(search) => ({ ...search, show: name === 'all' ? undefined : name })}
              aria-current={show === name ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
              resetScroll={false}
            >
              {FILTER_NAMES[name]}
            </Link>
          ))}
        </div>
      }
    >
      <div
        onPointerEnter={hold}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && goOn()}
        onFocus={hold}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) goOn();
        }}
      >
        {fresh > 0 && (
          <button type="button" className="pill-new" onClick={goOn}>
            <span>{count(fresh)} new</span>
          </button>
        )}
        {!ready && <Skeleton lines={8} />}
        {ready && lines.length === 0 && (
          <Empty
            title={
              show !== 'all'
                ? 'Nothing of this kind lately'
                : hasOlder
                  ? 'No event could be read'
                  : 'Nothing has happened yet'
            }
          >
            {show === 'all' && !hasOlder
              ? 'The node lists no event: this chain seems to be new. Begin with one of the steps on this page.'
              : hasOlder
                ? `Nothing among the last ${count(shown.length)} events. Load earlier ones, or open the pages of agents, orders and blocks.`
                : 'Events of this kind appear here.'}
          </Empty>
        )}
        <ol className="stream" aria-label="Events, newest first">
          {lines.map((line) => (
            <Line key={line.id} line={line} titles={titles} />
          ))}
        </ol>
        {older.isError && (
          <ErrorNote error={older.error} what="Older events could not be read." retry={goBack} />
        )}
        {ready && (hasOlder || told.length > lines.length) && (
          <p className="more inside">
            <button type="button" className="button" disabled={older.isPending} onClick={goBack}>
              {older.isPending ? 'Reading…' : 'Earlier'}
            </button>
          </p>
        )}
      </div>
    </Card>
  );
}

function Line({ line, titles }: { line: StreamLine; titles: ReadonlyMap<string, string> }) {
  const { parts, actor, others, times, height, tone } = line;
  // Live events have an arrival time, so their block's time need not be requested.
  const arrived = arrivalOf(height);
  const time = useTimeOf(height, arrived === null) ?? arrived;
  return (
    <li data-tone={tone}>
      <span className="line-face">
        {actor === null ? <i className="no-face" /> : <Face id={actor} size={24} />}
      </span>
      <span className="line-text">
        <Sentence parts={parts} titles={titles} />
        {times > 1 && (
          <span className="line-more soft">
            {' '}
            and {count(times - 1)} more like it
            <span className="faces">
              {others.map((id) => (
                <Face key={id} id={id} size={16} />
              ))}
            </span>
          </span>
        )}
      </span>
      <span className="line-when">
        <Time at={time} />
        <Height at={height} />
      </span>
    </li>
  );
}
