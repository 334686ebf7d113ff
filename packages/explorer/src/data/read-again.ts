/** A document and its proof are separate requests. If a block comes between them, differences prove nothing. */
import { useEffect, useRef } from 'react';

/** If blocks come faster than reads, more reads do not help. */
const MOST_READS = 10;

/** Reads a document again while its proof is of a later height. */
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
    // Once per pair of heights; `refetch` changes with every render.
  }, [height, provenHeight]);
}
