import { ActorId, Hash, HttpsUri } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import {
  WALLET_CHANNELS,
  WalletVersion,
  type WalletAttestation,
  type WalletDistributionRecord,
} from './records.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { requireAuditor } from '../operators/auditor.ts';
import { statusOf } from './wallet.ts';

export const MAX_ATTESTATIONS = 16;

export const attestWalletDistribution = defineAction({
  name: 'attestWalletDistribution',
  summary: 'Attest which wallet build you found published on a channel.',
  grant: { AUDITOR: 'application' },
  payload: exactly({
    auditorId: ActorId,
    channel: Type.Enum([...WALLET_CHANNELS], {
      description: 'The address at which it is published.',
    }),
    version: WalletVersion,
    artifactHash: Type.String({ ...Hash, description: 'SHA-256 of the build as downloaded.' }),
    uri: Type.String({ ...HttpsUri, description: 'The address at which it was found.' }),
    evidenceHash: Type.String({ ...Hash, description: 'Commitment to the evidence.' }),
  }),
  actor: 'auditorId',
  errors: ['AUDITOR_UNKNOWN', 'WALLET_ATTESTATION_EXISTS', 'WALLET_ATTESTATION_LIMIT'],
  events: ['WalletDistributionAttested', 'WalletChannelAttested', 'WalletChannelConflicting'],

  check({ state }, { auditorId, channel, version }) {
    const { independenceGroup } = requireAuditor(state, auditorId);
    const known = state.get('wallet-distribution', `${channel}:${version}`);
    const attestations = known?.attestations ?? [];
    requireThat(
      !attestations.some((one) => one.independenceGroup === independenceGroup),
      'WALLET_ATTESTATION_EXISTS',
      '/payload/version',
    );
    requireThat(
      attestations.length < MAX_ATTESTATIONS,
      'WALLET_ATTESTATION_LIMIT',
      '/payload/version',
    );
    return { known, independenceGroup, attestations };
  },

  apply(context, payload, plan) {
    const { state, transitionHash, emit } = context;
    const { auditorId, channel, version, artifactHash, uri, evidenceHash } = payload;
    const { known, independenceGroup } = plan;
    const attestedAt = positionOf(context);
    const attestation: WalletAttestation = {
      artifactHash,
      attestedAt,
      auditorId,
      evidenceHash,
      independenceGroup,
      transitionHash,
      uri,
    };
    const attestations = [...plan.attestations, attestation];
    const found = statusOf(attestations);
    const distribution: WalletDistributionRecord = {
      channel,
      version,
      ...found,
      attestations,
      firstAttestedAt: known?.firstAttestedAt ?? attestedAt,
    };
    if (!known) count(state, 'wallet-distributions', 1);
    state.put('wallet-distribution', `${channel}:${version}`, distribution);
    emit('WalletDistributionAttested', {
      actorId: auditorId,
      artifactHash,
      channel,
      independenceGroup,
      status: found.status,
      version,
    });
    if (found.status === (known?.status ?? 'PENDING')) return;
    const auditorIds = attestations.map((one) => one.auditorId);
    const standing = state.get('wallet-channel', channel);
    if (found.artifactHash !== null) {
      if (!standing) count(state, 'wallet-channels-attested', 1);
      state.put('wallet-channel', channel, {
        artifactHash: found.artifactHash,
        attestedAt,
        channel,
        version,
      });
      emit('WalletChannelAttested', {
        artifactHash: found.artifactHash,
        auditorIds,
        channel,
        version,
      });
      return;
    }
    // Users may get either build, so the channel stops counting until a later version is attested.
    if (standing?.version === version) {
      state.delete('wallet-channel', channel);
      count(state, 'wallet-channels-attested', -1);
    }
    emit('WalletChannelConflicting', { auditorIds, channel, version });
  },
});
