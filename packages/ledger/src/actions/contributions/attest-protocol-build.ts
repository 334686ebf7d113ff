import { ActorId, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { positionOf } from '../../transition.ts';
import type { BuildAttestation, ContributionRecord } from './records.ts';
import {
  judgingDeadline,
  MAX_ATTESTATIONS,
  putContribution,
  REQUIRED_GROUPS,
  requireContribution,
  requireIndependent,
  requireStage,
  requireVerifier,
} from './contribution.ts';

export const attestProtocolBuild = defineAction({
  name: 'attestProtocolBuild',
  summary: 'As a verifier, state what building a contribution in an own environment gave.',
  grant: { VERIFIER: 'application' },
  payload: exactly({
    verifierId: Type.String({ ...ActorId, description: 'The verifier who signs.' }),
    contributionId: RecordId,
    result: Type.Enum(['PASS', 'FAIL']),
    buildHash: Type.String({
      ...Hash,
      description: 'The hash of the built artifact or, if the build failed, of its log.',
    }),
    environmentHash: Type.String({
      ...Hash,
      description: 'Commitment to the environment it was built in.',
    }),
  }),
  actor: 'verifierId',
  errors: [
    'CONTRIBUTION_UNKNOWN',
    'CONTRIBUTION_STATUS',
    'VERIFIER_UNKNOWN',
    'VERIFIER_BOND_EMPTY',
    'OWN_CONTRIBUTION',
    'INDEPENDENCE_GROUP_HEARD',
  ],
  events: ['BuildAttested', 'ContributionBuildVerified', 'ContributionChangesRequired'],

  check({ state }, { verifierId, contributionId }) {
    const contribution = requireContribution(state, contributionId);
    requireStage(contribution, 'BUILD_VERIFICATION');
    const verifier = requireVerifier(state, verifierId);
    requireIndependent(state, contribution, verifier, contribution.attestations);
    return { contribution, verifier };
  },

  apply(context, payload, { contribution, verifier }) {
    const { state, emit } = context;
    const { contributionId, ...attested } = payload;
    const attestations: BuildAttestation[] = [
      ...contribution.attestations,
      {
        ...attested,
        independenceGroup: verifier.independenceGroup,
        attestedAt: positionOf(context),
      },
    ];
    const outcome = buildOutcome(attestations);
    putContribution(state, contribution, {
      ...contribution,
      attestations,
      deadline: outcome ? null : judgingDeadline(context, contribution, attestations),
      ...outcome,
    });
    const { authorId: agentId } = contribution;
    emit('BuildAttested', { agentId, ...payload });
    const { buildHash, reason } = outcome ?? {};
    if (buildHash) emit('ContributionBuildVerified', { agentId, buildHash, contributionId });
    if (reason) emit('ContributionChangesRequired', { agentId, contributionId, reason });
  },
});

type BuildOutcome = Partial<Pick<ContributionRecord, 'status' | 'reason' | 'buildHash'>>;

function buildOutcome(attestations: readonly BuildAttestation[]): BuildOutcome | null {
  const saying = (same: (attestation: BuildAttestation) => boolean): boolean =>
    attestations.filter(same).length >= REQUIRED_GROUPS;
  const agreed = attestations.find(
    ({ result, buildHash }) =>
      result === 'PASS' &&
      saying((other) => other.result === 'PASS' && other.buildHash === buildHash),
  );
  if (agreed) return { status: 'SECURITY_REVIEW', buildHash: agreed.buildHash };
  // A failed build needs no agreement on the log.
  if (saying(({ result }) => result === 'FAIL')) {
    return { status: 'CHANGES_REQUIRED', reason: 'BUILD_FAILED' };
  }
  if (attestations.length < MAX_ATTESTATIONS) return null;
  return { status: 'CHANGES_REQUIRED', reason: 'BUILD_NOT_REPRODUCIBLE' };
}
