import { ActorId, ChainPosition, Hash, Height, RecordId } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import type { MemoryCheckpoint } from './memory-checkpoint.ts';

export interface MemoryRecord {
  agentId: string;
  generation: number;
  checkpointId: string;
  checkpointHash: string;
  /** An open handover, or an expired one whose timer is late (see `handoverAt`). */
  openHandoverId: string | null;
  activeRuntime: {
    runtimeId: string;
    providerId: string;
    handoverId: string;
    since: ChainPosition;
  } | null;
}

export interface MemoryCheckpointRecord {
  checkpoint: MemoryCheckpoint;
  committedAt: ChainPosition;
  transitionHash: string;
}

export interface RuntimeOfferRecord {
  runtimeId: string;
  providerId: string;
  endpoint: string;
  serializer: string;
  encryptions: string[];
  maxByteLength: number;
  expiresAtHeight: number;
  /** True once the expiry timer ran, which may be late. Compare heights instead. */
  expired: boolean;
  offeredAt: ChainPosition;
}

export const MemoryHandoverRecord = exactly({
  handoverId: RecordId,
  agentId: ActorId,
  checkpointId: RecordId,
  checkpointHash: Hash,
  generation: Type.Integer(),
  stateRoot: Hash,
  sourceRuntimeId: orNull(RecordId),
  targetProviderId: ActorId,
  targetRuntimeId: RecordId,
  expiresAtHeight: Height,
  status: Type.Enum(['PREPARED', 'TARGET_RESTORED', 'FINALIZED', 'ABORTED']),
  abortCause: orNull(Type.Enum(['AGENT', 'EXPIRY'])),
  preparedAt: ChainPosition,
  restoredAt: orNull(ChainPosition),
  endedAt: orNull(ChainPosition),
});
export type MemoryHandoverRecord = Static<typeof MemoryHandoverRecord>;
