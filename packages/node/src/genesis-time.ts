/**
 * When a new chain may begin. Its genesis is dated by the machine's clock and there is no earlier block to compare with, so
 * the only witness is the date of this version: a clock far from it is that of a machine without a battery, or a typing
 * error, and would date the chain for good.
 */
import { MADE_ON } from '@netd/protocol/version';

/** Milliseconds since 1970. */
export interface TimeRange {
  from: number;
  until: number;
}

const YEAR_MILLISECONDS = 365.25 * 86_400_000;
const MADE_AT = Date.parse(MADE_ON);

/** Two years before, because the machine on which a version is made may be ahead; five after, because versions grow old. */
export const GENESIS_TIMES: TimeRange = {
  from: MADE_AT - 2 * YEAR_MILLISECONDS,
  until: MADE_AT + 5 * YEAR_MILLISECONDS,
};

/** Why a new chain does not begin at this time, a sentence for the operator; null where it may. */
export function validateGenesisTime(time: number, { from, until }: TimeRange): string | null {
  if (time >= from && time <= until) return null;
  const [said, earliest, latest] = [time, from, until].map((it) => new Date(it).toISOString());
  return `the clock of this machine says ${said}, and a new chain would be dated by it for good: this version begins chains from ${earliest?.slice(0, 10)} to ${latest?.slice(0, 10)}. Set the clock right, or say --believe-clock`;
}
