/** A document and its proof are two requests: a block may come between them, and then nothing can be said of what differs. */
import { useEffect, useRef } from 'react';

/** A chain that makes blocks faster than they are read is believed no more for being asked more often. */
const MOST_READS = 10;

/** Reads a document again while its proof is of a later height, so that the two can be compared without another block. */
export function useReadAgain(
  { height, refetch }: { height: number | undefined; refetch: () => unknown },
  provenHeight: number | undefined,
): void {
  const reads = useRef(0);
  useEffect(() => {
    if (height === undefined || provenHeight === undefined) return;
    if (provenHeight <= height || reads.current >= MOST_READS) return;
    reads.current++;
    void refetch();
    // Each pair of heights once: `refetch` is another function in each turn.
  }, [height, provenHeight]);
}
