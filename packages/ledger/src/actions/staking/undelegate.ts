import { ActorId, Amount } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { deadlineAfter } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { setTimer } from '../../timers.ts';
import { positionOf } from '../../transition.ts';
import {
  delegatorOf,
  MAX_UNBONDINGS,
  putDelegator,
  redeem,
  requireCandidate,
  worthOf,
} from './stake.ts';

export const undelegate = defineAction({
  name: 'undelegate',
  summary:
    'Take stake back from a validator candidate, revoked ones included: it returns to the account after the unbonding delay.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({
    validatorId: ActorId,
    amount: Type.Optional(
      Type.Integer({ ...Amount, description: 'In unet; everything where left out.' }),
    ),
  }),
  errors: ['VALIDATOR_UNKNOWN', 'DELEGATION_UNKNOWN', 'DELEGATION_INSUFFICIENT', 'UNBONDING_LIMIT'],
  events: ['StakeUndelegated'],

  check({ state, authority }, { validatorId, amount = null }) {
    const candidate = requireCandidate(state, validatorId);
    const delegator = delegatorOf(state, authority.actorId);
    const position = delegator.positions.find((held) => held.validatorId === validatorId);
    requireThat(position, 'DELEGATION_UNKNOWN', '/payload/validatorId');
    const worth = worthOf(candidate, position.shares);
    requireThat(
      amount === null || amount <= worth,
      'DELEGATION_INSUFFICIENT',
      '/payload/amount',
      () => `the delegation is worth ${worth} unet`,
    );
    requireThat(
      delegator.unbondings < MAX_UNBONDINGS,
      'UNBONDING_LIMIT',
      '/action',
      () => `an actor has at most ${MAX_UNBONDINGS}`,
    );
    return { candidate, delegator, position, ...redeem(candidate, position.shares, amount) };
  },

  apply(context, { validatorId }, { candidate, delegator, position, shares, amount }) {
    const { state, policy, authority, block, transitionHash, emit } = context;
    const { actorId } = authority;
    const left = position.shares - shares;
    state.put('validator-candidate', validatorId, {
      ...candidate,
      delegated: candidate.delegated - amount,
      shares: candidate.shares - shares,
      delegators: candidate.delegators - (left === 0 ? 1 : 0),
      unbonding: candidate.unbonding + amount,
    });
    putDelegator(state, delegator, {
      ...delegator,
      positions: delegator.positions.flatMap((held) => {
        if (held !== position) return [held];
        return left === 0 ? [] : [{ ...held, shares: left }];
      }),
      unbondings: delegator.unbondings + 1,
    });
    const releaseAt = deadlineAfter(block, policy.operators.unbondingDelay);
    setTimer(state, 'releaseStake', transitionHash, releaseAt);
    state.put('unbonding', transitionHash, {
      actorId,
      amount,
      faultsBefore: candidate.faults,
      releaseAt,
      startedAt: positionOf(context),
      unbondingId: transitionHash,
      validatorId,
    });
    emit('StakeUndelegated', {
      actorId,
      amount,
      releaseAt,
      shares,
      unbondingId: transitionHash,
      validatorId,
    });
  },
});
