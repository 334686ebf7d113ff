import { deadlineAfter } from '../deadline.ts';
import { slashCandidate } from '../actions/staking/slash-candidate.ts';
import { parseDoubleSigning } from '../observations.ts';
import { positionOf, type SystemTransition } from '../transition.ts';
import { drawValidatorSet, putValidatorSet } from '../validator-set.ts';

export const changeValidatorSet: SystemTransition = {
  summary:
    'A term of validators is over: the set of the next one is drawn from the stake there is.',
  events: ['ValidatorSetChanged'],
  apply({ state, block, chain, policy, emit }) {
    const term = state.get('validator-term', 'current');
    const before = term && state.get('validator-set', String(term.set))?.validatorSet;
    const rules = policy.validatorSet;
    if (!term || !before || !rules) throw new Error('this chain has no terms of validators');
    const drawn = drawValidatorSet(state, chain, rules) ?? before;
    const isOther = drawn.validatorSetHash !== before.validatorSetHash;
    const number = isOther ? term.set + 1 : term.set;
    state.put('validator-term', 'current', {
      lastHeight: block.height + rules.termHeights - 1,
      set: number,
    });
    if (!isOther) return;
    const fromHeight = block.height + 1;
    putValidatorSet(state, { number, fromHeight, validatorSet: drawn });
    const idsOf = (set: typeof drawn) => set.validators.map(({ validatorId }) => validatorId);
    const [now, then] = [idsOf(drawn), idsOf(before)];
    emit('ValidatorSetChanged', {
      height: fromHeight,
      joined: now.filter((id) => !then.includes(id)),
      left: then.filter((id) => !now.includes(id)),
      validatorSetHash: drawn.validatorSetHash,
    });
  },
};

export const missBlock: SystemTransition = {
  summary:
    'A validator has not signed the previous block. If it misses too many in a window, it is jailed, and not drawn until it comes back.',
  events: ['ValidatorJailed'],
  apply({ state, block, policy, emit }, validatorId) {
    const { downtime } = policy.validatorSet ?? {};
    if (!downtime) throw new Error('this chain jails no validators');
    const before = state.get('validator-liveness', validatorId);
    const isNewWindow =
      !before || before.missed === 0 || block.height >= before.windowFrom + downtime.window;
    const missed = isNewWindow ? 1 : before.missed + 1;
    const isJailed = missed > downtime.missed;
    const jailedUntil = isJailed ? deadlineAfter(block, downtime.jail) : null;
    state.put('validator-liveness', validatorId, {
      jailedUntil,
      jailings: (before?.jailings ?? 0) + Number(isJailed),
      lastMissed: block.height,
      missed,
      validatorId,
      windowFrom: isNewWindow ? block.height : before.windowFrom,
    });
    if (jailedUntil) emit('ValidatorJailed', { releaseAt: jailedUntil, validatorId });
  },
};

export const slashDoubleSigner: SystemTransition = {
  summary:
    'The consensus engine has proof that a validator signed twice: a tenth of its bond and of all stake delegated to it goes to the reward pool, once.',
  events: ['ValidatorDoubleSigned'],
  apply(context, subject) {
    const { state, emit } = context;
    const evidence = parseDoubleSigning(subject);
    const candidate = evidence && state.get('validator-candidate', evidence.validatorId);
    if (!evidence || !candidate) throw new Error(`${subject} names no candidate`);
    const { validatorId, kind, engineHeight } = evidence;
    const { slashedBond, slashedStake } = slashCandidate(state, candidate);
    state.put('double-signing', validatorId, {
      engineHeight,
      kind,
      slashedAt: positionOf(context),
      slashedBond,
      slashedStake,
      validatorId,
    });
    emit('ValidatorDoubleSigned', { height: engineHeight, slashedBond, slashedStake, validatorId });
  },
};
