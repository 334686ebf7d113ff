import type { RulesScheduleRecord } from '../actions/rules/records.ts';
import { MAX_POSTPONEMENTS, postponedHeights, readyPower } from '../actions/rules/schedule.ts';
import type { WriteContext, SystemTransition } from '../transition.ts';
import { validatorSetAt } from '../validator-set.ts';

/**
 * Must run after `changeValidatorSet`, because the set that signs the next block must be ready for the
 * version.
 */
export const decideRules: SystemTransition = {
  summary:
    'The next block is the height of the scheduled rules. They take effect if a quorum of the validators that sign it announced that they are ready, and the minimum time has passed; otherwise they are postponed, or abandoned after three times.',
  events: ['RulesPostponed', 'RulesAbandoned'],
  apply(context) {
    const { state, block, policy, rules, emit } = context;
    const schedule = state.get('rules-schedule', 'next');
    if (!schedule) throw new Error('no version of the rules is scheduled');
    const { artifactHash, height, postponements, version } = schedule;
    if (isReady(context, schedule)) {
      state.put('rules', 'active', {
        artifactHash,
        fromHeight: block.height + 1,
        previousVersion: rules.version,
        version,
      });
      state.put('rules-schedule', 'next', { ...schedule, decided: true, height: block.height + 1 });
      return;
    }
    if (postponements === MAX_POSTPONEMENTS) {
      state.delete('rules-schedule', 'next');
      emit('RulesAbandoned', { artifactHash, height, rulesVersion: version });
      return;
    }
    const later = block.height + 1 + postponedHeights(policy);
    state.put('rules-schedule', 'next', {
      ...schedule,
      height: later,
      postponements: postponements + 1,
    });
    emit('RulesPostponed', { artifactHash, height: later, rulesVersion: version });
  },
};

function isReady(
  { state, block }: Pick<WriteContext, 'state' | 'block'>,
  schedule: RulesScheduleRecord,
): boolean {
  if (block.time < schedule.notBefore) return false;
  const set = validatorSetAt(state, block.height + 1);
  // A fixed set has no announcements. By scheduling, the operator asserts that all are ready.
  return !set || readyPower(schedule, set) >= set.quorum;
}

export const activateRules: SystemTransition = {
  summary: 'The first block of a version of the rules: the policy gets the members that it adds.',
  events: ['RulesActivated'],
  apply({ state, policy, emit }) {
    const schedule = state.get('rules-schedule', 'next');
    if (!schedule) throw new Error('no version of the rules is scheduled');
    // `policyInForce` gave the block its new policy already.
    if (policy !== state.get('policy', 'limits')) state.put('policy', 'limits', policy);
    state.delete('rules-schedule', 'next');
    const { artifactHash, height, version } = schedule;
    emit('RulesActivated', { artifactHash, height, rulesVersion: version });
  },
};
