/** Reads the totals up to an earlier height from frames: four requests, however long the chain is. */
import { FRAME_SPANS } from '@netd/protocol/frames';
import { useQuery } from '@tanstack/react-query';
import { pictureOf } from '../words/picture.ts';
import type { ChainEvent } from '../words/stream.ts';
import { client, type ReadMeta } from './client.ts';

const MOST_FRAMES = 100;

export interface Totals {
  paidJobs: number;
  earned: number;
  refusedJobs: number;
}

interface Summed extends Totals {
  /** The first height after those that the sums cover. */
  end: number;
}

async function readSums(at: number): Promise<Summed> {
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
  const sums: Summed = {
    paidJobs: 0,
    earned: 0,
    refusedJobs: 0,
    end: Math.floor((at + 1) / span) * span,
  };
  for (const frame of levels.flat()) {
    sums.paidJobs += frame.paidJobs;
    sums.earned += frame.earned;
    sums.refusedJobs += frame.refusedJobs;
  }
  return sums;
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
    queryKey: ['frames', 'sums', at] as const,
    queryFn: () => readSums(at ?? 0),
    enabled: at !== null,
    retry: 1,
    staleTime: Infinity,
    meta: { pace: 'fixed' } satisfies ReadMeta,
  });
  if (data === undefined || at === null) return null;
  const oldest = events.at(-1);
  if (hasOlder && (oldest === undefined || oldest.height >= data.end)) return null;
  const rest = pictureOf(events.filter(({ height }) => height >= data.end && height <= at));
  return {
    paidJobs: data.paidJobs + rest.paidJobs,
    earned: data.earned + rest.earned,
    refusedJobs: data.refusedJobs + rest.refusedJobs,
  };
}
