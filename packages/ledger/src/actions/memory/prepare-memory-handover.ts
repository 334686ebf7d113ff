import { ActorId, Hash, Height, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import type { MemoryCheckpointRecord } from './records.ts';
import { countForAgent } from '../../agent-stats.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import { hasExpired, requireLastHeight } from '../../deadline.ts';
import { positionOf } from '../../transition.ts';
import { expireHandover, handoverAt, MAX_HANDOVER_DISTANCE } from './handover.ts';
import { requireProvider } from './memory.ts';

export const prepareMemoryHandover = defineAction({
  name: 'prepareMemoryHandover',
  summary: 'Ask a runtime provider to restore your latest memory checkpoint, before any switch.',
  grant: { AGENT: 'base' },
  payload: exactly({
    agentId: ActorId,
    handoverId: Type.String({ ...RecordId, description: 'Never used before, by any agent.' }),
    checkpointHash: Type.String({ ...Hash, description: 'Of the latest generation.' }),
    sourceRuntimeId: Type.Optional(
      Type.String({ ...RecordId, description: 'The active runtime, if the chain knows one.' }),
    ),
    targetProviderId: ActorId,
    targetRuntimeId: Type.String({
      ...RecordId,
      description: 'A standing offer of the target provider that fits the checkpoint.',
    }),
    expiresAtHeight: Type.Integer({
      ...Height,
      description: 'The last height at which it can be finalized, at most 20,000 ahead.',
    }),
  }),
  actor: 'agentId',
  bareActor: 'agentId',
  errors: [
    'MEMORY_HANDOVER_ID_USED',
    'MEMORY_CHECKPOINT_NOT_LATEST',
    'MEMORY_HANDOVER_OPEN',
    'MEMORY_HANDOVER_EXPIRED',
    'MEMORY_HANDOVER_EXPIRY_TOO_FAR',
    'MEMORY_SOURCE_RUNTIME_MISMATCH',
    'RUNTIME_PROVIDER_INACTIVE',
    'RUNTIME_OFFER_UNAVAILABLE',
  ],
  events: ['MemoryHandoverPrepared', 'MemoryHandoverExpired'],

  check({ state, block }, payload) {
    const { agentId, handoverId, checkpointHash, sourceRuntimeId, expiresAtHeight } = payload;
    requireThat(
      !state.get('memory-handover', handoverId),
      'MEMORY_HANDOVER_ID_USED',
      '/payload/handoverId',
    );
    const memory = state.get('memory', agentId);
    const latest = memory && state.get('memory-checkpoint', memory.checkpointId);
    requireThat(
      latest && latest.checkpoint.checkpointHash === checkpointHash,
      'MEMORY_CHECKPOINT_NOT_LATEST',
      '/payload/checkpointHash',
    );
    const known = memory.openHandoverId && state.get('memory-handover', memory.openHandoverId);
    const before = known ? handoverAt(known, block.height) : null;
    requireThat(
      !before || before.status === 'ABORTED',
      'MEMORY_HANDOVER_OPEN',
      '/payload/agentId',
      () => `${before?.handoverId} is ${before?.status}`,
    );
    requireLastHeight(expiresAtHeight, block, {
      path: '/payload/expiresAtHeight',
      passed: 'MEMORY_HANDOVER_EXPIRED',
      ahead: { most: MAX_HANDOVER_DISTANCE, tooFar: 'MEMORY_HANDOVER_EXPIRY_TOO_FAR' },
    });
    const active = memory.activeRuntime?.runtimeId;
    requireThat(
      active === undefined || sourceRuntimeId === undefined || sourceRuntimeId === active,
      'MEMORY_SOURCE_RUNTIME_MISMATCH',
      '/payload/sourceRuntimeId',
      () => `the active one is ${active}`,
    );
    requireProvider(state, payload.targetProviderId, '/payload/targetProviderId');
    requireOffer(state, payload, latest, block.height);
    return { memory, latest, expired: before };
  },

  apply(context, payload, { memory, latest, expired }) {
    const { state, emit } = context;
    const { agentId, handoverId, checkpointHash, targetProviderId, targetRuntimeId } = payload;
    const { checkpointId, generation, stateRoot } = latest.checkpoint;
    // Many handovers expired at once, so this one's timer is late.
    if (expired) expireHandover(context, expired);
    state.put('memory-handover', handoverId, {
      abortCause: null,
      agentId,
      checkpointHash,
      checkpointId,
      endedAt: null,
      expiresAtHeight: payload.expiresAtHeight,
      generation,
      handoverId,
      preparedAt: positionOf(context),
      restoredAt: null,
      sourceRuntimeId: payload.sourceRuntimeId ?? memory.activeRuntime?.runtimeId ?? null,
      stateRoot,
      status: 'PREPARED',
      targetProviderId,
      targetRuntimeId,
    });
    state.put('memory', agentId, { ...memory, openHandoverId: handoverId });
    count(state, 'memory-handovers', 1);
    countForAgent(state, agentId, 'handovers');
    count(state, 'open-memory-handovers', 1);
    emit('MemoryHandoverPrepared', {
      actorId: targetProviderId,
      agentId,
      checkpointHash,
      generation,
      handoverId,
      runtimeId: targetRuntimeId,
    });
  },
});

function requireOffer(
  state: ReadableState,
  { targetProviderId, targetRuntimeId }: { targetProviderId: string; targetRuntimeId: string },
  { checkpoint }: MemoryCheckpointRecord,
  height: number,
): void {
  const offer = state.get('runtime-offer', targetRuntimeId);
  const fault =
    offer?.providerId !== targetProviderId
      ? 'the provider offers no such runtime'
      : hasExpired(offer.expiresAtHeight, height)
        ? 'the offer has expired'
        : !offer.encryptions.includes(checkpoint.encryption)
          ? `the runtime does not take ${checkpoint.encryption}`
          : checkpoint.byteLength > offer.maxByteLength
            ? `the runtime takes at most ${offer.maxByteLength} bytes`
            : null;
  requireThat(fault === null, 'RUNTIME_OFFER_UNAVAILABLE', '/payload/targetRuntimeId', fault ?? '');
}
