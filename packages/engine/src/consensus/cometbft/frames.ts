/** Messages on a stream, each behind its length as an unsigned varint (LEB128), as ABCI and libp2p write them. */

/** More than a block of CometBFT can hold, with its commit around it. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** Of a length below 2^28. */
const MAX_LENGTH_BYTES = 4;

/** What arrives is no message: the stream is of no use any more. */
export class FrameError extends Error {
  override name = 'FrameError';
}

/** Cuts a stream into messages. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;
  /** Bytes that must be there before it is worth looking. */
  private needed = 1;

  /**
   * @returns the messages that are complete with this chunk
   * @throws FrameError where a length is none, or too large
   */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.held += chunk.length;
    if (this.held < this.needed) return [];
    let rest = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks, this.held);
    const found: Buffer[] = [];
    for (;;) {
      const head = lengthAt(rest);
      const end = head === null ? rest.length + 1 : head.bytes + head.length;
      if (head === null || end > rest.length) {
        this.chunks = rest.length === 0 ? [] : [rest];
        this.held = rest.length;
        this.needed = end;
        return found;
      }
      found.push(rest.subarray(head.bytes, end));
      rest = rest.subarray(end);
    }
  }
}

/** The length at the beginning, and how many bytes it takes itself; null where it is not complete. */
function lengthAt(bytes: Buffer): { length: number; bytes: number } | null {
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (i === MAX_LENGTH_BYTES) throw new FrameError('a length has too many bytes');
    const byte = bytes[i] ?? 0;
    length |= (byte & 0x7f) << (7 * i);
    if (byte >= 0x80) continue;
    if (length > MAX_FRAME_BYTES) throw new FrameError(`a message of ${length} bytes is too large`);
    return { length, bytes: i + 1 };
  }
  return null;
}

/** The bytes before a message. */
export function frameHead(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
