import { stakeOf, unbondingWorth, worthOf } from '@netd/ledger';
import { Unet, ActorId, ChainPosition, Hash } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Deadline, deadlineView } from '../shared/deadline.ts';

export const AccountStake = exactly({
  bonded: Type.Integer({
    ...Unet,
    description: 'Delegations at their worth and an own bond as a validator candidate.',
  }),
  delegations: Type.Array(
    exactly({
      validatorId: ActorId,
      shares: Unet,
      worth: Unet,
      since: ChainPosition,
    }),
  ),
  unbondings: Type.Array(
    exactly({
      unbondingId: Hash,
      validatorId: ActorId,
      amount: Unet,
      worth: Unet,
      startedAt: ChainPosition,
      releaseAt: Deadline,
    }),
  ),
});

export function accountStake(snapshot: Snapshot, accountId: string): Static<typeof AccountStake> {
  const delegator = snapshot.get('delegator', accountId);
  const waiting = delegator?.unbondings ?? 0;
  const unbondings =
    waiting === 0
      ? []
      : snapshot.list('unbonding', 'unbondings-by-delegator', {
          value: accountId,
          limit: waiting,
        }).items;
  return {
    bonded: stakeOf(snapshot, accountId),
    delegations: (delegator?.positions ?? []).map(({ validatorId, shares, since }) => {
      const pool = snapshot.get('validator-candidate', validatorId);
      return { validatorId, shares, worth: pool ? worthOf(pool, shares) : 0, since };
    }),
    unbondings: unbondings.map((unbonding) => {
      const { unbondingId, validatorId, amount, startedAt, releaseAt } = unbonding;
      const worth = unbondingWorth(snapshot, unbonding);
      return {
        unbondingId,
        validatorId,
        amount,
        worth,
        startedAt,
        releaseAt: deadlineView(releaseAt),
      };
    }),
  };
}
