import type { ChainPosition } from '@netd/protocol';
import type { MemoryCheckpoint } from './memory-checkpoint.ts';

export interface MemoryRecord {
  agentId: string;
  /** Of the latest checkpoint, like the id and hash below. */
  generation: number;
  checkpointId: string;
  checkpointHash: string;
  /** The open handover, or an expired one whose timer is late (see `handoverAt`). */
  openHandoverId: string | null;
  activeRuntime: {
    runtimeId: string;
    providerId: string;
    handoverId: string;
    since: ChainPosition;
  } | null;
}

export interface MemoryCheckpointRecord {
  /** As it was signed. */
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
  /**
   * True once `RuntimeOfferExpired` was emitted, perhaps blocks after the last height. Compare heights
   * instead.
   */
  expired: boolean;
  offeredAt: ChainPosition;
}

export interface MemoryHandoverRecord {
  handoverId: string;
  agentId: string;
  /** The checkpoint to restore. */
  checkpointId: string;
  checkpointHash: string;
  generation: number;
  stateRoot: string;
  sourceRuntimeId: string | null;
  targetProviderId: string;
  targetRuntimeId: string;
  expiresAtHeight: number;
  status: 'PREPARED' | 'TARGET_RESTORED' | 'FINALIZED' | 'ABORTED';
  abortCause: 'AGENT' | 'EXPIRY' | null;
  preparedAt: ChainPosition;
  restoredAt: ChainPosition | null;
  endedAt: ChainPosition | null;
}
