/** Runs checks in sequence and gives a verdict for each requirement. */
import { CHECKS } from './checks.ts';
import type { Check } from './check.ts';
import { Skip } from './skip.ts';
import { Network, type NetworkOptions } from './network.ts';
import { REQUIREMENTS, type RequirementId } from './requirements.ts';

type Verdict = 'pass' | 'fail' | 'skip';

export interface Outcome {
  title: string;
  proves: readonly RequirementId[];
  verdict: Verdict;
  why: string | null;
  /** The last exchanges of a failed check. */
  seen: string[];
}

export interface Report {
  url: string;
  outcomes: Outcome[];
  /** The worst verdict of each requirement's checks. */
  verdicts: Map<RequirementId, Verdict>;
  passed: boolean;
  /** Method and path of writes that a follower refused and its writer accepted. */
  forwarded: string[];
}

const WORST: Verdict[] = ['fail', 'skip', 'pass'];

/**
 * @param options.only selects checks by the start of their requirements' ids
 * @param options.untilOneFails true to stop after the first failure
 * @param options.onOutcome called with each outcome immediately
 */
export async function runConformance(
  options: NetworkOptions & {
    only?: readonly string[];
    untilOneFails?: boolean;
    onOutcome?: (outcome: Outcome) => void;
  },
): Promise<Report> {
  const { only = [], untilOneFails = false, onOutcome } = options;
  const wanted = ({ proves }: Check): boolean =>
    only.length === 0 || proves.some((id) => only.some((start) => id.startsWith(start)));
  const net = new Network(options);
  const outcomes: Outcome[] = [];
  for (const item of CHECKS.filter(wanted)) {
    const outcome = await judge(item, net);
    outcomes.push(outcome);
    onOutcome?.(outcome);
    if (untilOneFails && outcome.verdict === 'fail') break;
  }
  const verdicts = new Map<RequirementId, Verdict>();
  for (const id of Object.keys(REQUIREMENTS) as RequirementId[]) {
    const found = outcomes.filter(({ proves }) => proves.includes(id));
    const worst = WORST.find((verdict) => found.some((outcome) => outcome.verdict === verdict));
    if (worst) verdicts.set(id, worst);
  }
  const passed = outcomes.length > 0 && outcomes.every(({ verdict }) => verdict !== 'fail');
  return { url: net.url, outcomes, verdicts, passed, forwarded: [...net.http.forwarded] };
}

async function judge({ title, proves, run }: Check, net: Network): Promise<Outcome> {
  net.http.begin();
  try {
    await run(net);
    return { title, proves, verdict: 'pass', why: null, seen: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof Skip) return { title, proves, verdict: 'skip', why, seen: [] };
    return { title, proves, verdict: 'fail', why, seen: net.http.seen() };
  }
}
