/** From this version on, envelopes may name the genesis hash of their chain. */
export const NAMED_GENESIS = 2;

/** From this version on, orders may declare the kinds of their conditions, and juries seal their votes. */
export const FAIR_WORK = 2;

/**
 * Returns the version of the rules that the block after this state follows.
 * @param state of the key `rules/active`
 */
export function rulesVersionOf({ value, height }: { value: unknown; height: number }): number {
  const active = value as {
    version: number;
    fromHeight: number;
    previousVersion: number;
  } | null;
  if (active === null) return 1;
  return height + 1 >= active.fromHeight ? active.version : active.previousVersion;
}
