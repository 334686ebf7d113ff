/** Rewards of validator candidates: from the reward pool only, with a heartbeat, at most one an interval. */
import { balanceOf, classAccount, move } from '../../accounting.ts';
import type { BlockContext } from '../../action.ts';
import type { PolicyRecord } from '../../chain-records.ts';
import type { ValidatorCandidateRecord } from '../operators/records.ts';
import { addToFlow } from '../../flows.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { isReached } from '../work/order.ts';
import { mulDiv, STAKE } from './stake.ts';

const POOL = classAccount('reward-pool');
const MILLION = 1_000_000;

export interface Reward {
  /** In unet, to the account of the validator. */
  toValidator: number;
  /** In unet, into the pool of its delegators. */
  toDelegators: number;
}

/** What a heartbeat in this block earns a candidate; null where nothing. */
export function rewardFor(
  state: ReadableState,
  { staking }: PolicyRecord,
  block: BlockContext,
  { active, faults, rewardedAt, selfBond, delegated }: ValidatorCandidateRecord,
): Reward | null {
  if (!active || faults > 0 || rewardedAt === null) return null;
  const { heights, milliseconds } = staking.rewardInterval;
  const next = { height: rewardedAt.height + heights, time: rewardedAt.time + milliseconds };
  if (!isReached(next, block)) return null;
  const stake = selfBond + delegated;
  const amount = Math.min(
    mulDiv(stake, staking.rewardPpm, MILLION),
    staking.maximumReward,
    balanceOf(state, POOL),
  );
  if (amount === 0) return null;
  const toDelegators = mulDiv(amount, delegated, stake);
  return { toValidator: amount - toDelegators, toDelegators };
}

/** The candidate after its heartbeat. The first one starts the interval; without a reward the interval goes on. */
export function payReward(
  state: WritableState,
  block: BlockContext,
  candidate: ValidatorCandidateRecord,
  reward: Reward | null,
): void {
  const { actorId } = candidate;
  if (!reward && candidate.rewardedAt !== null) return;
  const { toValidator, toDelegators } = reward ?? { toValidator: 0, toDelegators: 0 };
  move(state, POOL, actorId, toValidator);
  move(state, POOL, STAKE, toDelegators);
  addToFlow(state, 'validator-rewards', toValidator);
  addToFlow(state, 'delegator-rewards', toDelegators);
  state.put('validator-candidate', actorId, {
    ...candidate,
    delegated: candidate.delegated + toDelegators,
    rewardedAt: { height: block.height, time: block.time },
  });
}
