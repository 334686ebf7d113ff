import { ActorId, Amount } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { move, requireBalance } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { addToTotal } from '../../cumulative-totals.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import {
  delegatorOf,
  MAX_DELEGATIONS,
  putDelegator,
  requireCandidate,
  sharesFor,
  STAKE,
} from './stake.ts';

export const delegate = defineAction({
  name: 'delegate',
  summary:
    'Put NET at stake with a validator candidate: it shares in its rewards, and in what evidence takes.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({ validatorId: ActorId, amount: Amount }),
  spends: { member: 'amount', amount: ({ amount }) => amount },
  errors: [
    'VALIDATOR_UNKNOWN',
    'VALIDATOR_INACTIVE',
    'VALIDATOR_FAULTY',
    'DELEGATION_TOO_SMALL',
    'DELEGATION_LIMIT',
    'INSUFFICIENT_BALANCE',
  ],
  events: ['StakeDelegated'],

  check({ state, policy, authority }, { validatorId, amount }) {
    const path = '/payload/validatorId';
    const candidate = requireCandidate(state, validatorId);
    requireThat(candidate.active, 'VALIDATOR_INACTIVE', path);
    // After a fault a unet would buy more than one share. Refusing keeps the shares below the supply.
    requireThat(candidate.faults <= 0, 'VALIDATOR_FAULTY', path);
    const minimum = policy.staking.minimumDelegation;
    const shares = sharesFor(candidate, amount);
    requireThat(
      amount >= minimum && shares !== 0,
      'DELEGATION_TOO_SMALL',
      '/payload/amount',
      () =>
        `it takes at least ${minimum} unet, and one share of ${candidate.delegated}/${candidate.shares} unet`,
    );
    const delegator = delegatorOf(state, authority.actorId);
    const position = delegator.positions.find((held) => held.validatorId === validatorId);
    requireThat(
      position || delegator.positions.length < MAX_DELEGATIONS,
      'DELEGATION_LIMIT',
      path,
      () => `an actor delegates to at most ${MAX_DELEGATIONS}`,
    );
    requireBalance(state, authority.actorId, amount);
    return { candidate, delegator, position, shares };
  },

  apply(context, { validatorId, amount }, plan) {
    const { state, authority, emit } = context;
    const { candidate, delegator, position, shares } = plan;
    const { actorId } = authority;
    move(state, actorId, STAKE, amount);
    state.put('validator-candidate', validatorId, {
      ...candidate,
      delegated: candidate.delegated + amount,
      shares: candidate.shares + shares,
      delegators: candidate.delegators + (position ? 0 : 1),
    });
    const others = delegator.positions.filter((held) => held !== position);
    const since = position?.since ?? positionOf(context);
    const next = { shares: (position?.shares ?? 0) + shares, since, validatorId };
    putDelegator(state, delegator, {
      ...delegator,
      positions: [...others, next].toSorted((a, b) => (a.validatorId < b.validatorId ? -1 : 1)),
    });
    addToTotal(state, 'delegated', amount);
    emit('StakeDelegated', { actorId, amount, shares, validatorId });
  },
});
