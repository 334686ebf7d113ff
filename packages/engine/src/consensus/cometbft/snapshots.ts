import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import {
  canonicalize,
  COMMIT_SCHEME,
  hexToBytes,
  sha256Hex,
  utf8Bytes,
  type FinalityCertificate,
  type StateCheckpoint,
} from '@netd/protocol';
import { checkpointsIn } from '../../chain/checkpoints.ts';
import type { Store } from '../../store/store.ts';
import {
  ResponseApplySnapshotChunk_Result as Applied,
  ResponseOfferSnapshot_Result as Offered,
  type RequestApplySnapshotChunk,
  type RequestListSnapshots,
  type RequestLoadSnapshotChunk,
  type RequestOfferSnapshot,
  type ResponseApplySnapshotChunkSchema,
  type ResponseListSnapshotsSchema,
  type ResponseLoadSnapshotChunkSchema,
  type ResponseOfferSnapshotSchema,
} from './wire/abci_pb.js';

export const SNAPSHOT_FORMAT = 1;

type Answer<Schema extends DescMessage> =
  MessageInitShape<Schema> | Promise<MessageInitShape<Schema>>;

export interface SnapshotCalls {
  readonly listSnapshots: (
    request: RequestListSnapshots,
  ) => Answer<typeof ResponseListSnapshotsSchema>;
  readonly offerSnapshot: (
    request: RequestOfferSnapshot,
  ) => Answer<typeof ResponseOfferSnapshotSchema>;
  readonly loadSnapshotChunk: (
    request: RequestLoadSnapshotChunk,
  ) => Answer<typeof ResponseLoadSnapshotChunkSchema>;
  readonly applySnapshotChunk: (
    request: RequestApplySnapshotChunk,
  ) => Answer<typeof ResponseApplySnapshotChunkSchema>;
}

export const NO_SNAPSHOTS: SnapshotCalls = {
  listSnapshots: () => ({}),
  offerSnapshot: () => ({ result: Offered.REJECT }),
  loadSnapshotChunk: () => ({}),
  applySnapshotChunk: () => ({ result: Applied.ABORT }),
};

/** Returns the CometBFT height that executed the block; null without a CometBFT certificate. */
export const engineHeightOf = (certificate: FinalityCertificate): number | null =>
  certificate.scheme === COMMIT_SCHEME ? certificate.commit.header.height - 1 : null;

export interface SnapshotParts {
  directory: string;
  store: Store;
  decidedHeight: () => number;
  onAsked: () => void;
  onRead: (checkpointHash: string) => void;
}

export class CheckpointSnapshots implements SnapshotCalls {
  readonly offerSnapshot = NO_SNAPSHOTS.offerSnapshot;
  readonly applySnapshotChunk = NO_SNAPSHOTS.applySnapshotChunk;
  private readonly parts: SnapshotParts;
  private known = new Map<number, StateCheckpoint>();

  constructor(parts: SnapshotParts) {
    this.parts = parts;
  }

  async listSnapshots(): Promise<MessageInitShape<typeof ResponseListSnapshotsSchema>> {
    this.parts.onAsked();
    await this.look();
    const snapshots = [...this.known].map(([height, checkpoint]) => ({
      height: BigInt(height),
      format: SNAPSHOT_FORMAT,
      chunks: checkpoint.chunkCount,
      hash: hexToBytes(checkpoint.checkpointHash),
      metadata: utf8Bytes(canonicalize(checkpoint)),
    }));
    return { snapshots };
  }

  /** Returns an empty chunk if it is missing or damaged, so that the receiver asks another peer. */
  async loadSnapshotChunk({
    height,
    format,
    chunk,
  }: Pick<RequestLoadSnapshotChunk, 'height' | 'format' | 'chunk'>): Promise<
    MessageInitShape<typeof ResponseLoadSnapshotChunkSchema>
  > {
    if (format !== SNAPSHOT_FORMAT) return {};
    if (!this.known.has(Number(height))) await this.look();
    const checkpoint = this.known.get(Number(height));
    const hash = checkpoint?.chunkHashes[chunk];
    if (!checkpoint || hash === undefined) return {};
    const { checkpointHash } = checkpoint;
    const path = join(this.parts.directory, checkpointHash, `chunk-${chunk}`);
    const bytes = await readFile(path).catch(() => null);
    if (!bytes || sha256Hex(bytes) !== hash) return {};
    this.parts.onRead(checkpointHash);
    return { chunk: bytes };
  }

  private async look(): Promise<void> {
    const found = new Map<number, StateCheckpoint>();
    for (const { checkpoint } of await checkpointsIn(this.parts.directory)) {
      const height = this.engineHeightOf(checkpoint);
      if (height !== null) found.set(height, checkpoint);
    }
    this.known = found;
  }

  /** Returns null if a node cannot start from the checkpoint. */
  private engineHeightOf({ height, certificateHash }: StateCheckpoint): number | null {
    const snapshot = this.parts.store.snapshot();
    try {
      const certificate = snapshot.blockAt(height)?.certificate;
      if (certificate?.certificateHash !== certificateHash) return null;
      const engineHeight = engineHeightOf(certificate);
      const isFollowed = engineHeight !== null && engineHeight + 2 <= this.parts.decidedHeight();
      return isFollowed && engineHeight > 0 ? engineHeight : null;
    } finally {
      snapshot.close();
    }
  }
}
