/** What the state holds of portable memory and runtimes. */
import type { ChainPosition } from '@netd/protocol';
import type { MemoryCheckpoint } from './memory-checkpoint.ts';

export interface MemoryRecord {
  agentId: string;
  /** The latest checkpoint. */
  generation: number;
  checkpointId: string;
  checkpointHash: string;
  /** The handover that is under way, or has just expired: of many that expire at once some end a block later (handoverAt). */
  openHandoverId: string | null;
  activeRuntime: {
    runtimeId: string;
    providerId: string;
    handoverId: string;
    since: ChainPosition;
  } | null;
}

export interface MemoryCheckpointRecord {
  /** The checkpoint as it was signed. */
  checkpoint: MemoryCheckpoint;
  committedAt: ChainPosition;
  transitionHash: string;
}

/** An offer of a provider to run agents. */
export interface RuntimeOfferRecord {
  runtimeId: string;
  providerId: string;
  endpoint: string;
  serializer: string;
  encryptions: string[];
  maxByteLength: number;
  expiresAtHeight: number;
  /** Whether `RuntimeOfferExpired` has told of it, a block later where many expire at once: compare heights instead. */
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
