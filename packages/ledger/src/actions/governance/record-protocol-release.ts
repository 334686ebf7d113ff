import { ActorId, Hash, HttpsUri, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import {
  putContribution,
  requireContribution,
  requireStage,
} from '../contributions/contribution.ts';

const MAX_ORIGINS = 8;

export const recordProtocolRelease = defineAction({
  name: 'recordProtocolRelease',
  summary:
    'Record at least two origins that serve the artifact of a release candidate: it then counts as deployed.',
  grant: { GOVERNOR: 'application' },
  payload: exactly({
    governorId: Type.String({ ...ActorId, description: 'The governor who signs.' }),
    releaseId: Type.String({ ...RecordId, description: 'Never used before, by any agent.' }),
    contributionId: RecordId,
    version: Type.String({
      pattern: '^(0|[1-9][0-9]{0,5})(\\.(0|[1-9][0-9]{0,5})){2}(-[0-9A-Za-z.-]{1,32})?$',
      description: 'As in 1.4.0 or 1.4.0-rc.1; once for a component.',
    }),
    artifactHash: Type.String({ ...Hash, description: 'buildHash of the contribution.' }),
    origins: Type.Array(
      exactly({
        uri: HttpsUri,
        artifactHash: Type.String({ ...Hash, description: 'Of what this origin serves.' }),
      }),
      { minItems: 2, maxItems: MAX_ORIGINS, description: 'On hosts that differ.' },
    ),
  }),
  actor: 'governorId',
  errors: [
    'RELEASE_ID_USED',
    'CONTRIBUTION_UNKNOWN',
    'CONTRIBUTION_STATUS',
    'RELEASE_VERSION_USED',
    'RELEASE_ARTIFACT_MISMATCH',
    'RELEASE_ORIGINS_DEPENDENT',
  ],
  events: ['ProtocolReleaseRecorded'],

  check({ state }, { releaseId, contributionId, version, artifactHash, origins }) {
    requireThat(!state.get('release', releaseId), 'RELEASE_ID_USED', '/payload/releaseId');
    const contribution = requireContribution(state, contributionId);
    requireStage(contribution, 'RELEASE_CANDIDATE');
    const { buildHash, targetComponent } = contribution;
    const earlier = state.get('release-version', `${targetComponent}/${version}`);
    requireThat(
      earlier === undefined,
      'RELEASE_VERSION_USED',
      '/payload/version',
      () => `${earlier} has it`,
    );
    requireThat(artifactHash === buildHash, 'RELEASE_ARTIFACT_MISMATCH', '/payload/artifactHash');
    const hosts = new Set<string>();
    for (const [i, origin] of origins.entries()) {
      requireThat(
        origin.artifactHash === artifactHash,
        'RELEASE_ARTIFACT_MISMATCH',
        `/payload/origins/${i}/artifactHash`,
      );
      const host = hostOf(origin.uri);
      requireThat(
        !hosts.has(host),
        'RELEASE_ORIGINS_DEPENDENT',
        `/payload/origins/${i}/uri`,
        () => `${host} is named twice`,
      );
      hosts.add(host);
    }
    return contribution;
  },

  apply(context, payload, contribution) {
    const { state, emit } = context;
    const { governorId, releaseId, contributionId, version, artifactHash, origins } = payload;
    const { authorId, targetComponent } = contribution;
    putContribution(state, contribution, { ...contribution, status: 'DEPLOYED', releaseId });
    state.put('release', releaseId, {
      artifactHash,
      contributionId,
      origins,
      recordedAt: positionOf(context),
      recordedBy: governorId,
      releaseId,
      targetComponent,
      version,
    });
    state.put('release-version', `${targetComponent}/${version}`, releaseId);
    count(state, 'releases', 1);
    emit('ProtocolReleaseRecorded', {
      actorId: governorId,
      agentId: authorId,
      artifactHash,
      contributionId,
      releaseId,
      targetComponent,
      version,
    });
  },
});

function hostOf(uri: string): string {
  return (/^https:\/\/([^/?:]+)/.exec(uri)?.[1] ?? uri).toLowerCase();
}
