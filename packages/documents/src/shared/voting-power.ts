/**
 * Returns the smallest number that can stop the chain together.
 * @param powers of validators or fault domains
 * @param tolerated voting power that a quorum can miss
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

export function powerByDomain(
  validators: readonly { faultDomain: string; votingPower: number }[],
): number[] {
  const powers = new Map<string, number>();
  for (const { faultDomain, votingPower } of validators) {
    powers.set(faultDomain, (powers.get(faultDomain) ?? 0) + votingPower);
  }
  return [...powers.values()];
}
