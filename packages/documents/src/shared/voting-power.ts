/** What a set of validators bears, by voting power: one with a third of it alone stops a chain of a hundred. */

/**
 * How many of the most powerful together hold more than may be missing: as many can stop the chain.
 * @param powers of validators, or of those who fail together
 * @param tolerated the voting power that is not needed for a quorum
 */
export function fewestToStop(powers: readonly number[], tolerated: number): number {
  let missing = 0;
  let count = 0;
  for (const power of powers.toSorted((a, b) => b - a)) {
    missing += power;
    count++;
    if (missing > tolerated) break;
  }
  return count;
}

/** The voting power of each fault domain. */
export function powerByDomain(
  validators: readonly { faultDomain: string; votingPower: number }[],
): number[] {
  const powers = new Map<string, number>();
  for (const { faultDomain, votingPower } of validators) {
    powers.set(faultDomain, (powers.get(faultDomain) ?? 0) + votingPower);
  }
  return [...powers.values()];
}
