/** Every block certified by a simulation's writer, and checks of answers against them. */
import { sha256Hex, type StateCheckpoint, type StateChunk } from '@netd/protocol';
import { blockText } from '@netd/documents';
import type { Store } from '@netd/engine';
import { type SimulatedAnswer, STATE_PATH } from './simulated-network.ts';
import { documentsOf } from './simulated-node.ts';

interface Received {
  height: number;
  blockHash: string;
  stateRoot: string;
}

export class CertifiedHistory {
  private readonly blocks: string[] = [];
  /** Blocks as served without events. */
  private readonly withoutEvents: string[] = [];
  private readonly heads: Received[] = [];
  /** Documents by observed height. */
  private readonly documents = new Map<number, string>();
  /** Chunk hashes of every checkpoint offered by honest nodes. */
  private readonly chunks = new Set<string>();

  /** Adds the writer's new durable blocks. */
  follow(store: Store): void {
    const durable = store.headHeight() ?? -1;
    if (durable < this.blocks.length) return;
    const snapshot = store.snapshot();
    try {
      for (let height = this.blocks.length; height <= snapshot.height; height++) {
        const block = snapshot.blockAt(height);
        if (!block) throw new Error(`the writer has no block ${height}`);
        const { header, certificate } = block;
        this.blocks.push(blockText(snapshot, { height }));
        this.withoutEvents.push(blockText(snapshot, { height, events: 'none' }));
        this.heads.push({ height, blockHash: certificate.blockHash, stateRoot: header.stateRoot });
      }
    } finally {
      snapshot.close();
    }
    const { height, text } = documentsOf(store);
    if (text === null) throw new Error('the writer lacks blocks');
    this.documents.set(height, text);
  }

  /** Returns the fault of an answer, or null. */
  faultOf(path: string, { status, text }: SimulatedAnswer): string | null {
    if (status !== 200) return null;
    const [, height, query] = /^\/v1\/blocks\/(\d+)(\?events=none)?$/.exec(path) ?? [];
    if (height !== undefined) {
      const certified = query === undefined ? this.blocks : this.withoutEvents;
      return certified[Number(height)] === text
        ? null
        : `is not the block that was certified: ${text.slice(0, 300)}`;
    }
    if (path.startsWith(STATE_PATH)) return this.faultOfState(path, JSON.parse(text) as never);
    if (path !== '/v1/network') return null;
    const received = JSON.parse(text) as Received;
    const head = this.heads[received.height];
    if (!head) return `says height ${received.height}, the writer is at ${this.heads.length - 1}`;
    const isSame = head.blockHash === received.blockHash && head.stateRoot === received.stateRoot;
    return isSame ? null : `tells another block ${received.height} than was certified`;
  }

  /** Checks that a checkpoint's block is certified, and that its chunks match the manifest. */
  private faultOfState(path: string, received: StateCheckpoint | StateChunk): string | null {
    if ('chunkHashes' in received) {
      const { stateRoot, blockHash } = this.heads[received.height] ?? {};
      const isSame = received.stateRoot === stateRoot && received.blockHash === blockHash;
      for (const hash of received.chunkHashes) this.chunks.add(hash);
      return isSame ? null : `offers a state of height ${received.height} that was never certified`;
    }
    const isSame = this.chunks.has(sha256Hex(Buffer.from(received.data, 'base64')));
    return isSame ? null : `${path} is no chunk of an offered state`;
  }

  /** Compares a follower's documents with the writer's, if those were observed at this height. */
  faultOfDocuments(store: Store): string | null {
    const { height, text } = documentsOf(store);
    const wanted = this.documents.get(height);
    return text === null || wanted === undefined || wanted === text
      ? null
      : `serves other documents at ${height} than the writer did`;
  }
}
