import { Hash, Height, RecordId, type JsonObject } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { ScheduledVersion } from './records.ts';
import { MAX_RULES_AHEAD } from './schedule.ts';

/** A schedule is at least this many heights ahead, because the block before its height decides. */
const LEAST_HEIGHTS = 2;

export const scheduleRules = defineAction({
  name: 'scheduleRules',
  summary:
    'Schedule a version of the rules, as an operator or with a release that both chambers enacted: from a height on, blocks follow it.',
  grant: { GOVERNOR: 'role' },
  keyOnly: true,
  payload: exactly({
    version: Type.Integer({ ...ScheduledVersion, description: 'Higher than the active one.' }),
    height: Type.Integer({
      ...Height,
      description:
        'The first block of the version: at least governance.timelock ahead in heights, at most a million. The block before it must also be governance.timelock later in time.',
    }),
    artifactHash: Type.String({
      ...Hash,
      description: 'Of the release that has the version: that of releaseId, if there is one.',
    }),
    releaseId: Type.Optional(
      Type.String({
        ...RecordId,
        description:
          'A release whose contribution is DEPLOYED. From version 2 of the rules on, the contribution must name the version as its rulesVersion. Only operators leave it out.',
      }),
    ),
    policy: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Values for members that the version adds to the policy; the others, and invalid ones, get its defaults.',
        },
      ),
    ),
  }),
  errors: [
    'RULES_VERSION_PAST',
    'RULES_ALREADY_SCHEDULED',
    'RULES_HEIGHT_INVALID',
    'RELEASE_REQUIRED',
    'RELEASE_UNKNOWN',
    'RELEASE_ARTIFACT_MISMATCH',
    'RELEASE_RULES_MISMATCH',
  ],
  events: ['RulesScheduled'],

  check({ state, block, policy, rules, authority }, payload) {
    const { version, height, artifactHash, releaseId } = payload;
    requireThat(
      version > rules.version,
      'RULES_VERSION_PAST',
      '/payload/version',
      () => `the chain has version ${rules.version}`,
    );
    const earlier = state.get('rules-schedule', 'next');
    requireThat(
      !earlier,
      'RULES_ALREADY_SCHEDULED',
      '/payload/version',
      () => `version ${earlier?.version} is, from height ${earlier?.height} on`,
    );
    const { timelock } = policy.governance;
    const first = block.height + Math.max(LEAST_HEIGHTS, timelock.heights);
    const last = block.height + MAX_RULES_AHEAD;
    requireThat(
      first <= height && height <= last,
      'RULES_HEIGHT_INVALID',
      '/payload/height',
      () => `it can be from ${first} to ${last} now`,
    );
    const path = '/payload/releaseId';
    if (releaseId === undefined) {
      requireThat(authority.roles.includes('OPERATOR'), 'RELEASE_REQUIRED', path);
      return;
    }
    const release = state.get('release', releaseId);
    const contribution = release && state.get('contribution', release.contributionId);
    requireThat(release && contribution?.status === 'DEPLOYED', 'RELEASE_UNKNOWN', path);
    requireThat(
      artifactHash === release.artifactHash,
      'RELEASE_ARTIFACT_MISMATCH',
      '/payload/artifactHash',
    );
    // The chambers vote on the version, but contributions on a chain of version 1 cannot name it.
    const { rulesVersion } = contribution;
    requireThat(
      !rules.atLeast(2) || version === rulesVersion,
      'RELEASE_RULES_MISMATCH',
      '/payload/version',
      () => `its contribution names ${rulesVersion === undefined ? 'none' : rulesVersion}`,
    );
  },

  apply(context, { version, height, artifactHash, releaseId = null, policy: values = {} }) {
    const { state, block, policy, authority, emit } = context;
    state.put('rules-schedule', 'next', {
      artifactHash,
      decided: false,
      height,
      notBefore: block.time + policy.governance.timelock.milliseconds,
      policy: values as JsonObject,
      postponements: 0,
      readyIds: [],
      releaseId,
      scheduledAt: positionOf(context),
      scheduledBy: authority.actorId,
      version,
    });
    emit('RulesScheduled', {
      actorId: authority.actorId,
      artifactHash,
      height,
      releaseId,
      rulesVersion: version,
    });
  },
});
