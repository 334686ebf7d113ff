import type { ValidatorSet } from '@netd/protocol';
import type { PolicyRecord } from '../../chain-records.ts';
import { requireThat } from '../../rule-error.ts';
import { grownPolicy } from '../../rules.ts';
import type { ReadableState } from '../../state.ts';
import type { RulesScheduleRecord } from './records.ts';

/** A schedule is at most this many heights ahead, so that it cannot block others for good. */
export const MAX_RULES_AHEAD = 1_000_000;
/** Postponements allowed. The next failure abandons the schedule. */
export const MAX_POSTPONEMENTS = 3;
const POSTPONED_HEIGHTS = 1_000;

export const postponedHeights = ({ validatorSet }: PolicyRecord): number =>
  validatorSet?.termHeights ?? POSTPONED_HEIGHTS;

export function requireSchedule(
  state: ReadableState,
  { version, artifactHash }: { version: number; artifactHash?: string },
): RulesScheduleRecord {
  const schedule = state.get('rules-schedule', 'next');
  requireThat(
    schedule && !schedule.decided && schedule.version === version,
    'RULES_NOT_SCHEDULED',
    '/payload/version',
    () => {
      if (!schedule) return 'none is';
      return schedule.version === version
        ? 'it takes effect with the next block'
        : `${schedule.version} is`;
    },
  );
  requireThat(
    artifactHash === undefined || artifactHash === schedule.artifactHash,
    'RULES_NOT_SCHEDULED',
    '/payload/artifactHash',
    () => `its release has ${schedule.artifactHash}`,
  );
  return schedule;
}

export function readyPower(
  { readyIds }: Pick<RulesScheduleRecord, 'readyIds'>,
  set: ValidatorSet,
): number {
  return set.validators
    .filter(({ validatorId }) => readyIds.includes(validatorId))
    .reduce((sum, { votingPower }) => sum + votingPower, 0);
}

/** Returns the policy of a height, with the members that a version adds at this height. */
export function policyInForce(
  state: ReadableState,
  height: number,
  policy: PolicyRecord,
): PolicyRecord {
  const schedule = state.get('rules-schedule', 'next');
  const active = state.get('rules', 'active');
  if (!schedule?.decided || !active || height < active.fromHeight) return policy;
  const { previousVersion: from, version: to } = active;
  return grownPolicy(policy, { from, to, values: schedule.policy });
}
