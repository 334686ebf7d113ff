/** Proofs that the SDK checks in this browser. All places that show one share it, even if it failed. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { VerifiedBlock } from '@netd/sdk/core';
import type { Anchor } from './anchor-rules.ts';
import { useAnchor } from './anchor.ts';
import type { ReadMeta } from './client.ts';
import type { ProofKind, Proofs } from './prover.ts';
import { worstOf, type Standing } from './standing.ts';

export type { ProofKind, Proofs };

export interface Proof<Kind extends ProofKind> {
  standing: Standing;
  proven: Proofs[Kind] | undefined;
}

const proofOf = <Kind extends ProofKind>(
  kind: Kind,
  id: string,
  anchor: Anchor | null,
  refreshed: number | string = 0,
) =>
  queryOptions({
    queryKey: ['proof', kind, id, refreshed, anchor?.genesisHash],
    queryFn: async () => {
      const { prove } = await import('./prover.ts');
      return (await prove(anchor as Anchor, kind, id)) as Proofs[Kind];
    },
    enabled: anchor !== null && id !== '',
    retry: false,
    staleTime: Infinity,
    meta: { pace: 'fixed' } satisfies ReadMeta,
  });

/** @param refreshed repeats the proof when this value changes, for example the height on display */
export function useProof<Kind extends ProofKind>(
  kind: Kind,
  id: string,
  refreshed: number | string = 0,
): Proof<Kind> {
  const anchor = useAnchor();
  const found = useQuery({
    ...proofOf(kind, id, anchor, refreshed),
    placeholderData: (before, query) =>
      query?.queryKey[2] === id && query.queryKey[4] === anchor?.genesisHash ? before : undefined,
  });
  return { standing: standingOf(found, anchor), proven: found.data };
}

interface BlockProofs {
  /** The worst standing of all blocks. */
  standing: Standing;
  proven: ReadonlyMap<number, VerifiedBlock>;
}

/** Number of blocks to check at first, and per request for more. */
export const BLOCKS_AT_ONCE = 20;

/** @param heights of blocks, each read and checked once. If there are none, the standing is `proving`. */
export function useBlockProofs(heights: readonly number[]): BlockProofs {
  const anchor = useAnchor();
  const requests = Array.from({ length: Math.ceil(heights.length / BLOCKS_AT_ONCE) }, (_, at) =>
    heights.slice(at * BLOCKS_AT_ONCE, (at + 1) * BLOCKS_AT_ONCE),
  );
  return useQueries({
    queries: requests.map((some) => proofOf('blocks', some.join(), anchor)),
    combine: (found) => {
      return {
        standing: worstOf(found.map((one) => standingOf(one, anchor))),
        proven: new Map(
          found.flatMap(({ data = [] }) => data.map((block) => [block.header.height, block])),
        ),
      };
    },
  });
}

/** Milliseconds between two checks of the newest block while the page is visible. */
const HEAD_EVERY = 15_000;

/** Checks the certificate of the newest block periodically. The last result stays until the next one. */
export function useHead(): Proof<'head'> {
  const anchor = useAnchor();
  const found = useQuery({
    queryKey: ['proof', 'head', anchor?.genesisHash],
    queryFn: async () => {
      const { prove } = await import('./prover.ts');
      return (await prove(anchor as Anchor, 'head', 'newest')) as Proofs['head'];
    },
    enabled: anchor !== null,
    retry: false,
    refetchInterval: HEAD_EVERY,
    staleTime: HEAD_EVERY,
    meta: { pace: 'fixed' } satisfies ReadMeta,
  });
  return { standing: standingOf(found, anchor), proven: found.data };
}

function standingOf(
  { data, error }: { data: Proofs[ProofKind] | undefined; error: Error | null },
  anchor: Anchor | null,
): Standing {
  if (anchor === null) return { standing: 'proving' };
  if (error) {
    const isLie = error.name === 'VerificationError' || error.name === 'StaleStateError';
    return { standing: isLie ? 'failed' : 'unproven', reason: error.message };
  }
  if (data === undefined) return { standing: 'proving' };
  return { standing: 'proven', height: heightOf(data), against: anchor };
}

function heightOf(proven: Proofs[ProofKind]): number {
  if ('receipt' in proven) return proven.receipt.height;
  if ('header' in proven) return proven.header.height;
  return 'height' in proven ? proven.height : Math.max(...proven.map(heightOf));
}
