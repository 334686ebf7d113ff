import { ActorId, Hash } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { validatorRoster } from '../operators/validator-roster.ts';
import { ScheduledVersion } from './records.ts';
import { requireSchedule } from './schedule.ts';

export const announceRules = defineAction({
  name: 'announceRules',
  summary:
    'Announce that the node of a validator has the release for the scheduled rules, or take that back. Without a quorum of announcements they are postponed.',
  grant: { VALIDATOR: 'role' },
  keyOnly: true,
  payload: exactly({
    validatorId: ActorId,
    version: ScheduledVersion,
    artifactHash: Type.String({ ...Hash, description: 'Of the release that is scheduled.' }),
    withdraw: Type.Optional(
      Type.Literal(true, { description: 'Takes an earlier announcement back.' }),
    ),
  }),
  actor: 'validatorId',
  errors: [
    'VALIDATOR_SET_FIXED',
    'RULES_NOT_SCHEDULED',
    'RULES_ALREADY_ANNOUNCED',
    'RULES_NOT_ANNOUNCED',
  ],
  events: ['RulesAnnounced', 'RulesReadinessWithdrawn'],

  check({ state }, { validatorId, version, artifactHash, withdraw = false }) {
    requireThat(
      state.get('validator-term', 'current'),
      'VALIDATOR_SET_FIXED',
      '/payload/validatorId',
    );
    const schedule = requireSchedule(state, { version, artifactHash });
    requireThat(
      schedule.readyIds.includes(validatorId) === withdraw,
      withdraw ? 'RULES_NOT_ANNOUNCED' : 'RULES_ALREADY_ANNOUNCED',
      '/payload/validatorId',
    );
    return schedule;
  },

  apply({ state, emit }, { validatorId, version, artifactHash, withdraw = false }, schedule) {
    // Drop candidates that left, so that the record stays as bounded as the roster.
    const roster = validatorRoster(state);
    const others = schedule.readyIds.filter(
      (readyId) => readyId !== validatorId && roster.includes(readyId),
    );
    const readyIds = withdraw ? others : [...others, validatorId];
    state.put('rules-schedule', 'next', { ...schedule, readyIds });
    emit(withdraw ? 'RulesReadinessWithdrawn' : 'RulesAnnounced', {
      artifactHash,
      rulesVersion: version,
      validatorId,
    });
  },
});
