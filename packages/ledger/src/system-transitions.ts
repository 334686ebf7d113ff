/** Every kind of system transition and every rule that makes them, in the order in which they open a block. */
import {
  GOVERNANCE_SYSTEM_KINDS,
  GOVERNANCE_SYSTEM_RULES,
} from './actions/governance/deadlines.ts';
import { STAKING_SYSTEM_KINDS, STAKING_SYSTEM_RULES } from './actions/staking/unbonding.ts';
import { WORK_SYSTEM_KINDS, WORK_SYSTEM_RULES } from './actions/work/deadlines.ts';
import type { SystemRule } from './system-rule.ts';

export const SYSTEM_KINDS = {
  ...WORK_SYSTEM_KINDS,
  ...STAKING_SYSTEM_KINDS,
  ...GOVERNANCE_SYSTEM_KINDS,
} as const;
export type SystemKindName = keyof typeof SYSTEM_KINDS;

export const SYSTEM_RULES: readonly SystemRule<SystemKindName>[] = [
  ...WORK_SYSTEM_RULES,
  ...STAKING_SYSTEM_RULES,
  ...GOVERNANCE_SYSTEM_RULES,
];

/** System transitions in one block at most: room that envelopes leave them. */
export const MAX_SYSTEM_TRANSITIONS = SYSTEM_RULES.reduce((sum, { limit }) => sum + limit, 0);
