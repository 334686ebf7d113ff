import { classAccount } from '../../accounting-classes.ts';
import { balanceOf, move } from '../../accounting.ts';
import type { PolicyRecord } from '../../chain-records.ts';
import type { ValidatorCandidateRecord } from '../operators/records.ts';
import { deadlineAfter, isReached, type Now } from '../../deadline.ts';
import { addToTotal } from '../../cumulative-totals.ts';
import type { ReadableState } from '../../state.ts';
import type { WriteContext } from '../../transition.ts';
import { mulDiv, STAKE } from './stake.ts';

const POOL = classAccount('reward-pool');
const MILLION = 1_000_000;

export interface Reward {
  toValidator: number;
  toDelegators: number;
}

export function rewardFor(
  state: ReadableState,
  { staking }: PolicyRecord,
  now: Now,
  { active, faults, nextRewardAt, selfBond, delegated }: ValidatorCandidateRecord,
): Reward | null {
  if (!active || faults > 0 || nextRewardAt === null || !isReached(nextRewardAt, now)) return null;
  const stake = selfBond + delegated;
  const amount = Math.min(
    mulDiv(stake, staking.rewardPpm, MILLION),
    staking.maximumReward,
    balanceOf(state, POOL),
  );
  if (amount === 0) return null;
  const toDelegators = mulDiv(amount, delegated, stake);
  return { toDelegators, toValidator: amount - toDelegators };
}

/**
 * Pays, and starts the next interval. The first heartbeat starts the first interval. Without a reward the
 * interval continues.
 */
export function payReward(
  { state, block, policy }: Pick<WriteContext, 'state' | 'block' | 'policy'>,
  candidate: ValidatorCandidateRecord,
  reward: Reward | null,
): void {
  const { actorId } = candidate;
  if (!reward && candidate.nextRewardAt !== null) return;
  const { toValidator, toDelegators } = reward ?? { toValidator: 0, toDelegators: 0 };
  move(state, POOL, actorId, toValidator);
  move(state, POOL, STAKE, toDelegators);
  addToTotal(state, 'validator-rewards', toValidator);
  addToTotal(state, 'delegator-rewards', toDelegators);
  state.put('validator-candidate', actorId, {
    ...candidate,
    delegated: candidate.delegated + toDelegators,
    nextRewardAt: deadlineAfter(block, policy.staking.rewardInterval),
  });
}
