/** A check: a title, the requirements that it proves, and a run that throws on failure. */
import type { Network } from './network.ts';
import type { RequirementId } from './requirements.ts';

export interface Check {
  title: string;
  proves: readonly RequirementId[];
  /** @throws Skip if it cannot run here, anything else if the requirement does not hold */
  run: (net: Network) => Promise<void>;
}

export function check(
  title: string,
  proves: readonly RequirementId[],
  run: (net: Network) => Promise<void>,
): Check {
  return { title, proves, run };
}
