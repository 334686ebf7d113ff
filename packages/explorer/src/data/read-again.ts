/** If a block comes between a document and its proof, differences prove nothing. */
import { useEffect, useRef } from 'react';

/** Blocks may come faster than reads. */
const MOST_READS = 10;

/** While its proof is of a later height. */
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
