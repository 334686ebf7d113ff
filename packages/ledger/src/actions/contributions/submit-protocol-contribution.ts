import { ActorId, Hash, HttpsUri, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import type { ContributionRecord } from './records.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import { positionOf } from '../../transition.ts';
import { standingProposal } from '../../standing-proposal.ts';
import { ScheduledVersion } from '../rules/records.ts';
import {
  isOnItsWay,
  MAX_OPEN_CONTRIBUTIONS,
  putContribution,
  requireContribution,
} from './contribution.ts';

export const submitProtocolContribution = defineAction({
  name: 'submitProtocolContribution',
  summary:
    'Offer a change to the protocol, or a revision of your own: commitments only, never fetched or executed.',
  grant: { AGENT: 'base' },
  payload: exactly({
    agentId: Type.String({ ...ActorId, description: 'The author, who signs.' }),
    contributionId: Type.String({ ...RecordId, description: 'Never used before, by any agent.' }),
    title: Type.String({ minLength: 1, maxLength: 140, description: 'Public.' }),
    targetComponent: Type.String({
      ...RecordId,
      title: 'ShortId',
      maxLength: 64,
      description: 'The part of the protocol it changes.',
    }),
    license: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9.+() -]{0,63}$',
      description: 'An SPDX licence expression.',
    }),
    contentHash: Type.String({ ...Hash, description: 'Of the content, as the author packs it.' }),
    manifestHash: Type.String({
      ...Hash,
      description: 'Of the manifest that says how to build.',
    }),
    sourceUri: Type.String({ ...HttpsUri, description: 'Where people find the content.' }),
    supersedes: Type.Optional(
      Type.String({ ...RecordId, description: 'The own contribution that this one revises.' }),
    ),
    rulesVersion: Type.Optional(
      Type.Integer({
        ...ScheduledVersion,
        description:
          'The version of the rules that its release may schedule, and no other. Without it, the release schedules none.',
      }),
    ),
  }),
  memberSpans: { rulesVersion: { since: 2 } },
  actor: 'agentId',
  bareActor: 'agentId',
  errors: [
    'CONTRIBUTION_ID_USED',
    'CONTRIBUTION_UNKNOWN',
    'NOT_CONTRIBUTION_AUTHOR',
    'CONTRIBUTION_STATUS',
    'CONTRIBUTION_UNDER_VOTE',
    'CONTRIBUTION_CONTENT_TAKEN',
    'CONTRIBUTION_LIMIT_REACHED',
  ],
  events: ['ContributionSubmitted', 'ContributionChangesRequired'],

  check({ state }, { agentId, contributionId, contentHash, supersedes }) {
    requireThat(
      !state.get('contribution', contributionId),
      'CONTRIBUTION_ID_USED',
      '/payload/contributionId',
    );
    const revised = supersedes === undefined ? null : requireRevisable(state, agentId, supersedes);
    requireFreshContent(state, agentId, contentHash, supersedes);
    const open = state.get('open-contributions', agentId) ?? 0;
    const freed = revised && isOnItsWay(revised.status) ? 1 : 0;
    requireThat(
      open - freed < MAX_OPEN_CONTRIBUTIONS,
      'CONTRIBUTION_LIMIT_REACHED',
      '/payload/agentId',
      () => `an agent has at most ${MAX_OPEN_CONTRIBUTIONS}`,
    );
    return revised;
  },

  apply(context, payload, revised) {
    const { state, emit } = context;
    const { agentId, contributionId, contentHash, supersedes = null, ...described } = payload;
    if (revised) {
      putContribution(state, revised, {
        ...revised,
        deadline: null,
        status: 'CHANGES_REQUIRED',
        reason: revised.reason ?? 'SUPERSEDED',
        supersededBy: contributionId,
      });
      if (revised.status !== 'CHANGES_REQUIRED') {
        emit('ContributionChangesRequired', {
          agentId,
          contributionId: revised.contributionId,
          reason: 'SUPERSEDED',
        });
      }
    }
    putContribution(state, null, {
      ...described,
      contributionId,
      authorId: agentId,
      contentHash,
      supersedes,
      supersededBy: null,
      status: 'BUILD_VERIFICATION',
      reason: null,
      attestations: [],
      reviews: [],
      deadline: null,
      buildHash: null,
      releaseId: null,
      receipts: 0,
      submittedAt: positionOf(context),
    });
    state.put('contribution-content', contentHash, contributionId);
    emit('ContributionSubmitted', { agentId, contentHash, contributionId, supersedes });
  },
});

function requireRevisable(
  state: ReadableState,
  agentId: string,
  contributionId: string,
): ContributionRecord {
  const path = '/payload/supersedes';
  const revised = requireContribution(state, contributionId, path);
  requireThat(revised.authorId === agentId, 'NOT_CONTRIBUTION_AUTHOR', path);
  const { status, supersededBy } = revised;
  requireThat(
    supersededBy === null,
    'CONTRIBUTION_STATUS',
    path,
    () => `it was superseded by ${supersededBy}`,
  );
  requireThat(
    status !== 'RELEASE_CANDIDATE' && status !== 'DEPLOYED',
    'CONTRIBUTION_STATUS',
    path,
    () => `it is ${status}`,
  );
  const proposal = standingProposal(state, 'PROTOCOL_CONTRIBUTION', contributionId);
  requireThat(
    !proposal,
    'CONTRIBUTION_UNDER_VOTE',
    path,
    () => `${proposal?.proposalId} is ${proposal?.status}`,
  );
  return revised;
}

/**
 * Accepts known content only from its author, and only if its earlier contribution ended without a release.
 */
function requireFreshContent(
  state: ReadableState,
  agentId: string,
  contentHash: string,
  supersedes: string | undefined,
): void {
  const known = state.get('contribution-content', contentHash);
  const earlier = known === undefined ? undefined : state.get('contribution', known);
  if (!earlier || earlier.contributionId === supersedes) return;
  requireThat(
    earlier.authorId === agentId && earlier.status === 'CHANGES_REQUIRED',
    'CONTRIBUTION_CONTENT_TAKEN',
    '/payload/contentHash',
    () => `${earlier.contributionId} has it`,
  );
}
