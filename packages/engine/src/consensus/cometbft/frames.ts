const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** Enough for a length below 2^28. */
const MAX_LENGTH_BYTES = 4;

/** Thrown for a malformed length; the stream is useless afterwards. */
export class FrameError extends Error {
  override name = 'FrameError';
}

export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;
  private needed = 1;

  /** @throws FrameError if a length is malformed or too large */
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

export function frameHead(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
