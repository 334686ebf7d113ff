/** Reads frames: sums of many blocks in one request, however long the chain is. */
import type { DocumentOf } from '@netd/sdk/core';
import {
  addToDetails,
  DETAILED_SPAN,
  FRAME_SPANS,
  type FrameJob,
  type FrameSpan,
} from '@netd/protocol/frames';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { MOST_BARS, spanOf } from '../words/chart.ts';
import { pictureOf } from '../words/picture.ts';
import type { ChainEvent } from '../words/stream.ts';
import { client, reading, type ReadMeta } from './client.ts';

export type ShownFrame = DocumentOf<'/v1/frames'>['frames'][number];

interface Frames {
  frames: readonly ShownFrame[];
  found: UseQueryResult<DocumentOf<'/v1/frames'>>;
}

const MOST_FRAMES = 100;
const NONE: readonly ShownFrame[] = [];
/** The newest frames are read again after this many blocks at the earliest. */
const REFRESH_BLOCKS = 50;

/**
 * Returns the frames of a span, oldest first: at most a hundred.
 * @param before only frames that end below this height; null for the newest, unfinished one too
 * @param head the newest block
 */
export function useFrames(
  span: FrameSpan,
  { before, head, isOn = true }: { before: number | null; head: number; isOn?: boolean },
): Frames {
  const query = reading(
    '/v1/frames',
    {
      span: `${span}`,
      limit: MOST_BARS,
      ...(before === null ? {} : { before }),
    },
    'fixed',
  );
  const age = before === null ? Math.floor(head / Math.max(REFRESH_BLOCKS, span)) : 0;
  const found = useQuery({
    ...query,
    queryKey: [...query.queryKey, age] as unknown as typeof query.queryKey,
    enabled: isOn && head > 0,
    placeholderData: keepPreviousData,
  });
  const { data } = found;
  const frames = useMemo(() => data?.frames.toReversed() ?? NONE, [data]);
  return { frames, found };
}

/** Returns frames of the whole chain, oldest first, so large that there are at most a hundred. */
export function useChainFrames(head: number, isOn = true): Frames {
  return useFrames(spanOf(head + 1, FRAME_SPANS), { before: null, head, isOn });
}

/** Heights whose frames are read together. */
const TOGETHER = 1_000;
/** Frames of the past picture, at most. */
const MOST_SHOWN = 10;
/** Jobs, payments and votes that make a picture. */
const ENOUGH = 100;

export interface Past {
  /** Frames with parties and jobs that end at the height or before it, newest first. */
  frames: readonly ShownFrame[];
  /** Events after the frames, newest first. */
  events: readonly ChainEvent[];
  /** Blocks that frames and events cover. */
  from: number;
  to: number;
}

/** Returns the newest jobs of each frame, and those of the events after them, newest first. */
export function jobsOf({ frames, events }: Past): FrameJob[] {
  const rest = events.flatMap((event) => {
    const { jobs } = addToDetails(undefined, {
      height: event.height,
      time: '',
      transitions: 1,
      events: [event],
    });
    return jobs;
  });
  return [...rest, ...frames.flatMap(({ jobs = [] }) => jobs)];
}

/**
 * Returns the frames and events up to a height; null for the newest.
 * @param settled the height to read frames for, so that dragging requests little
 * @param seen events up to the height, newest first
 */
export function usePast(
  { at, settled, head }: { at: number | null; settled: number | null; head: number },
  seen: { events: readonly ChainEvent[]; hasOlder: boolean },
): Past | null {
  const asked = settled ?? at ?? 0;
  const whole = Math.floor((head + 1) / DETAILED_SPAN) * DETAILED_SPAN;
  const { data } = useQuery({
    ...reading(
      '/v1/frames',
      {
        span: `${DETAILED_SPAN}`,
        before: Math.min((Math.floor(asked / TOGETHER) + 1) * TOGETHER, whole),
        limit: 2 * MOST_SHOWN,
      },
      'fixed',
    ),
    enabled: at !== null && whole > 0,
    placeholderData: keepPreviousData,
  });
  const { events, hasOlder } = seen;
  return useMemo(() => {
    if (at === null) return null;
    const frames = shownFrames(data?.frames.filter(({ to }) => to <= at) ?? []);
    const oldest = events.at(-1)?.height ?? 0;
    const [newest] = frames;
    if (!newest) return { frames, events, from: hasOlder ? oldest : 0, to: at };
    const end = newest.to + 1;
    const from = frames.at(-1)?.from ?? 0;
    // Without all events after the frames, the picture ends with them.
    return hasOlder && oldest >= end
      ? { frames, events: [], from, to: newest.to }
      : { frames, events: events.filter(({ height }) => height >= end), from, to: at };
  }, [at, data, events, hasOlder]);
}

function shownFrames(frames: readonly ShownFrame[]): ShownFrame[] {
  const shown: ShownFrame[] = [];
  let entries = 0;
  for (const frame of frames.slice(0, MOST_SHOWN)) {
    if (entries >= ENOUGH) break;
    shown.push(frame);
    entries += frame.offeredJobs + frame.paidJobs + frame.refusedJobs + frame.votes;
  }
  return shown;
}

export interface Totals {
  paidJobs: number;
  earned: number;
  refusedJobs: number;
}

interface Whole {
  frames: readonly ShownFrame[];
  /** The first height after those that the frames cover. */
  end: number;
}

/** Reads frames that cover the blocks from genesis to a height once each, but for the last few blocks. */
async function readWhole(at: number): Promise<Whole> {
  const levels = await Promise.all(
    FRAME_SPANS.map(async (span, level) => {
      const above = FRAME_SPANS[level + 1];
      const from = above === undefined ? 0 : Math.floor((at + 1) / above) * above;
      const { frames, nextCursor } = await client.read('/v1/frames', {
        span: `${span}`,
        before: at + 1,
        limit: above === undefined ? MOST_FRAMES : above / span,
      });
      if (above === undefined && nextCursor !== null) throw new Error('the chain is too long');
      return frames.filter((frame) => frame.from >= from);
    }),
  );
  const [span] = FRAME_SPANS;
  return { frames: levels.flat(), end: Math.floor((at + 1) / span) * span };
}

/**
 * Returns the totals from genesis to a height. Null if they are unknown, or if the events don't reach back to
 * the last whole frame.
 * @param events events up to the height, newest first
 */
export function useTotalsAt(
  at: number | null,
  events: readonly ChainEvent[],
  hasOlder: boolean,
): Totals | null {
  const { data } = useQuery({
    queryKey: ['frames', 'whole', at] as const,
    queryFn: () => readWhole(at ?? 0),
    enabled: at !== null,
    retry: 1,
    staleTime: Infinity,
    meta: { pace: 'fixed' } satisfies ReadMeta,
  });
  if (data === undefined || at === null) return null;
  const oldest = events.at(-1);
  if (hasOlder && (oldest === undefined || oldest.height >= data.end)) return null;
  const rest = events.filter(({ height }) => height >= data.end && height <= at);
  return pictureOf(rest, data.frames);
}
