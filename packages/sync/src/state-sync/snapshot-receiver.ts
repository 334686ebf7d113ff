/**
 * Receives a snapshot from CometBFT. Its manifest must name the certificate that the light client trusts.
 * Decision 145.
 */
import { join } from 'node:path';
import {
  hexToBytes,
  bytesToHex,
  sha256Hex,
  type Genesis,
  type StateCheckpoint,
} from '@netd/protocol';
import {
  type BlockHistory,
  ChunkFiles,
  ChunkLostError,
  rebuild,
  type RestoreProgress,
  validateCheckpoint,
  WrongStateError,
} from '@netd/engine';
import {
  ResponseApplySnapshotChunk_Result as Applied,
  ResponseOfferSnapshot_Result as Offered,
  engineHeightOf,
  NO_SNAPSHOTS,
  SNAPSHOT_FORMAT,
  type AbciApplication,
  type RequestApplySnapshotChunk,
  type RequestOfferSnapshot,
  type SnapshotCalls,
} from '@netd/engine/cometbft';

export interface ReceiverOptions {
  genesis: Genesis;
  draftPath: string;
  source: string;
  /**
   * Returns the block of a state and some before it, newest first, all certified; null if no node has them.
   */
  blocksOf: (checkpoint: StateCheckpoint) => Promise<BlockHistory[] | null>;
  hasRoom: (bytes: number) => boolean;
  onProgress: (progress: RestoreProgress) => void;
  /** Called with the id of a rejected peer, or with null for all peers that offered this state. */
  onReject: (peer: string | null, reason: string) => void;
}

/** The ABCI application of a CometBFT without a state. */
export class SnapshotReceiver implements AbciApplication, SnapshotCalls {
  readonly listSnapshots = NO_SNAPSHOTS.listSnapshots;
  readonly loadSnapshotChunk = NO_SNAPSHOTS.loadSnapshotChunk;
  readonly isTaken: Promise<void>;
  private readonly take: () => void;
  private readonly options: ReceiverOptions;
  private files: ChunkFiles | null = null;
  private engineHeight = 0;
  private isRestored = false;
  private bytes = 0;

  constructor(options: ReceiverOptions) {
    this.options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.isTaken = promise;
    this.take = resolve;
  }

  info(): ReturnType<AbciApplication['info']> {
    const checkpoint = this.isRestored ? this.files?.point.checkpoint : undefined;
    return {
      data: 'netd',
      appVersion: 1n,
      lastBlockHeight: BigInt(checkpoint ? this.engineHeight : 0),
      lastBlockAppHash: checkpoint ? hexToBytes(checkpoint.certificateHash) : new Uint8Array(),
    };
  }

  async offerSnapshot({
    snapshot,
    appHash,
  }: Pick<RequestOfferSnapshot, 'snapshot' | 'appHash'>): Promise<{ result: Offered }> {
    this.forget();
    if (!snapshot || snapshot.format !== SNAPSHOT_FORMAT) return { result: Offered.REJECT_FORMAT };
    const { chunks, hash, metadata } = snapshot;
    const checkpoint = this.checkpointOf(metadata);
    const isOffered =
      typeof checkpoint !== 'string' &&
      checkpoint.chunkCount === chunks &&
      checkpoint.checkpointHash === bytesToHex(hash) &&
      checkpoint.certificateHash === bytesToHex(appHash);
    if (!isOffered) {
      const why = typeof checkpoint === 'string' ? checkpoint : 'differs from the certified one';
      this.options.onReject(null, `the state that was offered ${why}`);
      return { result: Offered.REJECT_SENDER };
    }
    const { height, byteLength } = checkpoint;
    if (!this.options.hasRoom(byteLength)) {
      this.options.onReject(
        null,
        `a state of ${byteLength} bytes, for which this disk has no room`,
      );
      return { result: Offered.REJECT };
    }
    const blocks = await this.options.blocksOf(checkpoint);
    const [block] = blocks ?? [];
    if (!blocks || !block) {
      this.options.onReject(null, `no node has block ${height}, whose state was offered`);
      return { result: Offered.REJECT };
    }
    if (
      block.header.stateRoot !== checkpoint.stateRoot ||
      engineHeightOf(block.certificate) !== Number(snapshot.height)
    ) {
      this.options.onReject(null, `the state that was offered is not that of block ${height}`);
      return { result: Offered.REJECT_SENDER };
    }
    this.engineHeight = Number(snapshot.height);
    const chunksPath = join(this.options.draftPath, 'checkpoint');
    this.files = ChunkFiles.begin(chunksPath, { checkpoint, blocks, tellers: [] });
    this.tellFetched();
    return { result: Offered.ACCEPT };
  }

  async applySnapshotChunk({
    index,
    chunk,
    sender,
  }: Pick<RequestApplySnapshotChunk, 'index' | 'chunk' | 'sender'>): Promise<{
    result: Applied;
    refetchChunks?: number[];
    rejectSenders?: string[];
  }> {
    const { files } = this;
    if (!files) return { result: Applied.ABORT };
    const { chunkHashes, chunkCount } = files.point.checkpoint;
    if (sha256Hex(chunk) !== chunkHashes[index]) {
      this.options.onReject(sender, `chunk ${index} is not the one of the state`);
      return { result: Applied.RETRY, refetchChunks: [index], rejectSenders: [sender] };
    }
    await files.write(index, chunk);
    this.bytes += chunk.length;
    this.tellFetched();
    if (index < chunkCount - 1) return { result: Applied.ACCEPT };
    const missing = await files.missing();
    if (missing.length > 0) return { result: Applied.RETRY_SNAPSHOT, refetchChunks: missing };
    return { result: await this.build(files) };
  }

  finalizeBlock(): never {
    if (this.isRestored) this.take();
    throw new Error('the state is taken, and the ledger goes on from it');
  }

  checkTx(): { code: number; log: string } {
    return { code: 1, log: 'NODE_NOT_READY' };
  }

  initChain = notNow;
  prepareProposal = notNow;
  processProposal = notNow;
  commit = notNow;

  private async build(files: ChunkFiles): Promise<Applied> {
    const { genesis, draftPath, source, onProgress } = this.options;
    const { height } = files.point.checkpoint;
    try {
      await rebuild({ files, draftPath, chain: { genesis, source }, onProgress });
    } catch (error) {
      if (error instanceof ChunkLostError) return Applied.RETRY_SNAPSHOT;
      if (!(error instanceof WrongStateError)) throw error;
      this.options.onReject(null, error.message);
      return Applied.REJECT_SNAPSHOT;
    }
    this.isRestored = true;
    onProgress({ phase: 'done', height, done: 1, total: 1 });
    return Applied.ACCEPT;
  }

  private checkpointOf(metadata: Uint8Array): StateCheckpoint | string {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(metadata);
      const checkpoint = JSON.parse(text) as StateCheckpoint;
      return validateCheckpoint(checkpoint, this.options.genesis.chainId) ?? checkpoint;
    } catch {
      return 'has no manifest';
    }
  }

  private forget(): void {
    this.files?.remove();
    this.files = null;
    this.isRestored = false;
    this.bytes = 0;
  }

  private tellFetched(): void {
    const { checkpoint } = this.files?.point ?? {};
    if (!checkpoint) return;
    const { height, byteLength: total } = checkpoint;
    this.options.onProgress({ phase: 'chunks', height, done: Math.min(this.bytes, total), total });
  }
}

function notNow(): never {
  throw new Error('there is no state yet');
}
