/** Reads a document again if its proof is of a later height, because then differences prove nothing. */
import { useEffect, useRef } from 'react';

const MOST_READS = 10;

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
  }, [height, provenHeight]);
}
