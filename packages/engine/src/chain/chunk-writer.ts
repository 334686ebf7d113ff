import { CHECKPOINT_CHUNK_SIZE } from '@netd/protocol';

export class ChunkWriter {
  byteLength = 0;
  private parts: Uint8Array[] = [];
  private held = 0;
  private readonly write: (chunk: Buffer) => Promise<void>;

  constructor(write: (chunk: Buffer) => Promise<void>) {
    this.write = write;
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.parts.push(bytes);
    this.held += bytes.length;
    this.byteLength += bytes.length;
    if (this.held < CHECKPOINT_CHUNK_SIZE) return;
    let all = Buffer.concat(this.parts);
    while (all.length >= CHECKPOINT_CHUNK_SIZE) {
      await this.write(all.subarray(0, CHECKPOINT_CHUNK_SIZE));
      all = all.subarray(CHECKPOINT_CHUNK_SIZE);
    }
    this.parts = [all];
    this.held = all.length;
  }

  async end(): Promise<void> {
    if (this.held > 0) await this.write(Buffer.concat(this.parts));
    this.parts = [];
    this.held = 0;
  }
}
