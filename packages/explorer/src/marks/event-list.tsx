import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { eventsOf } from '../chain/events-of.ts';
import { describeEvent } from '@netd/protocol/sentences';
import type { ChainEvent } from '../words/stream.ts';
import { More } from '../ui/more.tsx';
import { Face, When } from './names.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/parts.tsx';
import { Sentence } from './sentence.tsx';

export function EventList({
  events: asked,
  none,
  beside,
}: {
  events: ReturnType<typeof eventsOf>;
  none: string;
  beside?: (event: ChainEvent) => ReactNode;
}) {
  const list = useInfiniteQuery(asked);
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <>
      {list.isError && (
        <ErrorNote error={list.error} what="The events could not be read." retry={list.refetch} />
      )}
      {list.isPending && <Skeleton lines={8} />}
      {list.data && events.length === 0 && (
        <Empty title={list.hasNextPage ? 'Nothing recent' : 'Nothing yet'}>{none}</Empty>
      )}
      <ol className="stream">
        {events.map((event) => {
          const { parts, tone, actor } = describeEvent(event.type, event.data);
          return (
            <li key={event.id} data-tone={tone}>
              <span className="line-face">
                {actor === null ? <i className="no-face" /> : <Face id={actor} size={24} />}
              </span>
              <span className="line-text">
                <Sentence parts={parts} /> {beside?.(event)}
              </span>
              <span className="line-when">
                <When at={event.height} />
              </span>
            </li>
          );
        })}
      </ol>
      <More list={list} name="Earlier" />
    </>
  );
}
