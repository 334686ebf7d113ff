/** No record has a longer key or value. */
const MAX_FIELD_BYTES = 32 * 1024 * 1024;

export class PairError extends Error {
  override name = 'PairError';
}

export interface Pair {
  key: Buffer;
  value: Buffer;
}

export class PairReader {
  private rest = Buffer.alloc(0);
  private previous: Buffer | null = null;

  /**
   * Yields the pairs that end in this chunk.
   * @throws PairError if a length or the order of keys is impossible
   */
  *read(chunk: Buffer): Generator<Pair, void> {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let at = 0;
    for (;;) {
      const key = fieldAt(bytes, at);
      const value = key && fieldAt(bytes, at + 4 + key.length);
      if (!key || !value) break;
      if (this.previous && this.previous.compare(key) >= 0) {
        throw new PairError('the keys are not in order');
      }
      this.previous = key;
      at += 8 + key.length + value.length;
      yield { key, value };
    }
    this.rest = Buffer.from(bytes.subarray(at));
    this.previous = this.previous && Buffer.from(this.previous);
  }

  /** @throws PairError if bytes are left over */
  end(): void {
    if (this.rest.length > 0) throw new PairError('the last pair is cut short');
  }
}

function fieldAt(bytes: Buffer, at: number): Buffer | null {
  if (at + 4 > bytes.length) return null;
  const length = bytes.readUInt32BE(at);
  if (length > MAX_FIELD_BYTES) throw new PairError('a field is longer than any record');
  return at + 4 + length > bytes.length ? null : bytes.subarray(at + 4, at + 4 + length);
}
