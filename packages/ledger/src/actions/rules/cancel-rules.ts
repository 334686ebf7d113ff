import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { ScheduledVersion } from './records.ts';
import { requireSchedule } from './schedule.ts';

export const cancelRules = defineAction({
  name: 'cancelRules',
  summary:
    'Cancel a scheduled version of the rules, as an operator or as the one who scheduled it, until two blocks before its height.',
  grant: { GOVERNOR: 'role' },
  keyOnly: true,
  payload: exactly({
    version: ScheduledVersion,
  }),
  errors: ['RULES_NOT_SCHEDULED', 'RULES_SCHEDULED_BY_ANOTHER'],
  events: ['RulesCancelled'],

  check({ state, authority }, { version }) {
    const schedule = requireSchedule(state, { version });
    requireThat(
      authority.roles.includes('OPERATOR') || schedule.scheduledBy === authority.actorId,
      'RULES_SCHEDULED_BY_ANOTHER',
      '/payload/version',
      () => `${schedule.scheduledBy} did`,
    );
    return schedule;
  },

  apply({ state, authority, emit }, _payload, { artifactHash, height, version }) {
    state.delete('rules-schedule', 'next');
    emit('RulesCancelled', {
      actorId: authority.actorId,
      artifactHash,
      height,
      rulesVersion: version,
    });
  },
});
