/** What a check is: a title, the requirements it proves, and a run against a network that throws where it fails. */
import type { Network } from './network.ts';
import type { RequirementId } from './requirements.ts';

export interface Check {
  title: string;
  proves: readonly RequirementId[];
  /** @throws Skip where it cannot be run here, anything else where the requirement does not hold */
  run: (net: Network) => Promise<void>;
}

export function check(
  title: string,
  proves: readonly RequirementId[],
  run: (net: Network) => Promise<void>,
): Check {
  return { title, proves, run };
}
