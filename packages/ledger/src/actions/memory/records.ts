import type { ChainPosition } from '@netd/protocol';
import type { MemoryCheckpoint } from './memory-checkpoint.ts';

export interface MemoryRecord {
  agentId: string;
  /** Of the latest checkpoint. */
  generation: number;
  checkpointId: string;
  checkpointHash: string;
  /** Open, or expired with a late timer (see `handoverAt`). */
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
  /** True once the timer ran, which may be late. Compare heights instead. */
  expired: boolean;
  offeredAt: ChainPosition;
}

export interface MemoryHandoverRecord {
  handoverId: string;
  agentId: string;
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
