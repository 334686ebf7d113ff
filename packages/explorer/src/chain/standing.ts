/** How far a proof has come. */
import type { Anchor } from './anchor-rules.ts';

export type Standing =
  | { standing: 'proving' }
  | { standing: 'proven'; height: number; against: Anchor }
  /** `failed`: the node lies, or something is broken. */
  | { standing: 'failed'; reason: string }
  /** `unproven`: no answer could be checked. */
  | { standing: 'unproven'; reason: string };

/** Standings without a complete proof, the worst first. */
const BAD = ['failed', 'unproven', 'proving'] as const;

/** Returns the worst of standings; `proving` if there are none. */
export function worstOf(standings: readonly Standing[]): Standing {
  const worst = BAD.map((bad) => standings.find(({ standing }) => standing === bad)).find(
    (standing) => standing !== undefined,
  );
  return worst ?? standings[0] ?? { standing: 'proving' };
}
